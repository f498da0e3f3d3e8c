"""What can be trained: for each detector the function that trains it and the class that runs the model.

A detector becomes trainable here by one entry in `TRAINABLE`. Its function takes notes with spans and the
folder for the model, then settings by name; its class takes ``model``, and what else it has, by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plainsight.detect.base import Detector, Learned
from plainsight.document import Document
from plainsight.errors import UsageError, suggest

Settings = Mapping[str, Any]

_PLAIN = {"bool": bool, "int": int, "float": float, "str": str, "Literal": str, "Scheme": str}
"""What a setting may be, as annotations name it: a value that can be written down."""


@dataclass(frozen=True, slots=True)
class Trainable:
    """Where trainer and detector are (``module:name``), and the variants that an ablation compares."""

    trainer: str
    detector: str
    variants: Mapping[str, Settings] = field(default_factory=dict)


TRAINABLE: Mapping[str, Trainable] = MappingProxyType(
    {
        "crf": Trainable(
            "plainsight.lab.train.crf:train_crf",
            "plainsight.lab.detect.crf:Crf",
            {
                name: {"feature_set": name}
                for name in ("carafe-base", "carafe-lexicon", "carafe-context", "carafe-all", "plainsight")
            },
        ),
        "bilstm": Trainable(
            "plainsight.lab.train.bilstm:train_bilstm",
            "plainsight.lab.detect.bilstm:Bilstm",
            {
                "whole": {},
                "no sequence optimisation": {"transitions": False},
                "no token embeddings": {"words": False},
                "no character embeddings": {"characters": False},
                "BIO": {"scheme": "BIO"},
            },
        ),
        "charlm": Trainable(
            "plainsight.lab.train.charlm:train_charlm",
            "plainsight.lab.detect.charlm:Charlm",
            {f"order {order}": {"order": order} for order in (8, 6, 4)},
        ),
        "convolution": Trainable(
            "plainsight.lab.train.convolution:train_convolution",
            "plainsight.detect.convolution:Convolution",
            {"whole": {}, "no claims": {"claims": False}, "half the width": {"width": 64}},
        ),
        "union": Trainable(
            "plainsight.lab.experiments.union:train_union", "plainsight.lab.experiments.union:Union"
        ),
    }
)
"""Every trainable detector by name."""


def trainable(name: str) -> Trainable:
    """Return the entry of a detector."""
    if name not in TRAINABLE:
        raise UsageError(f"no trainable detector {name!r}{suggest(name, TRAINABLE)}")
    return TRAINABLE[name]


def train(name: str, documents: Sequence[Document], folder: Path, settings: Settings) -> None:
    """Train a detector and write its model folder."""
    trainer = _load(name, trainable(name).trainer)
    with redirect_stdout(StringIO()):  # what libraries print while they train is no result
        trainer(documents, folder, **settings)


def build(name: str, model: Path, **options: Any) -> Detector:
    """Return the detector with a model."""
    detector: Detector = _load(name, trainable(name).detector)(model=str(model), **options)
    return detector


def has_bias(name: str) -> bool:
    """Tell whether a detector has a bias that can be swept."""
    return isinstance(build(name, Path()), Learned)


def check_settings(name: str, given: Settings) -> dict[str, Any]:
    """Return settings for a trainer; refuse those that it does not have or that are of another kind."""
    parameters = inspect.signature(_load(name, trainable(name).trainer)).parameters
    # What takes no plain value, such as a callback, is not a setting.
    known = {key: kinds for key, parameter in parameters.items() if (kinds := _kinds(parameter))}
    for key, value in given.items():
        if key not in known:
            raise UsageError(f"training {name} has no setting {key!r}{suggest(key, known)}")
        kinds = known[key]
        if type(value) not in kinds and not (float in kinds and type(value) is int):
            said = " or ".join(kind.__name__ for kind in kinds)
            usual = parameters[key].default
            raise UsageError(
                f"training {name}: {key} is of type {said}" + (f", as in {usual!r}" if usual else "")
            )
    return dict(given)


def _kinds(parameter: inspect.Parameter) -> tuple[type, ...]:
    """Return the kinds of plain values that a parameter takes, by its default or else its annotation."""
    if isinstance(parameter.default, tuple(_PLAIN.values())):
        return (type(parameter.default),)
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
        return ()
    parts = [part.partition("[")[0] for part in str(parameter.annotation).split(" | ")]
    return tuple(dict.fromkeys(_PLAIN[part] for part in parts if part in _PLAIN))


def has_seed(name: str) -> bool:
    """Tell whether chance plays a part in training, so that a seed matters."""
    return "seed" in inspect.signature(_load(name, trainable(name).trainer)).parameters


def _load(name: str, target: str) -> Any:
    module, _, attribute = target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("plainsight"):
            raise
        raise UsageError(
            f"experiments with {name} need {error.name}: pip install 'plainsight[train]'"
        ) from None
