"""People: surrogates for the names of patients, relatives and providers.

Every distinct name word of a scope gets one surrogate word, so full, partial, reversed and hyphenated forms
agree by construction, and a family keeps sharing its surname. Nicknames, slips of the pen and initials follow
the word they stand for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.initials import READ_AS_WORDS, STEPS, Letters
from plainsight.replace.surrogate.names.link import DOCTOR, PARTICLE, PATIENT, Known, Persons, follow, is_name
from plainsight.replace.surrogate.names.parse import normal
from plainsight.replace.surrogate.names.reading import KEPT, Read, Reading
from plainsight.replace.surrogate.names.render import cased, write
from plainsight.replace.surrogate.names.roles import GIVEN, SURNAME
from plainsight.replace.surrogate.names.words import Words
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded
from plainsight.replace.surrogate.shape import scramble

__all__ = ["People", "Person"]


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """Somebody of a scope: given names and surnames, the original words and the surrogates in their places.

    All are in plain small letters; a single letter is an initial.
    """

    side: str
    given: tuple[str, ...]
    surname: tuple[str, ...]
    new_given: tuple[str, ...]
    new_surname: tuple[str, ...]


class People:
    """The people of one scope and their surrogates."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def read(self) -> None:
        """Read the names now, not when they are first asked for."""
        self._reading  # noqa: B018 - kept from now on

    def draw(self) -> None:
        """Draw all words now, not when they are first asked for."""
        self._words.draw()

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention, in its own form."""
        return [self._surrogate(mention) for mention in mentions]

    def word(self, word: str) -> str | None:
        """Return the surrogate of one name word of these people, in its case, or nothing if nobody has it."""
        plain = normal(word)
        made = self._words.find(plain) if len(plain) > 1 else None
        return cased(made, word) if made else None

    def people(self) -> list[Person]:
        """Return everybody who stands somewhere with a given name, or its letter, and a surname."""
        found = []
        for known in self._persons.all:
            count = known.form.given
            words = [self._called(known, place) for place in range(len(known.form.words))]
            made = [self._element(known, place) for place in range(len(words))]
            found.append(
                Person(known.side, (*words[:count],), (*words[count:],), (*made[:count],), (*made[count:],))
            )
        return found

    # What follows is worked out once, from all mentions of the scope and the record.

    @cached_property
    def _keyed(self) -> Keyed:
        return self._scope.keyed.child("names")

    @cached_property
    def _letters(self) -> Letters:
        return Letters(self._keyed)

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self._scope, self._scope.of(PATIENT, DOCTOR))

    @cached_property
    def _words(self) -> Words:
        return Words(self._keyed, self._reading, self._scope.words)

    @cached_property
    def _persons(self) -> Persons:
        return self._words.persons

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        """Letters for the initials that belong to nobody known."""
        codes = [(read, self._person(read)) for read in self._reading.all if read.words and not read.spoken]
        known = {"".join(self._linked(read, person)) for read, person in codes if person}
        loners = {"".join(read.words) for read, person in codes if not person}

        def refused(code: str) -> bool:
            return code in known or code in READ_AS_WORDS or (len(code) > 1 and code in self._scope.words)

        return assign(loners, self._code, keyed=self._keyed, refused=refused)

    def _code(self, letters: str, turn: int) -> str:
        if turn < STEPS:
            return "".join(self._letters.other(letter, turn) for letter in letters)
        return scramble(self._keyed, letters, turn)

    # One mention.

    def _surrogate(self, mention: Mention) -> str:
        read = self._reading.of.get(mention)
        if read is None or not read.form.words:
            return scramble(self._keyed, mention.text)
        pieces, elements = read.name.pieces, self._elements(read)
        if len(pieces) == 1 and read.places == (0,):  # one word: nearly half of all names
            text = write(elements[0], pieces[0])
            return text if folded(text) != folded(mention.text) else scramble(self._keyed, mention.text)
        made = [scramble(self._keyed, piece.text) if piece.kind == "odd" else piece.text for piece in pieces]
        for place, element in zip(read.places, elements, strict=True):
            if place != KEPT:
                piece = pieces[place]
                dotted = piece.short and place + 1 < len(pieces) and pieces[place + 1].text.startswith(".")
                made[place] = write(element, piece, dotted=dotted)
        text = "".join(made)
        return text if folded(text) != folded(mention.text) else scramble(self._keyed, mention.text)

    def _elements(self, read: Read) -> Sequence[str]:
        """Return the surrogate words and letters of a form."""
        person = self._person(read) if read.doubtful or self._words.shared(read.form) else None
        if person is None and not read.spoken:
            return self._codes["".join(read.words)]
        side = person.side if person else read.side
        letters = self._linked(read, person) if person else None
        made, count, new = [], read.form.given, self._words.new
        for place, word in enumerate(read.words):
            if is_name(word):
                made.append(new(GIVEN if place < count else SURNAME, word, side))
            else:
                made.append(letters[place] if letters else self._letters.other(word))
        return made

    def _person(self, read: Read) -> Known | None:
        return self._persons.best(read.form, read.side, read.note)

    def _linked(self, read: Read, person: Known) -> list[str]:
        """Return the first letters of the person's surrogate that a form's words stand for."""
        made = []
        for letter, place in zip(read.form.words, follow(read.form, person) or (), strict=True):
            made.append(self._element(person, place, letter[0])[0])
        return made

    def _called(self, person: Known, place: int, letter: str = "") -> str:
        """Return what a person is called at a place of the name: the word in full, or else a nickname."""
        word = person.form.words[place]
        written = [other for other in person.written.get(place, ()) if other.startswith(letter)]
        return word.rstrip(PARTICLE) if word in written or not written else min(written)

    def _element(self, person: Known, place: int, letter: str = "") -> str:
        """Return the surrogate of a word or letter of a person's name; ``letter`` begins what is meant."""
        word = self._called(person, place, letter)
        if person.form.words[place][-1] == PARTICLE:
            return word
        if len(word) > 1:
            return self._words.new(GIVEN if place < person.form.given else SURNAME, word, person.side)
        taken = set()
        if place == 0:  # J. Smith and Karen Smith stay two people
            others = self._persons.with_surname(person.form.words[-1])
            taken = {self._element(other, 0)[0] for other in others if is_name(other.form.words[0])}
        turns = (self._letters.other(word, turn) for turn in range(STEPS))
        return next((letter for letter in turns if letter not in taken), self._letters.other(word))
