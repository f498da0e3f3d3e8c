"""The attacks' results as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainsight.lab.attack.dictionary import Guessed, Hashed, Kept
from plainsight.lab.attack.distinguisher import Distinguished
from plainsight.lab.attack.offset import Recovered
from plainsight.lab.attack.parrot import Parroted

__all__ = [
    "Table",
    "distinguisher_table",
    "guess_table",
    "hash_table",
    "kept_table",
    "offset_table",
    "parrot_table",
]


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table of text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_markdown(self) -> str:
        """Return the table for a page of the documentation."""
        lines = [self.columns, tuple("---" for _ in self.columns), *self.rows]
        return f"**{self.title}**\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def parrot_table(results: Sequence[Parroted]) -> Table:
    """Tabulate the parrot attack."""
    rows = tuple(
        (
            result.consistency,
            result.left_in,
            result.attacker,
            f"{r.left} of {r.names}",
            str(r.accused),
            _rate(r.precision),
            _rate(r.guess),
            _rate(r.recall),
            _rate(r.area),
        )
        for result in results
        for r in (result.result,)
    )
    columns = (
        "consistency",
        "left in",
        "attacker",
        "originals",
        "accused",
        "precision",
        "random",
        "recall",
        "AUC",
    )
    return Table("Parrot attack: which names are originals?", columns, rows)


def distinguisher_table(results: Sequence[Distinguished]) -> Table:
    """Tabulate the distinguisher."""
    rows = tuple(
        (
            result.consistency,
            "looks and counts" if result.context else "looks",
            f"{result.share:.0%}",
            str(result.area or "n/a"),
            str(result.area.repetitions if result.area else 0),
        )
        for result in results
    )
    columns = ("consistency", "the attacker sees", "left in", "AUC (95 %), random 0.5", "repetitions")
    return Table("Distinguisher: names left in by chance against surrogates", columns, rows)


def hash_table(results: Sequence[Hashed]) -> Table:
    """Tabulate the dictionary attack on hashes."""
    rows = tuple(
        (
            result.scheme,
            f"{result.space:,}",
            f"{result.recovered} of {result.victims}",
            f"{result.seconds:.1f} s",
            f"{result.hours_for_all_ssns:.1f} h" if result.recovered else "never",
        )
        for result in results
    )
    columns = ("scheme", "numbers tried", "recovered", "time, one core", "all SSNs")
    return Table("Dictionary attack on hashes of record numbers", columns, rows)


def guess_table(results: Sequence[Guessed]) -> Table:
    """Tabulate guesses of keys."""
    rows = tuple(
        (result.kind, str(result.digits), f"{result.tries:,}", str(result.hits), f"{result.expected:.2g}")
        for result in results
    )
    columns = ("label", "digits", "tries", "hits", "expected by chance")
    return Table("Guessed keys: how often a surrogate is hit", columns, rows)


def kept_table(results: Sequence[Kept]) -> Table:
    """Tabulate the digits that stay in place."""
    rows = tuple(
        (result.label, str(result.identifiers), str(result.digits), str(result.kept), _rate(result.share))
        for result in results
    )
    return Table(
        "Digits that stay in place (chance: 0.100)", ("label", "identifiers", "digits", "kept", "share"), rows
    )


def offset_table(results: Sequence[Recovered]) -> Table:
    """Tabulate the recovery of date offsets."""
    rows = []
    for result in results:
        told = result.to_json()
        rows.append(
            (
                result.setting.name,
                str(result.patients),
                str(result.offsets),
                *(_rate(told[key]) for key in ("first", "first_random", "first_ten", "first_ten_random")),
                _rate(told["mean_percentile"]),
                _rate(told["bits_gained"]),
            )
        )
    columns = (
        "shift",
        "patients",
        "offsets",
        "first",
        "random",
        "in ten",
        "random",
        "mean rank (0.5)",
        "bits gained",
    )
    return Table("Date offsets: where the true one ranks", columns, tuple(rows))


def _rate(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "n/a" if value is None else str(value)
