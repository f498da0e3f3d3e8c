"""The measures of recurrent networks, and how each is fitted: those of the papers, and our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from plainsight.text.tags import Scheme

__all__ = ["ARCHITECTURES", "Architecture", "Schedule"]

_SENTENCES: Mapping[str, Any] = {"by": "sentence"}
_WINDOWS: Mapping[str, Any] = {"by": "window", "size": 192, "margin": 24}


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How a network is fitted; ``averaged`` weights lag behind by about 1 / (1 - averaged) steps."""

    optimiser: Literal["sgd", "rmsprop", "adam"] = "adam"
    rate: float = 2e-3
    cooling: bool = True
    batch: int = 32
    epochs: int = 30
    patience: int = 10
    clip_value: float = 0.0
    clip_norm: float = 1.0
    averaged: float = 0.0
    soft_share: float = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A network: what it is told of tokens, its layers, and what becomes of its scores.

    ``columns`` gives the width of each column, ``spelt`` the units of each direction over characters, and
    ``layers`` those over tokens. ``dropout`` is on what goes into each layer, ``state_dropout`` on the
    weights by which a layer looks at its own last state. ``forget`` is how readily rare words pass for
    unknown ones in training: a word seen n times, n at most ``forget_most``, in forget / (forget + n) of all
    cases.
    """

    tokens: str = "plainsight"
    pieces: Mapping[str, Any] = field(default_factory=lambda: _SENTENCES)
    columns: Mapping[str, int]
    characters: int = 25
    spelt: int = 25
    context: bool = False
    layers: tuple[int, ...]
    residual: bool = False
    hidden: int = 0
    transitions: Literal["learned", "legal", "none"] = "legal"
    scheme: Scheme = "BIO"
    dropout: tuple[float, ...]
    state_dropout: tuple[float, ...]
    forget: float = 1.0
    forget_most: int = 1
    schedule: Schedule = field(default_factory=Schedule)


_STUDENT = {"word": 96, "prefix": 24, "suffix": 24, "shape": 16, "lists": 24, "gap": 8}

ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType(
    {
        # S72-S81; the cell is the usual LSTM, not the one with coupled gates (S77)
        "2016": Architecture(
            columns={"vector": 100},
            layers=(100,),
            hidden=100,
            transitions="learned",
            scheme="BIOES",
            dropout=(0.5,),
            state_dropout=(0.0,),
            schedule=Schedule(
                optimiser="sgd",
                rate=0.005,
                cooling=False,
                batch=1,
                epochs=100,
                patience=10,
                clip_value=5.0,
                clip_norm=0.0,
            ),
        ),
        # S201
        "mask-glove": Architecture(
            columns={"vector": 300},
            characters=0,
            spelt=0,
            layers=(150, 60),
            transitions="none",
            dropout=(0.3, 0.2),
            state_dropout=(0.6, 0.5),
            schedule=Schedule(optimiser="rmsprop", rate=1e-3, cooling=False, epochs=20, clip_norm=0.0),
        ),
        # S203
        "mask-contextual": Architecture(
            columns={},
            characters=0,
            spelt=0,
            context=True,
            layers=(512, 512),
            residual=True,
            transitions="none",
            dropout=(0.2, 0.2),
            state_dropout=(0.2, 0.2),
            schedule=Schedule(rate=1e-3, cooling=False, epochs=20, clip_norm=0.0),
        ),
        # ours: the parts of 2016 and more of a word's form, over windows; for notes without word vectors
        "spelt": Architecture(
            pieces=_WINDOWS,
            columns={"word": 100, "prefix": 24, "suffix": 24, "shape": 16, "gap": 8},
            spelt=50,
            layers=(200, 200),
            transitions="learned",
            scheme="BIOES",
            dropout=(0.4, 0.4),
            state_dropout=(0.2, 0.2),
            forget_most=20,
            schedule=Schedule(batch=16, epochs=60, averaged=0.998),
        ),
        # ours: small and quick, to be taught by a large one
        "student": Architecture(
            pieces=_WINDOWS,
            columns=_STUDENT,
            characters=0,
            spelt=0,
            layers=(128, 128),
            dropout=(0.3, 0.3),
            state_dropout=(0.1, 0.1),
            forget_most=50,
            schedule=Schedule(batch=32, epochs=40, averaged=0.998),
        ),
        "student-claims": Architecture(
            pieces=_WINDOWS,
            columns={**_STUDENT, "claim": 24},
            characters=0,
            spelt=0,
            layers=(128, 128),
            dropout=(0.3, 0.3),
            state_dropout=(0.1, 0.1),
            forget_most=50,
            schedule=Schedule(batch=32, epochs=40, averaged=0.998),
        ),
    }
)
"""Every architecture by name."""
