"""A model's card on the terminal: what it is, how it was made, what it scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from plainsight.cli.results import plain_table

_SCORES = {"binary-token": "tokens, any label", "strict": "identifiers"}


def card(name: str, manifest: Mapping[str, Any]) -> list[Table]:
    """Return a model's card as tables."""
    tables = [_about(name, manifest)]
    if scores := manifest.get("scores"):
        tables.append(_scores(scores))
    return tables


def _about(name: str, manifest: Mapping[str, Any]) -> Table:
    training = manifest.get("training", {})
    table = Table(title=name, title_justify="left", box=None, show_header=False, pad_edge=False)
    choice = manifest.get("bias_choice")
    rows = {
        "detector": manifest["kind"],
        "about": manifest.get("description"),
        "licence": manifest.get("licence"),
        "data": manifest.get("data"),
        "limits": manifest.get("limits"),
        "labels": ", ".join(manifest.get("labels", ())),
        "feature set": manifest.get("feature_set"),
        "tokens": _tokens(manifest),
        "models": ", ".join(one.get("bundled") or one["folder"] for one in manifest.get("members", ())),
        "calibration error": _off(manifest.get("calibration")),
        "bias": _bias(manifest["bias"], choice) if "bias" in manifest else None,
        "trained on": _learnt(training),
        "started from": (training.get("init") or {}).get("name"),
        "made with": ", ".join(
            f"{name} {version}" for name, version in manifest.get("made_with", {}).items()
        ),
    }
    for key, value in rows.items():
        if value:
            table.add_row(key, str(value))
    return table


def _tokens(manifest: Mapping[str, Any]) -> str:
    """Return the preset of a model's tokens, and how many training identifiers begin and end with one."""
    training = manifest.get("training", {})
    if "tokens" not in manifest or not training.get("identifiers"):
        return str(manifest.get("tokens", ""))
    aligned = 1 - training["widened"] / training["identifiers"]
    return f"{manifest['tokens']}; {aligned:.2%} of the identifiers begin and end with one"


def _off(calibration: Mapping[str, Any] | None) -> str:
    if not calibration:
        return ""
    return f"{calibration['stacker']} (plain mean: {calibration['mean']})"


def _bias(bias: float, choice: Mapping[str, Any] | None) -> str:
    if choice is None:
        return f"{bias:g}"
    wanted = "the best F" if choice["recall"] is None else f"recall {choice['recall']:g}"
    folds = "a fold" if choice["folds"] == 1 else f"{choice['folds']} folds"
    return f"{bias:g}, chosen for {wanted} in {folds} of {choice['notes']} notes"


def _learnt(training: Mapping[str, Any]) -> str:
    if "notes" not in training:
        return ""
    return f"{training['notes']:,} notes with {training.get('identifiers', 0):,} identifiers"


def _scores(scores: Mapping[str, Any]) -> Table:
    by_label = scores.get("strict by label", {})
    rows = [(title, scores[name]) for name, title in _SCORES.items() if name in scores]
    rows += [(f"  {label}", figures) for label, figures in by_label.items()]
    return plain_table(
        f"Scores on {scores['notes']:,} notes outside its training data",
        ("", "P", "R", "F", "gold", "found"),
        [
            (title, *(figures.get(key) for key in ("precision", "recall", "f", "gold", "found")))
            for title, figures in rows
        ],
    )
