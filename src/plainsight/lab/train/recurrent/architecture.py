"""The sizes of recurrent networks, and how each is fitted: ``architectures.toml`` holds them all."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

from plainsight.text.tags import Scheme


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


GATES = ("usual", "coupled")
"""The kinds of LSTM cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A network: the inputs of a token, the layers, and how tags follow one another.

    ``columns`` gives the width of each input column, ``spelt`` the units of each direction over characters,
    ``layers`` those over tokens. ``dropout`` applies to the inputs of each layer, ``state_dropout`` to the
    weights of its own last state. ``gates`` are usual or coupled (`CoupledLstm`). In training, a word seen n
    times, at most ``forget_most``, passes for unknown with the chance forget / (forget + n).
    """

    tokens: str = "plainsight"
    pieces: Mapping[str, Any] = field(default_factory=lambda: {"by": "sentence"})
    columns: Mapping[str, int]
    characters: int = 25
    spelt: int = 25
    context: bool = False
    layers: tuple[int, ...]
    gates: Literal["usual", "coupled"] = "usual"
    residual: bool = False
    hidden: int = 0
    transitions: Literal["learned", "legal", "none"] = "legal"
    scheme: Scheme = "BIO"
    dropout: tuple[float, ...]
    state_dropout: tuple[float, ...]
    forget: float = 1.0
    forget_most: int = 1
    schedule: Schedule = field(default_factory=Schedule)


def _architecture(table: dict[str, Any]) -> Architecture:
    given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
    return Architecture(**{**given, "schedule": Schedule(**table["schedule"])})


_TABLES = tomllib.loads((files(__package__) / "architectures.toml").read_text(encoding="utf-8"))

ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType(
    {name: _architecture(table) for name, table in _TABLES.items()}
)
"""Every architecture by name."""
