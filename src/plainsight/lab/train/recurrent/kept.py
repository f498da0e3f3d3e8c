"""Fitting that can be stopped and goes on: the network on its way, kept as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray

__all__ = ["flat_state", "go_on", "keep", "load_flat_state"]

_FILE = "fit.npz"


def keep(
    folder: Path, of: str, states: Mapping[str, Mapping[str, Any]], figures: Mapping[str, float]
) -> None:
    """Write the tensors of ``states`` and some figures; ``of`` says of which training."""
    arrays: dict[str, NDArray[Any]] = {"of": np.array(of)}
    arrays |= {f"figure/{name}": np.array(value) for name, value in figures.items()}
    for name, state in states.items():
        arrays |= {f"{name}/{key}": value.detach().cpu().float().numpy() for key, value in state.items()}
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / f".{_FILE}", **arrays)  # type: ignore[arg-type]
    (folder / f".{_FILE}").replace(folder / _FILE)


def go_on(folder: Path, of: str) -> tuple[dict[str, dict[str, Any]], dict[str, float]] | None:
    """Return what was kept of the same training; None if there is nothing."""
    states: dict[str, dict[str, Any]] = {}
    figures: dict[str, float] = {}
    try:
        with np.load(folder / _FILE, allow_pickle=False) as stored:
            if str(stored["of"]) != of:
                return None
            for full in stored.files:
                name, _, key = full.partition("/")
                if name == "figure":
                    figures[key] = float(stored[full])
                elif key:
                    states.setdefault(name, {})[key] = torch.from_numpy(stored[full])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None  # none, or one that was cut short: begin anew
    return states, figures


def flat_state(optimiser: Any) -> dict[str, Any]:
    """Return an optimiser's own tensors by name."""
    return {
        f"{number}.{name}": value if torch.is_tensor(value) else torch.tensor(float(value))
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
        if value is not None
    }


def load_flat_state(optimiser: Any, flat: Mapping[str, Any]) -> None:
    """Give an optimiser its tensors back."""
    whole = optimiser.state_dict()
    whole["state"] = {}
    for full, value in flat.items():
        number, _, name = full.partition(".")
        whole["state"].setdefault(int(number), {})[name] = value
    optimiser.load_state_dict(whole)
