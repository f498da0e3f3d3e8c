"""One surrogate word for each name word of a scope."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from functools import cached_property

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.cues import NOTHING
from plainsight.replace.surrogate.names.gender import sexes
from plainsight.replace.surrogate.names.link import DOCTOR, PATIENT, Form, Persons, is_name
from plainsight.replace.surrogate.names.nicknames import nickname
from plainsight.replace.surrogate.names.particles import after_particle
from plainsight.replace.surrogate.names.pools import Sex, given, sex_of, surname
from plainsight.replace.surrogate.names.reading import RECORD, Reading
from plainsight.replace.surrogate.names.roles import GIVEN, SURNAME
from plainsight.replace.surrogate.names.spelling import same_slip
from plainsight.replace.surrogate.names.written import apostrophe_parts
from plainsight.replace.surrogate.scope import assign

__all__ = ["Words"]

_TURNS = 100

Key = tuple[str, str, str]
"""A role, the word in its right and full form, and the side where two sides share it but not the person."""


class Words:
    """The surrogate words of a scope; ``notes`` has the words of its notes, which no surrogate may be."""

    def __init__(self, keyed: Keyed, reading: Reading, notes: Set[str]) -> None:
        self._keyed = keyed
        self._reading = reading
        self._notes = notes
        self._written: dict[tuple[str, str, str], str] = {}

    @cached_property
    def persons(self) -> Persons:
        """Return the people of the scope; what the record says of them weighs more."""
        return Persons(
            (read.form, read.words, read.side, read.note, 3 if read.note == RECORD else 1)
            for read in self._reading.all
            if read.form.full
        )

    def draw(self) -> None:
        """Draw the surrogates of all words."""
        self._made  # noqa: B018 - kept from now on

    def new(self, role: str, written: str, side: str) -> str:
        """Return the surrogate of a word as written: a nickname for a nickname, a slip for a slip."""
        known = self._written.get((role, written, side))
        if known is None:
            known = self._written[role, written, side] = self._variant(role, written, side)
        return known

    def shared(self, form: Form) -> bool:
        """Whether it depends on the side what a name becomes."""
        return not self._shared.isdisjoint(form.words)

    def find(self, written: str) -> str | None:
        """Return the surrogate of a word in whatever role it stands, or nothing if it is no name here."""
        if (SURNAME, self._reading.plain(written), "") in self._made:
            return self.new(SURNAME, written, "")
        if (GIVEN, self._reading.full(written), "") in self._made:
            return self.new(GIVEN, written, "")
        return None

    def _variant(self, role: str, written: str, side: str) -> str:
        plain = self._reading.plain(written)
        right = self._reading.full(written) if role == GIVEN else plain
        made = self._made[self._key(role, right, side)]
        if right != plain and (short := nickname(made, self._keyed)) and self._fits(short, plain):
            made = short if {sex_of(short), self._sexes.get(right)} != {"M", "F"} else made
        if plain != written and self._fits(slip := same_slip(made, plain, written), written):
            # Joan with a slip may read as John: then it is better written right.
            clash = role == GIVEN and {sex_of(slip), sex_of(made) or self._sexes.get(right)} == {"M", "F"}
            made = made if clash else slip
        return made

    def _fits(self, word: str, original: str) -> bool:
        return word[0] != original[0] and not self._refused(word)

    def _key(self, role: str, word: str, side: str) -> Key:
        return role, word, DOCTOR if side == DOCTOR and role == SURNAME and word in self._shared else ""

    @cached_property
    def _shared(self) -> frozenset[str]:
        """Return the surnames that a provider shares with a patient or relative who is somebody else."""
        own: dict[str, set[str]] = {PATIENT: set(), DOCTOR: set()}
        for read in self._reading.all:
            words, count = read.form
            own[read.side].update(words[count:])
        if own[PATIENT].isdisjoint(own[DOCTOR]):  # as it is in most notes
            return frozenset()
        return self.persons.both_sides()

    @cached_property
    def _made(self) -> Mapping[Key, str]:
        keys: set[Key] = set()
        for (words, count), _ in self._reading.forms:
            for place, word in enumerate(words):
                if is_name(word):
                    keys.add((GIVEN if place < count else SURNAME, word, ""))
        keys |= {(SURNAME, word, DOCTOR) for word in self._shared if (SURNAME, word, "") in keys}
        return assign(keys, self._candidate, keyed=self._keyed, refused=self._refused)

    def _candidate(self, key: Key, turn: int) -> str:
        role, word, side = key
        keyed = self._providers if side else self._keyed
        # After many turns its like are used up: a word that no list knows gets an invented name.
        like = word if turn < _TURNS else f"{word}qx"
        if role == GIVEN:
            made = given(keyed, like, self._sexes.get(word, ""), turn)
        elif particle := self._particles.get(word):
            made = after_particle(keyed, particle, like, turn)
        else:
            made = surname(keyed, like, turn)
        # Another first letter, so that initials never stay; nothing that holds the original or is held by it.
        return "" if made[:1] == word[0] or word in made or made in word or made[1:] == word[1:] else made

    def _refused(self, word: str) -> bool:
        if not word or word in self._notes or word in self._own:
            return True
        for part in apostrophe_parts(word):
            if len(part) > 1 and (part in self._notes or part in self._own):
                return True
        return False

    @cached_property
    def _own(self) -> frozenset[str]:
        """Return the words of the names themselves, as written and as they should be."""
        own: set[str] = set()
        for form, written in self._reading.forms:
            own.update(written, form.words)
        return frozenset(own)

    @cached_property
    def _providers(self) -> Keyed:
        return self._keyed.child("providers")

    @cached_property
    def _sexes(self) -> Mapping[str, Sex]:
        evidence = []
        together: set[tuple[str, ...]] = set()
        for read in self._reading.all:
            words = read.given
            if words:
                together.add(words)
            elif read.cue.told and len(read.form.words) == 1:  # Mrs. Smith, if there is but one
                bearers = [p for p in self.persons.with_surname(read.form.words[0]) if p.side == read.side]
                words = bearers[0].form.words[:1] if len(bearers) == 1 else ()
            if words and read.cue is not NOTHING:
                evidence.append((words, read.cue))
        return sexes(evidence, sorted(together))

    @cached_property
    def _particles(self) -> Mapping[str, str]:
        """Return the particle that stands before a surname somewhere in the notes."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for read in self._reading.all:
            for word, particle in read.particles:
                found[word][particle] += 1
        return {word: max(seen, key=lambda each: (seen[each], each)) for word, seen in found.items()}
