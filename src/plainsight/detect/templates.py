"""The templates detector: rules harvested from a site's own sentences (S139-S145).

A rule is a whole sentence whose identifiers are slots::

    Electronically signed by {{DOCTOR|W W}}, MD on {{DATE|N/N/N}}

``W`` stands for one word of letters, ``N`` for digits, ``A`` for letters and digits together; every other
sign stands for itself, and white space for any white space. A rule fires only where all of a sentence
matches, and claims each slot. `plainsight.site.harvest` makes the rules.

Matching is by the syntax of the sentence: its words become W, N or A, and one dictionary knows for each such
syntax which words of its rules are fixed; a second one finds the rule by those words. So the time for a
sentence hardly depends on the number of rules.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plainsight.detect.learned import ModelLabels
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.labels import LABELS, OPTIONAL_LABELS
from plainsight.note_cache import forgets_with
from plainsight.text.lines import bare_sentences
from plainsight.text.shadow import shadow
from plainsight.text.word_lists import is_ordinary

FORMAT = "plainsight templates 1"
"""The first entry of a file of rules."""

_KINDS = bytes(
    b"a0 "[0] if chr(c).isalpha() and c < 128
    else b"a0 "[1] if chr(c).isdigit() and c < 128
    else b"a0 "[2] if chr(c).isspace()
    else c
    for c in range(256)
)  # fmt: skip
_UNIT = re.compile(rb"[a0]+")
_IS_SIGN = np.array([c not in b"a0 " for c in range(256)])
_LETTERS, _DIGITS, _SPACES = (re.compile(run) for run in (rb"aa+", rb"00+", rb"  +"))
_SHORT = 500  # characters: array operations do not pay for texts below this length
_MIXED = re.compile(rb"(?:a0|0a)[a0]*")
_SYNTAX = bytes.maketrans(b"a0", b"WN")
_UNITS = bytes.maketrans(b"WNA", b"a00")
_SLOT = re.compile(r"\{\{(\w+)\|([^{}|]+)\}\}")
_CUT = re.compile(rb"[a0]{2}")
_GAP = re.compile(r"\s\s+|[^\S ]")
_CLASS = re.compile(r"[WNA]")
_SAMPLES = {"W": "a", "N": "0", "A": "a0"}
_KNOWN_LABELS = frozenset((*LABELS, *OPTIONAL_LABELS))


class Slot(NamedTuple):
    """A stretch of a sentence that is an identifier.

    It reaches from the word ``first`` to the word ``last``, counted from 0, and ``lead`` and ``tail``
    characters further.
    """

    label: str
    first: int
    last: int
    lead: int
    tail: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A template with its evidence.

    ``support`` counts the sentences in which the ensemble found exactly these identifiers, ``missed`` those
    that match but in which it found fewer, ``patients`` the patients (or notes, if no patient is known) that
    they belong to. ``examples`` are ids of notes with offsets, never text.
    """

    template: str
    support: int = 0
    patients: int = 0
    missed: int = 0
    examples: tuple[tuple[str, int], ...] = ()

    @property
    def id(self) -> str:
        """A short name, the same wherever the template is found."""
        return hashlib.blake2b(self.template.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()

    @property
    def score(self) -> float:
        """How probable it is that a slot is an identifier."""
        return round((self.support + 0.5) / (self.support + self.missed + 1), 4)

    def to_json(self) -> dict[str, Any]:
        """Return the rule as it stands in a file."""
        record = {"template": self.template, "support": self.support, "patients": self.patients}
        return record | {"missed": self.missed, "examples": [list(example) for example in self.examples]}

    @classmethod
    def from_json(cls, record: Any) -> Rule:
        """Read a rule of a file."""
        try:
            examples = tuple((str(note), int(start)) for note, start in record["examples"])
            template, support = record["template"], record["support"]
            patients, missed = record["patients"], record["missed"]
        except (KeyError, TypeError, ValueError):
            raise DataError("a rule has template, support, patients, missed and examples") from None
        if not isinstance(template, str) or not all(
            type(count) is int and count >= 0 for count in (support, patients, missed)
        ):
            raise DataError("a rule has a text as template and whole numbers as counts")
        return cls(template, support, patients, missed, examples)


class Form(NamedTuple):
    """A template taken apart: the syntax of its sentence, its slots and its fixed words."""

    syntax: bytes
    slots: tuple[Slot, ...]
    fixed: tuple[tuple[int, str], ...]
    """The number of each fixed word, and the word."""


def kinds(text: str) -> bytes:
    """Return a byte for each character: ``a`` for letters, ``0`` for digits, a space, or the sign itself."""
    return shadow(text).translate(_KINDS)


def syntax(view: bytes) -> bytes:
    """Return the syntax of a sentence, given its `kinds`: words as W, N or A, runs of spaces as one.

    >>> syntax(kinds("MRN 12-B4 of  Zoë"))
    b'W N-A W W'
    """
    if len(view) < _SHORT:
        short = _SPACES.sub(b" ", _DIGITS.sub(b"0", _LETTERS.sub(b"a", view)))
    else:
        short = _without_runs(view)
    if b"a0" in short or b"0a" in short:
        short = _MIXED.sub(b"A", short)
    return short.translate(_SYNTAX)


def _signs(view: bytes) -> bytes:
    """Return the signs of a sentence, given its `kinds`, and ``0`` for the numbers between two of them.

    Sentences of the same syntax have the same signs, which are found in a third of the time.
    """
    return _DIGITS.sub(b"0", view.translate(None, b"a "))


def _without_runs(view: bytes) -> bytes:
    """Return the first of each run of letters, digits or spaces, and all signs."""
    codes = np.frombuffer(view, np.uint8)
    stays = np.ones(len(codes), bool)
    np.not_equal(codes[1:], codes[:-1], out=stays[1:])
    kept: bytes = codes[stays | _IS_SIGN[codes]].tobytes()
    return kept


def unit_edges(view: bytes) -> list[tuple[int, int]]:
    """Return the offsets of the words of a sentence, given its `kinds`: runs of letters and digits."""
    return [match.span() for match in _UNIT.finditer(view)]


def template_of(text: str, marks: Sequence[tuple[int, int, str]]) -> str | None:
    """Return the template of a sentence whose marks are slots; None for marks that cannot be slots.

    >>> template_of("Seen by Dr. Ng on 3/4.", [(12, 14, "DOCTOR"), (18, 21, "DATE")])
    'Seen by Dr. {{DOCTOR|W}} on {{DATE|N/N}}.'
    """
    if "{" in text or "}" in text:
        return None
    view = kinds(text)
    parts: list[str] = []
    at = 0
    for start, end, label in marks:
        slot = syntax(view[start:end]).decode("ascii")
        cut = _CUT.match(view[start - 1 : start + 1]) or _CUT.match(view[end - 1 : end + 1])
        if cut or "|" in slot or not _sample(slot):
            return None
        parts += [_one_spaced(text[at:start]), f"{{{{{label}|{slot}}}}}"]
        at = end
    return "".join((*parts, _one_spaced(text[at:])))


def _one_spaced(text: str) -> str:
    return _GAP.sub(" ", text)


@cache  # not note text, and few differ
def _sample(pattern: str) -> str:
    """Return words that fit a slot, or nothing if the slot is damaged."""
    sample = _CLASS.sub(lambda sign: _SAMPLES[sign[0]], pattern)
    fits = syntax(kinds(sample)) == pattern.encode("ascii", "replace") and sample.strip(" ") == sample
    return sample if fits and any(map(str.isalnum, sample)) else ""


def form_of(template: str) -> Form:
    """Take a template apart; raise `DataError` for one that is damaged."""
    text, marks, at = "", list[tuple[int, int, str]](), 0
    for slot in _SLOT.finditer(template):
        label, pattern = slot.groups()
        sample = _sample(pattern) if label in _KNOWN_LABELS else ""
        if not sample:
            raise DataError("a template has a damaged slot")
        text += template[at : slot.start()]
        marks.append((len(text), len(text) + len(sample), label))
        text += sample
        at = slot.end()
    text += template[at:]
    view = kinds(text)
    edges = unit_edges(view)
    slots, taken = list[Slot](), set[int]()
    for start, end, label in marks:
        first = bisect_right(edges, start, key=itemgetter(1))
        last = bisect_left(edges, end, key=itemgetter(0)) - 1
        lead, tail = edges[first][0] - start, end - edges[last][1]
        if lead < 0 or tail < 0:
            raise DataError("a template has a slot that is part of a word")
        slots.append(Slot(label, first, last, lead, tail))
        taken.update(range(first, last + 1))
    if not slots or "{{" in text or text != text.strip():
        raise DataError("a template has no slot, or one that cannot be read")
    fixed = tuple((number, text[a:b]) for number, (a, b) in enumerate(edges) if number not in taken)
    return Form(syntax(view), tuple(slots), fixed)


class Match(NamedTuple):
    """A sentence that a rule explains: its offsets in the text, the rule, and the spans of its slots."""

    start: int
    end: int
    rule: Rule
    spans: tuple[Span, ...]


_Patterns = dict[tuple[int, ...], dict[tuple[str, ...], list[tuple[Rule, Form]]]]
"""The rules of one syntax: by the places of their fixed words, then by these words."""


class Matcher:
    """Many rules, ready to be matched against sentences."""

    def __init__(self, rules: Iterable[Rule], *, source: str = "templates") -> None:
        self._source = source
        self._patterns: dict[bytes, _Patterns] = {}
        for number, rule in enumerate(rules, start=1):
            try:
                form = form_of(rule.template)
            except DataError as error:
                raise DataError(f"rule {number}: {error}") from None
            places, words = zip(*form.fixed, strict=True) if form.fixed else ((), ())
            pattern = self._patterns.setdefault(form.syntax, {}).setdefault(places, {})
            pattern.setdefault(words, []).append((rule, form))
        self._signs = {_signs(form.translate(_UNITS)) for form in self._patterns}

    def in_note(self, text: str) -> Iterator[Match]:
        """Yield every match of a whole sentence of a note, in order."""
        edges = bare_sentences(text)
        if not edges or not self._patterns:
            return
        view = kinds(text)
        # All sentences of a note at once, one a line: patterns are faster on one long text.
        sentences = [view[start:end] for start, end in edges]
        signs = _signs(b"\n".join(sentences)).split(b"\n")
        likely = [number for number, own in enumerate(signs) if own in self._signs]
        forms = syntax(b"\n".join([sentences[number] for number in likely])).split(b"\n")
        for number, form in zip(likely, forms, strict=False):  # of nothing, there is one empty form
            if patterns := self._patterns.get(form):
                yield from self._matches(text, view, *edges[number], patterns)

    def in_sentence(self, sentence: str) -> list[Match]:
        """Return the matches of one sentence, which has no white space around it."""
        view = kinds(sentence)
        patterns = self._patterns.get(syntax(view))
        return list(self._matches(sentence, view, 0, len(sentence), patterns)) if patterns else []

    def _matches(self, text: str, view: bytes, start: int, end: int, patterns: _Patterns) -> Iterator[Match]:
        edges = [(start + a, start + b) for a, b in unit_edges(view[start:end])]
        words = [text[a:b] for a, b in edges]
        for places, rules in patterns.items():
            for rule, form in rules.get(tuple([words[place] for place in places]), ()):
                if not any(_is_wording(words[slot.first : slot.last + 1]) for slot in form.slots):
                    yield Match(start, end, rule, self._spans(rule, form, edges))

    def _spans(self, rule: Rule, form: Form, edges: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
        source, score = f"{self._source}.{rule.id}", rule.score
        return tuple(
            Span(edges[slot.first][0] - slot.lead, edges[slot.last][1] + slot.tail, slot.label, score, source)
            for slot in form.slots
        )


def _is_wording(words: Sequence[str]) -> bool:
    """Whether a slot holds only ordinary words in small letters: ``signed by the resident``."""
    return all(word.islower() and is_ordinary(shadow(word)) for word in words)


def read_file(path: str | Path) -> dict[str, Any]:
    """Return what a file of rules holds; refuse one that is missing, damaged or of another kind."""
    path = Path(path)
    try:
        content = json.loads(path.read_bytes())
    except OSError:
        raise UsageError(f"no file of templates at {path}: `plainsight site harvest` makes one") from None
    except (ValueError, RecursionError):
        raise DataError(f"{path} is damaged: it is not JSON") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DataError(f"{path}: not a file of templates of this version")
    if not isinstance(content.get("rules"), list):
        raise DataError(f"{path} is damaged: it has no list of rules")
    return content


def read_rules(path: str | Path) -> list[Rule]:
    """Return the rules of a file; `Matcher` checks their templates."""
    rules = []
    for number, record in enumerate(read_file(path)["rules"], start=1):
        try:
            rules.append(Rule.from_json(record))
        except DataError as error:
            raise DataError(f"{path}: rule {number}: {error}") from None
    return rules


class Templates:
    """Find identifiers by a site's own templates.

    ``rules`` is a file that ``plainsight site harvest`` wrote.
    """

    name: ClassVar[str] = "templates"
    labels = ModelLabels()

    def __init__(self, *, rules: str = "") -> None:
        self.rules = rules
        self.forget()
        forgets_with(self)

    def forget(self) -> None:
        """Forget the matches that `explained` found."""
        self._explained: dict[str, list[Match]] = {}

    @cached_property
    def _rules(self) -> list[Rule]:
        if not self.rules:
            raise UsageError("templates have no rules of their own: name a file with rules = ...")
        return read_rules(self.rules)

    @cached_property
    def _matcher(self) -> Matcher:
        rules = self._rules
        try:
            return Matcher(rules, source=self.name)
        except DataError as error:
            raise DataError(f"{self.rules}: {error}") from None

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The labels of all rules."""
        _ = self._matcher  # refuse a damaged file when the policy is read
        return {
            "labels": sorted({label for rule in self._rules for label, _ in _SLOT.findall(rule.template)})
        }

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return [
            sorted({span for match in self._matches(document.text) for span in match.spans})
            for document in documents
        ]

    def explained(self, document: Document) -> list[tuple[int, int]]:
        """Return the sentences of a note that rules explain whole: nothing else in them is an identifier."""
        matches = self._explained[document.text] = self._matches(document.text)
        return [(match.start, match.end) for match in matches]

    def _matches(self, text: str) -> list[Match]:
        """Return the matches in a note; those that `explained` found are taken from there."""
        known = self._explained.pop(text, None)
        return list(self._matcher.in_note(text)) if known is None else known
