"""Tell the names of providers from those of patients, relatives and others.

A detector labels each mention by itself and sometimes errs: a nurse called by the first name looks like a
relative, a relative who signs a form like a doctor. Whoever keeps providers must keep or replace a person as
a whole. So mentions are linked into people, and the person decides:

1. Names of two words or more are people. A shorter form belongs to those that have its words and letters.
2. Labels, titles, credentials and professions (``Dr.``, ``RN``, ``Attending:``) speak for a provider;
   relations (``her son``), other roles (``his pastor``), the patient's header and record speak against it.
3. Whoever is a relative, is one, provider or not. What stays undecided counts as no provider: it is replaced.
4. A label alone is not enough: a detected name must show a sign somewhere, as a title, ``per``, ``paged``, or
   a line of its own in which it signs. What a detector takes for a patient's name here goes, whoever it is.
5. A first name or surname that the patient or a relative has, too, needs its title. A first name that nobody
   else has stays in no case: a child may be called "Doctor Ife".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from plainsight.document import Document, Patient, Span
from plainsight.locale import default_locale, one_of
from plainsight.text.spelling import SHORTEST, one_slip

NAMES = frozenset({"PATIENT", "DOCTOR"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BEFORE, _AFTER = 48, 40
_CUE = 2.0


@dataclass(slots=True, repr=False)
class _Person:
    """Somebody with a full name: its words, its first letters, and what speaks for a provider."""

    words: set[str]
    letters: str
    surname: str
    evidence: float = 0.0
    relative: bool = False
    titled: bool = False
    signed: bool = False
    detected: bool = False
    recorded: bool = False
    notes: set[int] = field(default_factory=set)

    @property
    def provider(self) -> bool:
        return self.evidence > 0 and not self.relative


@dataclass(slots=True, repr=False)
class _Mention:
    """One name where it stands. ``titled``, ``signed`` and ``relative`` are what the words around it say."""

    note: int
    span: Span
    words: tuple[str, ...]
    letters: str
    comma: bool
    titled: bool
    signed: bool
    relative: bool

    @property
    def evidence(self) -> float:
        """What speaks for a provider; a title less so where the detector saw it and did not believe it."""
        if self.span.label == "DOCTOR":
            return self.span.score + _CUE * self.titled
        return -self.span.score + 0.5 * self.titled


def name_labels(documents: Sequence[Document]) -> list[dict[Span, str]]:
    """Return, for each note of one patient, the label that each name should have.

    DOCTOR is a provider who is no relative, USERNAME a login that looks like a name, PATIENT anybody else.
    """
    mentions = [
        _mention(place, document.text, span)
        for place, document in enumerate(documents)
        for span in document.spans
        if span.label in NAMES
    ]
    people = _people(mentions)
    _ask_record(people, next((document.patient for document in documents if document.patient), None))
    _join_families(people)
    alone: dict[tuple[str, ...], list[_Mention]] = defaultdict(list)
    for mention in mentions:
        alone[mention.words].append(mention)
    labels: list[dict[Span, str]] = [{} for _ in documents]
    for mention in mentions:
        alike = alone[mention.words]
        provider = _is_provider(mention, people, alike) and _shows_sign(mention, people, alike)
        label = "DOCTOR" if provider else "PATIENT"
        labels[mention.note][mention.span] = "USERNAME" if _is_login(mention, people) else label
    return labels


def _mention(note: int, text: str, span: Span) -> _Mention:
    inside = text[span.start : span.end]
    found = [word.lower() for word in _WORD.findall(inside)]
    words = tuple(word for word in found if len(word) > 1)
    letters = "".join(word[0] for word in found)
    if len(words) == 1 == len(found) and len(inside) <= 3 and (inside.isupper() or inside.islower()):
        words, letters = (), inside.lower()  # initials
    before = text[max(0, span.start - _BEFORE) : span.start]
    after = text[span.end : span.end + _AFTER]
    cues = _cues()
    titled = bool(cues.provider_before.search(before) or cues.provider_after.match(after))
    related = cues.relative_before.search(before)
    # A list may name a relative and then a doctor: husband, Dr. Lee.
    listed = titled and span.label == "DOCTOR" and related is not None and bool(re.search("[,:]", related[0]))
    relative = (related is not None and not listed) or cues.relative_after.match(after) is not None
    if span.label == "PATIENT" and cues.patient_before.search(before):
        relative = True
    if titled and not words:  # Dr. Do
        words, letters = (letters,), letters[:1]
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    alone = not line.strip() and not after.partition("\n")[0].strip(" ,.")
    signed = titled or alone or bool(cues.sign_before.search(before) or cues.sign_after.match(after))
    return _Mention(note, span, words, letters, "," in inside, titled, signed, relative)


# --- people -------------------------------------------------------------------------------------------------


def _people(mentions: Iterable[_Mention]) -> list[_Person]:
    """Return everybody who stands somewhere with two words, or a letter and a word."""
    people: list[_Person] = []
    full = [mention for mention in mentions if mention.words and len(mention.letters) > 1]
    for mention in sorted(full, key=lambda one: (-len(one.words), -len(one.letters), one.words)):
        known = [person for person in people if _fits(mention, person)]
        surname = mention.words[0] if mention.comma else mention.words[-1]
        if not mention.comma and mention.letters[-1] != surname[0]:
            surname = ""  # Amy W.
        words = {*mention.words, *_joined(mention.words)}
        letters = mention.letters[1:] + mention.letters[0] if mention.comma else mention.letters
        person = known[0] if known else _Person(words, letters, surname)
        if not known:
            people.append(person)
        person.evidence += mention.evidence
        person.relative |= mention.relative
        person.titled |= mention.titled
        person.signed |= mention.signed
        person.detected |= bool(mention.span.source)
        person.notes.add(mention.note)
    return people


def _join_families(people: Sequence[_Person]) -> None:
    """Take a detected name without a title that has the surname of a family for one of the family."""
    family = {person.surname for person in people if not person.provider} - {""}
    for person in people:
        if person.provider and person.detected and not person.titled and not person.recorded:
            person.relative = person.surname in family


def _joined(words: Sequence[str]) -> list[str]:
    """Return neighbours as one word: Pa Houa is Pahoua, too."""
    return [first + second for first, second in pairwise(words)]


def _fits(mention: _Mention, person: _Person) -> bool:
    """Whether a form has only words and letters of a person."""
    if not person.words.issuperset(mention.words):
        return False
    letters = list(person.letters)
    for letter in mention.letters:
        if letter not in letters:
            return False
        letters.remove(letter)
    return True


def _ask_record(people: Sequence[_Person], patient: Patient | None) -> None:
    """Let the patient's record say who is who."""
    if patient is None:
        return
    for names, relative in ((patient.providers, False), (patient.names + patient.relatives, True)):
        for name in names:
            words = {word for word in map(str.lower, _WORD.findall(name)) if len(word) > 1}
            for person in people:
                if len(words & person.words) > 1:
                    person.relative |= relative
                    person.evidence += 0 if relative else 10 * _CUE
                    person.recorded = True


# --- roles --------------------------------------------------------------------------------------------------


def _is_provider(mention: _Mention, people: Sequence[_Person], alike: Sequence[_Mention]) -> bool:
    """Whether a mention names a provider who is no relative."""
    if not mention.span.source and (not mention.words or len(mention.letters) == 1):
        return mention.span.label == "DOCTOR" and not mention.relative  # marked by a person, who knew
    if not mention.words:
        return _initials_of_provider(mention, people)
    fitting = [person for person in people if _fits(mention, person)]
    if mention.span.source and mention.span.label == "PATIENT" and not any(p.recorded for p in fitting):
        return False
    if len(mention.letters) > 1 and fitting:
        return all(person.provider for person in fitting)
    if not fitting and len(mention.words[0]) >= SHORTEST:  # a misspelling
        fitting = [p for p in people if any(one_slip(mention.words[0], word) for word in p.words)]
    if mention.relative:
        return False
    if not fitting:  # this word is all that is known of the person
        return not any(one.relative for one in alike) and sum(one.evidence for one in alike) > 0
    if mention.titled or any(one.span.label != "DOCTOR" for one in alike):
        return mention.titled and not _only_given_in_family(mention.words[0], fitting)
    return all(person.provider for person in fitting)  # if a relative has this word, too, only a title tells


def _only_given_in_family(word: str, fitting: Sequence[_Person]) -> bool:
    """Whether a word is a first name of the patient or a relative, and no name of anybody else."""
    return bool(fitting) and not any(person.provider or person.surname == word for person in fitting)


def _shows_sign(mention: _Mention, people: Sequence[_Person], alike: Sequence[_Mention]) -> bool:
    """Whether anything but the label of a detected name speaks for a provider."""
    if not mention.span.source or not mention.words or any(one.signed for one in alike):
        return True
    return any(person.signed or person.recorded for person in people if _fits(mention, person))


def _is_login(mention: _Mention, people: Sequence[_Person]) -> bool:
    """Whether a detected word is a letter and the beginning of a surname: ``kbishop``, or ``mdo`` for Do."""
    if not mention.span.source or len(mention.words) > 1:
        return False
    word = mention.words[0] if mention.words else mention.letters
    return len(word) > 2 and any(
        person.letters.startswith(word[0])
        and (person.surname.startswith(word[1:]) if len(word) > 3 else person.surname == word[1:])
        and word not in person.words
        for person in people
    )


def _initials_of_provider(mention: _Mention, people: Sequence[_Person]) -> bool:
    if mention.relative or mention.span.label != "DOCTOR":
        return False
    fitting = [
        person
        for person in people
        if person.letters.startswith(mention.letters[:1]) and _fits(mention, person)
    ]
    return not fitting or any(person.provider for person in fitting)


# --- cues ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cues:
    provider_before: re.Pattern[str]
    provider_after: re.Pattern[str]
    sign_before: re.Pattern[str]
    sign_after: re.Pattern[str]
    relative_before: re.Pattern[str]
    relative_after: re.Pattern[str]
    patient_before: re.Pattern[str]


def _with_stops(credential: str) -> str:
    """Return a pattern of a credential, with stops or without: ``M.D.`` is an ``MD``."""
    letters = credential.isalpha() and len(credential) < 5
    return r"\.?".join(credential) if letters else re.escape(credential).replace("_", "[ -]")


@cache
def _cues() -> _Cues:
    """Return the patterns of the words around names."""
    locale = default_locale()
    words = {key: one_of(locale.words("roles", key)).replace("_", "[ -]") for key in locale.table("roles")}
    credentials = "|".join(map(_with_stops, locale.words("roles", "provider_after")))
    close = r"[ \t]*[\"“('‘]?[ \t]*"
    whose = r"(?:(?:his|her|their|the|my|pt'?s|patient'?s)[ \t]+)?"
    title = r"(?:(?:mr|mrs|ms|miss|dr)\.? )?"
    others = (
        rf"(?:{words['others']}|(?:his|her|their|pt'?s|patient'?s)(?: [a-z]+)? {words['others_of_patient']})"
    )
    return _Cues(
        provider_before=re.compile(
            rf"\b(?:(?:{words['provider_before']}|(?-i:{words['provider_before_capitals']}))\.?[:,]?{close}"
            rf"|{words['provider_headers']}:[ \t]*)\Z",
            re.I,
        ),
        provider_after=re.compile(
            r"[ \t]*[,(/][ \t]*(?:[A-Z][A-Za-z-]{1,5}[,/ ]+){0,2}"  # MS, CEP
            rf"(?i:{credentials}|{words['provider_after_comma']})\b(?!')"
            rf"|[ \t]+(?:(?i:{credentials})|{words['provider_after_comma'].upper()})\b(?!')"
        ),
        sign_before=re.compile(
            rf"(?:\b(?:{words['provider_signs']}|(?-i:PA))(?: (?:with|to|by|from|given to|w/))?[ \t:,(]*"
            r"(?:\d[\d/.-]+[ \t]+|(?:mr|mrs|ms|miss)\.? )?"
            r"|(?:--|[—/~-])[ \t]*)\Z",
            re.I,
        ),
        sign_after=re.compile(
            r"[ \t]*[,(][ \t]*(?:the|our|staff)[ \t]+(?:[a-z-]+[ \t]+){0,2}"
            rf"{words['provider_before']}\b(?!')|[ \t]+(?:aware|paged|covers)\b",
            re.I,
        ),
        relative_before=re.compile(
            rf"\b(?:{words['relations']}(?:[- ]in[- ]law)?|{others}\.?)"
            rf"(?: is| was| named|,|:| -|/)?{close}{title}\Z",
            re.I,
        ),
        relative_after=re.compile(
            rf"[ \t]*[,(/-][ \t]*(?:an?[ \t]+)?{whose}(?:[a-z]+ )?"
            rf"(?:{words['relations']}|{words['others']})\b(?!')"
            r"|[ \t]+(?:from|at)[ \t]+(?:work|church|school|hr|human resources)\b"
            r"|(?:, [a-z-]{2,7})?,? (?:is|was) (?:his|her|their|the patient's|pt's) (?:[a-z]+ )?"
            rf"{words['relations']}\b",
            re.I,
        ),
        patient_before=re.compile(rf"\b{words['patient_before']}(?: name)?[ \t]*:[ \t]*\Z", re.I),
    )
