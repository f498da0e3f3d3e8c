"""Find people by initials in a form that means a person, and by logins made of their names."""

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
_SURNAME = re.compile(rb"[ \t]?[A-Z][a-z]")
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
        for token in tokens if self._logins else ():
            if token in self._logins or token.rstrip(_DIGITS) in self._logins:
                for start in occurrences(view, token):
                    end = start + len(token)
                    if b"@" not in (view.text[start - 1 : start], view.text[end : end + 1]):
                        yield Claim(start, end, "USERNAME", 0.85, "login")

    def _find_dotted(self, text: bytes) -> Iterator[Claim]:
        """Yield initials with full stops, unless a surname follows: then they are part of a name."""
        for match in _DOTTED.finditer(text):
            start, end = match.span()
            letters = match.group().translate(None, b". ").lower()
            person = self._dotted.get(letters)
            before, after = text[start - 1 : start], text[end : end + 3]
            glued = before.isalnum() or before == b"." or after[:1].isalnum()
            if person and letters not in _DOTTED_WORDS and not glued and not _SURNAME.match(after):
                yield Claim(start, end, person.label, 0.8, "initials")

    def _find_signed(self, text: bytes) -> Iterator[Claim]:
        """Yield initials that sign something; of an author's and a typist's, the author's."""
        for match in _SIGNED.finditer(text):
            found = match.group()
            *_, place = places = list(_LETTERS.finditer(found))
            pair = b":" in found or b"/" in found[1:]
            if pair and not found.lstrip().startswith((b"w/", b"cc")):
                place = places[0]
            letters = place.group().lower()
            person = self._signed.get(letters)
            # AC/hs inside a line is a time of day
            timed = pair and place is places[0] and len(letters) == 2 and found[:1] in b" \t"
            if person and letters not in _NOT_INITIALS and not (timed and place.group().isupper()):
                start = match.start() + place.start()
                yield Claim(start, start + len(letters), person.label, 0.7, "initials")


def _logins(person: Person) -> set[bytes]:
    """Return the logins made of a name, without digits: jsmith, jqsmith, smithj, johnsmith, johns."""
    given = [word for word, kind in person.words.items() if kind & Kind.GIVEN and not kind & Kind.SURNAME]
    surnames = [word for word, kind in person.words.items() if kind & Kind.SURNAME]
    made: set[bytes] = set()
    for surname in surnames:
        for letters in person.initials:
            made |= {letters[:1] + surname, surname + letters[:1], letters[:-1] + surname}
        for first in given:
            made |= {first + surname, surname + first, first + surname[:1]}
    return made
