"""People: surrogates for the names of patients, relatives and providers.

How the name of a person gets its surrogate:

1. `ScopeNames` parses all names of the scope and gives each a form (`scope_names`): given names, then
   surnames, spelled right and in full. "SMITH, Bil" has the form (william, smith).
2. `LinkedPeople` links forms that belong to one person (`linking`): "J. Smith" and "JS" to John Smith.
3. Every distinct name word of the scope gets one surrogate word (`_drawn`), drawn from the census names
   (`draw`). So full, partial, reversed and hyphenated forms agree, and a family keeps sharing its surname.
4. Each mention is written anew, piece by piece, with the surrogates of its words (`writing`). Nicknames,
   misspellings (`variants`) and initials follow the word that they stand for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.census import Sex, sex_of
from plainsight.replace.surrogate.names.context import NO_CUE, find_sexes
from plainsight.replace.surrogate.names.draw import after_particle, given, surname
from plainsight.replace.surrogate.names.linking import (
    DOCTOR,
    PARTICLE,
    PATIENT,
    LinkedPeople,
    Person,
    follow,
    is_name,
)
from plainsight.replace.surrogate.names.parse import cased, normal, write
from plainsight.replace.surrogate.names.roles import GIVEN, SURNAME
from plainsight.replace.surrogate.names.scope_names import KEPT, RECORD, ScopeName, ScopeNames
from plainsight.replace.surrogate.names.variants import nickname, same_slip
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded
from plainsight.replace.surrogate.shape import scramble

_NOT_INITIALS = frozenset(default_locale().table("names")["not_initials"].split())
_LETTERS = ("abcdefghjklmnprstvw", "ioquxyz")  # names rarely begin with one of the second group
LETTER_TURNS = len(_LETTERS[1]) - 1
"""How many turns give each letter another one."""

_RECORD_WEIGHT = 3
_LISTED_TURNS = 100  # after these, a surrogate is invented

Key = tuple[str, str, str]
"""A role, the word in its right and full form, and the side where two sides share it but not the person."""


class Letters:
    """Other letters for letters: each turn gives each its own, never itself, and rare ones stay rare."""

    def __init__(self, keyed: Keyed) -> None:
        drawn = dict(zip("".join(_LETTERS), keyed.digest("letters"), strict=False))
        self._circles = ["".join(sorted(group, key=drawn.__getitem__)) for group in _LETTERS]

    def other(self, letter: str, turn: int = 0) -> str:
        """Return the letter that takes a letter's place, the next on a keyed circle."""
        for circle in self._circles:
            if letter in circle:
                size = len(circle)
                return circle[(circle.index(letter) + 1 + turn % (size - 1)) % size]
        return letter


class People:
    """The people of one scope and their surrogates."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("names")
        self._letters = Letters(self._keyed)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention, in its own form."""
        return [self._surrogate(mention) for mention in mentions]

    def word(self, word: str) -> str | None:
        """Return the surrogate of one name word of these people, in its case, or None if nobody has it."""
        plain = normal(word)
        if len(plain) < 2:
            return None
        for role, right in ((SURNAME, self._names.right(plain)), (GIVEN, self._names.full(plain))):
            if (role, right, "") in self._drawn:
                return cased(self._new(role, plain, ""), word)
        return None

    @cached_property
    def _names(self) -> ScopeNames:
        return ScopeNames(self._scope, self._scope.of(PATIENT, DOCTOR))

    @cached_property
    def _linked(self) -> LinkedPeople:
        return LinkedPeople(
            (name.form, name.words, name.side, name.note, _RECORD_WEIGHT if name.note == RECORD else 1)
            for name in self._names.all
            if name.form.full
        )

    # --- one mention --------------------------------------------------------------------------------------

    def _surrogate(self, mention: Mention) -> str:
        name = self._names.of.get(mention)
        if name is None or not name.form.words:
            return scramble(self._keyed, mention.text)
        pieces = name.name.pieces
        made = [scramble(self._keyed, piece.text) if piece.kind == "odd" else piece.text for piece in pieces]
        for place, element in zip(name.places, self._elements(name), strict=True):
            if place != KEPT:
                piece = pieces[place]
                dotted = piece.short and place + 1 < len(pieces) and pieces[place + 1].text.startswith(".")
                made[place] = write(element, piece, dotted=dotted)
        text = "".join(made)
        return text if folded(text) != folded(mention.text) else scramble(self._keyed, mention.text)

    def _elements(self, name: ScopeName) -> Sequence[str]:
        """Return the surrogate words and letters of a name."""
        sided = not self._shared.isdisjoint(name.form.words)
        person = self._linked.best(name.form, name.side, name.note) if sided or name.has_letter else None
        if person is None and not name.has_word:
            return self._codes["".join(name.words)]
        side = person.side if person else name.side
        letters = self._initials(name, person) if person else None
        made = []
        for place, word in enumerate(name.words):
            if is_name(word):
                made.append(self._new(GIVEN if place < name.form.given else SURNAME, word, side))
            else:
                made.append(letters[place] if letters else self._letters.other(word))
        return made

    def _initials(self, name: ScopeName, person: Person) -> list[str]:
        """Return the first letters of the person's surrogate that a name's words stand for."""
        places = follow(name.form, person) or ()
        words = zip(name.form.words, places, strict=True)
        return [self._element(person, place, word[0])[0] for word, place in words]

    def _called(self, person: Person, place: int, letter: str = "") -> str:
        """Return what a person is called at a place of the name: the word in full, or else a nickname."""
        word = person.form.words[place]
        written = [other for other in person.written.get(place, ()) if other.startswith(letter)]
        return word.rstrip(PARTICLE) if word in written or not written else min(written)

    def _element(self, person: Person, place: int, letter: str = "") -> str:
        """Return the surrogate of a word or letter of a person's name; ``letter`` begins what is meant."""
        word = self._called(person, place, letter)
        if person.form.words[place][-1] == PARTICLE:
            return word
        if len(word) > 1:
            return self._new(GIVEN if place < person.form.given else SURNAME, word, person.side)
        taken = set()
        if place == 0:  # J. Smith and Karen Smith stay two people
            others = self._linked.with_surname(person.form.words[-1])
            taken = {self._element(other, 0)[0] for other in others if is_name(other.form.words[0])}
        turns = (self._letters.other(word, turn) for turn in range(LETTER_TURNS))
        return next((letter for letter in turns if letter not in taken), self._letters.other(word))

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        """Letters for the initials that belong to nobody known."""
        alone = [name for name in self._names.all if name.words and not name.has_word]
        codes = {"".join(name.words) for name in alone}
        return assign(codes, self._code, refused=lambda code, made: made in _NOT_INITIALS)

    def _code(self, letters: str, turn: int) -> str:
        if turn < LETTER_TURNS:
            return "".join(self._letters.other(letter, turn) for letter in letters)
        return scramble(self._keyed, letters, turn)

    # --- one word -----------------------------------------------------------------------------------------

    def _new(self, role: str, written: str, side: str) -> str:
        """Return the surrogate of a word as written: a nickname for a nickname, a slip for a slip."""
        right = self._names.right(written)
        full = self._names.full(written) if role == GIVEN else right
        sided = side == DOCTOR and role == SURNAME and full in self._shared
        made = self._drawn[role, full, DOCTOR if sided else ""]
        if full != right and (short := nickname(made, self._keyed)) and self._fits(short, right):
            made = short if {sex_of(short), self._sexes.get(full)} != {"M", "F"} else made
        if right != written and self._fits(slip := same_slip(made, right, written), written):
            # Joan with a slip may read as John: then it is better spelled right.
            clash = role == GIVEN and {sex_of(slip), sex_of(made) or self._sexes.get(full)} == {"M", "F"}
            made = made if clash else slip
        return made

    def _fits(self, word: str, original: str) -> bool:
        return word[0] != original[0]

    @cached_property
    def _drawn(self) -> Mapping[Key, str]:
        """The surrogate of each distinct name word."""
        keys: set[Key] = set()
        for words, count in {name.form for name in self._names.all}:
            for place, word in enumerate(words):
                if is_name(word):
                    keys.add((GIVEN if place < count else SURNAME, word, ""))
        keys |= {(SURNAME, word, DOCTOR) for word in self._shared if (SURNAME, word, "") in keys}
        return assign(keys, self._candidate)

    def _candidate(self, key: Key, turn: int) -> str:
        role, word, side = key
        keyed = self._keyed.child("providers") if side else self._keyed
        like = word if turn < _LISTED_TURNS else f"{word}qx"  # no list has such a word
        if role == GIVEN:
            made = given(keyed, like, self._sexes.get(word, ""), turn)
        elif particle := self._particles.get(word):
            made = after_particle(keyed, particle, like, turn)
        else:
            made = surname(keyed, like, turn)
        # Another first letter, so that initials never stay; nothing that holds the original or is held by it.
        return "" if made[:1] == word[0] or word in made or made in word or made[1:] == word[1:] else made

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The surnames that a provider shares with a patient or relative who is somebody else."""
        own: dict[str, set[str]] = {PATIENT: set(), DOCTOR: set()}
        for name in self._names.all:
            words, count = name.form
            own[name.side].update(words[count:])
        return self._linked.both_sides() if own[PATIENT] & own[DOCTOR] else frozenset()

    @cached_property
    def _sexes(self) -> Mapping[str, Sex]:
        """The sex of each given name."""
        evidence = []
        together: set[tuple[str, ...]] = set()
        for name in self._names.all:
            words = name.given
            if words:
                together.add(words)
            elif name.cue.sex and len(name.form.words) == 1:  # Mrs. Smith, if there is only one
                bearers = [p for p in self._linked.with_surname(name.form.words[0]) if p.side == name.side]
                words = bearers[0].form.words[:1] if len(bearers) == 1 else ()
            if words and name.cue is not NO_CUE:
                evidence.append((words, name.cue))
        return find_sexes(evidence, sorted(together))

    @cached_property
    def _particles(self) -> Mapping[str, str]:
        """The particle that most often stands before a surname in the notes."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for name in self._names.all:
            for word, particle in name.particles:
                found[word][particle] += 1
        return {word: max(seen, key=lambda each: (seen[each], each)) for word, seen in found.items()}
