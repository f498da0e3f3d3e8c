"""Find people by their initials, only where the form is strong, and by the logins made of their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import re2

from plainsight.detect.patient.people import Kind, Person
from plainsight.detect.patient.view import Claim, View, occurrences
from plainsight.locale import default_locale
from plainsight.text.word_lists import is_ordinary

_DOTTED = re2.compile(rb"[A-Z]\. ?[A-Z]\.(?: ?[A-Z]\.)?")
_SIGNED = re2.compile(
    rb"(?m)(?:-|\t|  )[ \t]*[A-Za-z]{2,3}[ \t]*$"  # at the end of a line, after a dash or a gap
    rb"|(?:^|[ \t(])[A-Za-z]{2,3}[/:][a-z]{2,3}(?:$|[ \t,)])"  # author and typist
    rb"|(?:\bper|\bw/|\bcc:?|\binitialed|\binitialled|\binitials:?|\bsigned:?) [A-Z]{2,3}\b"
)
_LETTERS = re.compile(rb"(?<![A-Za-z])[A-Za-z]{2,3}(?![A-Za-z])")
_words = default_locale().word_sets("record_cues")
_NOT_INITIALS, _DOTTED_WORDS = _words["not_initials"], _words["dotted_words"]

_DIGITS = b"0123456789"


class Initials:
    """The initials and likely logins of a record's people."""

    def __init__(self, people: Iterable[Person], emails: Iterable[str] = ()) -> None:
        self._dotted: dict[bytes, Person] = {}
        self._signed: dict[bytes, Person] = {}
        logins: set[bytes] = set()
        for person in people:
            for letters in person.initials:
                self._dotted.setdefault(letters, person)
                self._dotted.setdefault(letters[:1] + letters[-1:], person)
                self._signed.setdefault(letters, person)
                if person.label == "DOCTOR":
                    self._signed.setdefault(letters[:1] + letters[-1:], person)
            logins |= _logins(person)
        for email in emails:
            local = email.partition("@")[0].lower()
            if local.isascii() and local.isalnum():
                logins.add(local.encode().rstrip(_DIGITS))
        self._logins = frozenset(login for login in logins if len(login) > 4 and not is_ordinary(login))

    def find(self, view: View, tokens: set[bytes]) -> Iterator[Claim]:
        """Yield initials and logins."""
        if self._dotted:
            yield from self._find_dotted(view.text)
            yield from self._find_signed(view.text)
        if self._logins:
            known = self._logins
            numbered = [token for token in tokens if token[-1] < 58 and token.rstrip(_DIGITS) in known]
            for token in [*numbered, *tokens.intersection(known)]:
                for start in occurrences(view, token):
                    if b"@" not in view.text[start - 1 : start] + view.text[start + len(token) :][:1]:
                        yield Claim(start, start + len(token), "USERNAME", 0.85, "login")

    def _find_dotted(self, text: bytes) -> Iterator[Claim]:
        for match in _DOTTED.finditer(text):
            start, end = match.span()
            letters = match.group().translate(None, b". ").lower()
            person = self._dotted.get(letters)
            if person is None or letters in _DOTTED_WORDS:
                continue
            if (
                text[start - 1 : start].isalnum()
                or text[start - 1 : start] == b"."
                or text[end : end + 1].isalnum()
            ):
                continue
            if re.match(rb"[ \t]?[A-Z][a-z]", text[end : end + 3]):
                continue  # the surname follows: that is a name
            yield Claim(start, end, person.label, 0.8, "initials")

    def _find_signed(self, text: bytes) -> Iterator[Claim]:
        for match in _SIGNED.finditer(text):
            found = match.group()
            first = _LETTERS.search(found) if b":" in found or b"/" in found[1:] else None
            place = first if first and not found.lstrip().startswith((b"w/", b"cc")) else _last(found)
            letters = place.group().lower()
            person = self._signed.get(letters)
            if person is None or letters in _NOT_INITIALS:
                continue
            if len(letters) == 2 and place is first and found[:1] in b" \t" and place.group().isupper():
                continue  # AC/hs inside a line
            start = match.start() + place.start()
            yield Claim(start, start + len(letters), person.label, 0.7, "initials")


def _last(found: bytes) -> re.Match[bytes]:
    *_, last = _LETTERS.finditer(found)
    return last


def _logins(person: Person) -> set[bytes]:
    """Return the login forms of a name, without digits: jsmith, jqsmith, smithj, johnsmith, johns."""
    given = [word for word, kind in person.words.items() if kind & Kind.GIVEN and not kind & Kind.SURNAME]
    surnames = [word for word, kind in person.words.items() if kind & Kind.SURNAME]
    made: set[bytes] = set()
    for surname in surnames:
        for letters in person.initials:
            made |= {letters[:1] + surname, surname + letters[:1], letters[:-1] + surname}
        for first in given:
            made |= {first + surname, surname + first, first + surname[:1]}
    return made
