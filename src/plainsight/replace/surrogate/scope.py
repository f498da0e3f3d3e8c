"""What one set of surrogates is about: the notes in which they must agree, and the choices for them.

A scope is a patient's notes that are at hand, or a single note. It is made anew for each call and knows
nothing that is not in the notes, the patient's record and the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeVar

from plainsight.document import Document, Patient
from plainsight.errors import DataError
from plainsight.replace.surrogate.keyed import Keyed

__all__ = ["Mention", "Scope", "assign", "folded", "owner"]

_FOLDED = bytes(byte if chr(byte).isalnum() else 32 for byte in bytes(range(128)).lower()).ljust(256)
_TURNS = 400
_SHORT = 6000  # characters of notes in which a few words are looked for sooner than all are gathered

Original = TypeVar("Original", bound=str | tuple[object, ...])


class Mention(NamedTuple):
    """One identifier where it stands: the note's place in its scope, the span, the label and the text."""

    note: int
    start: int
    end: int
    label: str
    text: str

    def __repr__(self) -> str:
        return f"Mention({self.note}, {self.start}, {self.end}, {self.label})"  # never the text


class Scope:
    """The notes in which surrogates must agree, and the keyed choices for them."""

    def __init__(
        self,
        keyed: Keyed,
        documents: Sequence[Document],
        mentions: Sequence[Mention],
        *,
        patient_keyed: Keyed | None = None,
        words: Set[str] | None = None,
    ) -> None:
        self.keyed = keyed
        self.patient_keyed = patient_keyed or keyed  # dates shift alike in all notes, whatever the scope
        self.documents = documents
        self._words = words  # where another scope has read them already
        self.mentions = mentions

    def __repr__(self) -> str:
        return f"Scope({len(self.documents)} notes, {len(self.mentions)} mentions)"

    @cached_property
    def patient(self) -> Patient | None:
        """Return what the structured record knows, if there is one."""
        return next((document.patient for document in self.documents if document.patient), None)

    @cached_property
    def words(self) -> Set[str]:
        """Every word of the notes and the record, folded: no surrogate word may be one of them.

        This holds for words outside the mentions, too: one of them may be a name that nobody found.
        """
        if self._words is not None:
            return self._words
        texts = [document.text for document in self.documents]
        if patient := self.patient:
            texts += patient.names + patient.relatives + patient.providers + patient.employers
            texts += [part for a in patient.addresses for part in (a.street, a.city, a.state, a.zip)]
            texts += patient.phones + patient.emails + tuple(number for _, number in patient.ids)
        spaced = f" {' '.join(map(_spaced, texts))} "
        return _Words(spaced) if len(spaced) < _SHORT else frozenset(spaced.split())

    def of(self, *labels: str) -> list[Mention]:
        """Return the mentions with these labels, in the order of the text."""
        if len(labels) == 1:
            return [*self._by_label.get(labels[0], ())]
        found = [self._by_label[label] for label in labels if label in self._by_label]
        return sorted(chain(*found)) if len(found) > 1 else found[0].copy() if found else []

    @property
    def labels(self) -> Set[str]:
        """The labels that mentions have."""
        return self._by_label.keys()

    @cached_property
    def _by_label(self) -> dict[str, list[Mention]]:
        sorted_out: dict[str, list[Mention]] = {}
        for mention in sorted(self.mentions):
            sorted_out.setdefault(mention.label, []).append(mention)
        return sorted_out

    def around(self, mention: Mention, before: int, after: int) -> tuple[str, str]:
        """Return what stands before and after a mention, so many characters of each."""
        number, start, end, _, _ = mention
        text = self.documents[number].text
        return text[start - before if start > before else 0 : start], text[end : end + after]

    def before(self, mention: Mention, characters: int = 40) -> str:
        """Return what stands before a mention."""
        start = mention.start
        return self.documents[mention.note].text[start - characters if start > characters else 0 : start]

    def after(self, mention: Mention, characters: int = 40) -> str:
        """Return what stands after a mention."""
        return self.documents[mention.note].text[mention.end : mention.end + characters]


class _Words(Set[str]):
    """The words of a text in which nothing but spaces stands between them, looked for in the text itself.

    A note asks for some twenty words: to find these takes less time than to gather the five hundred it has.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word in self._text and word.isalnum() and f" {word} " in self._text

    def __iter__(self) -> Iterator[str]:
        return iter(frozenset(self._text.split()))

    def __len__(self) -> int:
        return len(frozenset(self._text.split()))

    @classmethod
    def _from_iterable(cls, words: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        return frozenset(words)


def _spaced(text: str) -> str:
    """Return a text, folded, with spaces for all that is neither letter nor digit."""
    if text.isascii():
        return text.encode("ascii").translate(_FOLDED).decode("ascii")
    plain = folded(text)
    for sign in set(plain):  # one replacement for each sign is faster than a pattern
        if not sign.isalnum():
            plain = plain.replace(sign, " ")
    return plain


def owner(document: Document) -> str:
    """Name whose note it is; without a patient each note is its own."""
    return f"note {document.id}" if document.patient_id is None else f"patient {document.patient_id}"


folded = str.casefold
"""A text as originals are compared: without regard to case."""


def assign(
    originals: Iterable[Original],
    candidate: Callable[[Original, int], str],
    *,
    keyed: Keyed,
    refused: Callable[[str], bool],
) -> dict[Original, str]:
    """Give each original a surrogate of its own: its first candidate that is neither refused nor taken.

    ``candidate(original, turn)`` is a pure function. All originals are served their first candidate before
    any is served its second, and of two that want the same one the key says which gets it, so where they
    stand in the notes does not matter; as long as the first candidates of different originals differ and few
    are refused, an original's surrogate does not depend on which others are at hand.
    Originals are plain values, whose repr is the same in every process.
    """
    taken: set[str] = set()
    made: dict[Original, str] = {}
    waiting = list(set(originals))
    if not waiting:
        return made
    for turn in range(_TURNS):
        left: list[Original] = []
        served: dict[str, Original] = {}
        for original in waiting:
            choice = candidate(original, turn)
            wanted = folded(choice)
            if wanted in taken or refused(choice):
                left.append(original)
                continue
            rival = served.get(wanted)
            if rival is not None:
                loser = max(original, rival, key=lambda one: keyed.digest(f"serve {one!r}"))
                left.append(loser)
                if loser == original:
                    continue
                del made[rival]
            served[wanted] = original
            made[original] = choice
        if not left:
            return made
        taken.update(served)
        waiting = left
    raise DataError("no surrogate is left for an identifier: too many different ones in one patient")
