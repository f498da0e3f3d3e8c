"""Check training notes: refuse what cannot be learnt from, and warn about the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.text.tags import OUTSIDE, decode, encode
from plainsight.text.tokenizers import tokenizer

_FEW = 5


@dataclass(frozen=True, slots=True)
class Found:
    """Counts of the training notes.

    ``widened`` identifiers begin or end inside a token and are learnt as whole tokens. ``lost`` ones touch no
    token, or share one with an earlier identifier, and are not learnt.
    """

    notes: int
    tokens: int
    identifiers: int
    labels: dict[str, int]
    widened: int
    lost: int

    @property
    def aligned(self) -> float:
        """The share of identifiers that begin and end with a token; others are found only roughly (S17)."""
        return 1 - self.widened / self.identifiers

    @property
    def tags(self) -> list[str]:
        """The BIO tags of the labels."""
        return [OUTSIDE, *(f"{prefix}-{label}" for label in sorted(self.labels) for prefix in "BI")]

    def warnings(self) -> list[str]:
        """Return warnings for the user."""
        made = []
        if self.widened:
            made.append(
                f"{self.widened} of {self.identifiers} identifiers cut a token: learnt as whole tokens"
            )
        if self.lost:
            made.append(f"{self.lost} identifiers have no token of their own: not learnt")
        if len(self.labels) == 1:
            made.append(f"all identifiers are {next(iter(self.labels))}: the model will know no other label")
        rare = sorted(label for label, count in self.labels.items() if count < _FEW)
        if rare and len(self.labels) > 1:
            made.append(f"hardly any examples of {', '.join(rare)}: they will often be missed")
        return made


def check_notes(
    documents: Sequence[Document], *, what: str = "training", tokens: str = "plainsight"
) -> Found:
    """Count what is there; refuse notes from which nothing can be learnt. ``tokens`` names their preset."""
    if not documents:
        raise DataError(f"there are no {what} notes")
    tokenize = tokenizer(tokens)
    count = widened = lost = 0
    labels: Counter[str] = Counter()
    for document in documents:
        offsets = tokenize(document.text)
        count += len(offsets)
        if not document.spans:
            continue
        labels.update(span.label for span in document.spans)
        held = decode(encode(document.spans, offsets), offsets)
        lost += max(0, len(document.spans) - len(held))
        starts, ends = {start for start, _ in offsets}, {end for _, end in offsets}
        widened += sum(span.start not in starts or span.end not in ends for span in document.spans)
    if not count:
        raise DataError(f"the {what} notes are empty")
    if not labels:
        raise DataError(f"the {what} notes hold no identifier: are they marked, and is the format right?")
    return Found(len(documents), count, labels.total(), dict(sorted(labels.items())), widened, lost)
