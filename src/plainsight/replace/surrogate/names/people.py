"""People: surrogates for the names of patients, relatives and providers.

How the name of a person gets its surrogate:

1. `NoteNames` reads the names of one note together with what is known of the patient (`note_names`): the
   words of each name, which of them are initials, nicknames, slips, and the family's.
2. Every word has one surrogate word, which depends on the key and the word alone: the usual spelling of the
   full name (`canonical`) is drawn from the census names of its kind (`draw`). So full, partial, reversed and
   hyphenated forms agree in all notes, and a family keeps sharing its surname.
3. Each mention is written anew, piece by piece, with the surrogates of its words. An initial becomes that of
   the person's surrogate. Where the note does not say whose it is, it becomes the letter with which
   surrogates of given names with that initial begin (`letters`).

The words of the patient and the family never stay and keep no first letter. All others may become
themselves at chance rate, because a provider's name that never appears among the surrogates of a site would
give itself away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from plainsight.locale import default_locale
from plainsight.replace.surrogate.names.canonical import (
    BEFORE_NAMES,
    canonical,
    feminine,
    group_of,
    masculine,
    parts,
    patronym,
)
from plainsight.replace.surrogate.names.census import sex_of
from plainsight.replace.surrogate.names.draw import after_particle, draw, invent
from plainsight.replace.surrogate.names.letters import Letters, beginnings, fitting
from plainsight.replace.surrogate.names.note_names import (
    DOCTOR,
    PATIENT,
    KnownName,
    NoteNames,
    form,
    record_names,
)
from plainsight.replace.surrogate.names.parse import Piece, cased, normal, write
from plainsight.replace.surrogate.names.variants import (
    clipped,
    has_nickname,
    is_pet_name,
    nicknames,
    petted,
)
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.surrogate.shape import scramble

_NOT_INITIALS = frozenset(default_locale().table("names")["not_initials"].split())
_LETTER_TURNS = 30
_NICKNAME_TURNS = 12  # after these, a name that is never short for anything will do
_TURNS = 60  # after these, a surrogate is invented
_INVENTED_TURNS = 40
_VOWELS = "aeiouy"
# The groups of people whose given names are rather of their own group than English.
_OWN_GIVEN = frozenset(("hi", "in", "vi", "hm", "ar", "fa", "am", "pc"))


class People:
    """The people of one scope and their surrogates.

    ``known`` are names that are known of the patient beside those of the record, as from earlier notes.
    """

    def __init__(self, scope: Scope, known: Sequence[KnownName] = ()) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("names")
        self._letters = Letters(self._keyed)
        self._known = [*record_names(scope), *known]
        self._drawn: dict[tuple[str, str, bool], str] = {}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention, in its own form; an empty one for what cannot be read."""
        return [self._surrogate(mention) for mention in mentions]

    def word(self, word: str) -> str | None:
        """Return the surrogate of one name word of these people, in its case, or None if nobody has it."""
        plain = normal(word)
        if len(plain) < 2:
            return None
        found = next((names for names in self._notes.values() if plain in names.words), None)
        return cased(self._new(plain, found), word) if found else None

    @cached_property
    def _notes(self) -> Mapping[int, NoteNames]:
        mentions: dict[int, list[Mention]] = {place: [] for place in range(len(self._scope.documents))}
        for mention in self._scope.of(PATIENT, DOCTOR):
            mentions.setdefault(mention.note, []).append(mention)
        return {note: NoteNames(self._scope, own, self._known) for note, own in mentions.items()}

    # --- one mention --------------------------------------------------------------------------------------

    def _surrogate(self, mention: Mention) -> str:
        names = self._notes.get(mention.note)
        name = names.name(mention) if names else None
        if names is None or name is None or not name.units:
            return ""
        pieces = name.pieces
        made = [piece.text for piece in pieces]
        for place, piece in enumerate(pieces):
            if piece.kind == "odd":
                if not piece.text[0].isdecimal():
                    return ""
                made[place] = scramble(self._keyed, piece.text)
        initials = iter(self._initials(form(name), names, names.side(mention)))
        order = name.units if name.comma is None else name.units[name.comma :] + name.units[: name.comma]
        for unit in order:
            for number, word in zip(unit.pieces, unit.words, strict=True):
                letter = next(initials)
                particle = unit.particle if number == unit.pieces[0] else ""  # de la Cruz-Santiago
                new = letter if len(word) == 1 else self._new(word, names, particle)
                made[number] = _written(new, pieces, number)
        if "".join(made).casefold() in _NOT_INITIALS and all(piece.kind == "initial" for piece in pieces):
            return "".join([f"{letter}." for letter in made])  # H.R.
        return "".join(made)

    def _initials(self, words: Sequence[str], names: NoteNames, side: str) -> Sequence[str]:
        """Return the letter that each word or letter of a name becomes, if it stands for an initial."""
        if all(len(word) > 1 for word in words):
            return words
        meant = names.meant(words, side) or [word[0] for word in words]
        surname = next((word for word in reversed(meant) if len(word) > 1), "")
        group = group_of(surname) if surname and len(meant[0]) == 1 else ""
        if group not in _OWN_GIVEN or meant[0] not in beginnings(group):
            group = ""  # R. Nguyen is rather Robert
        return [
            (len(full) > 1 and self._new(full, names)[:1])  # a rare word may have no surrogate
            or self._letter(full[0], "" if place else group, own=side == PATIENT)
            for place, full in enumerate(meant)
        ]

    def _letter(self, letter: str, group: str, *, own: bool) -> str:
        """Return the first letter of surrogates for given names of a group that begin with a letter."""
        made = (self._letters.own if own else self._letters.shared).get(letter, letter)
        return fitting(made, group, avoid=letter if own else "")

    # --- one word -----------------------------------------------------------------------------------------

    def _new(self, written: str, names: NoteNames, particle: str = "") -> str:
        """Return the surrogate of a word as written: in parts as it is, a nickname for a nickname."""
        word = names.right(written)
        before, words, _ = parts(word)
        joined = particle.replace(" ", "") or before or names.heads.get(word, "")
        if joined and joined not in BEFORE_NAMES:
            head = words[0]
            made = self._draw(canonical(head), head in names.own or word in names.own, joined)
        else:
            made = "".join(self._part(part, names) for part in words)
        return before + made

    def _part(self, word: str, names: NoteNames) -> str:
        if found := patronym(word):
            father, ending = found
            made = self._draw(canonical(father), father in names.own or word in names.own)
            return made.rstrip(_VOWELS) + ending
        base, _, hers = masculine(word)
        full = names.full(base)
        own = names.key(word) in names.own
        made = self._draw(canonical(full), own)
        if canonical(full) != canonical(base):
            shorts = (short for short in self._shorts(made, base) if not own or short[0] != base[0])
            made = next((short for short in shorts if {sex_of(short), sex_of(base)} != {"M", "F"}), made)
        return feminine(made) if hers else made

    def _shorts(self, made: str, base: str) -> Iterator[str]:
        """Yield what a surrogate is called for short: first as a nickname is made, Peggy unlike Peg."""
        short = clipped(made)
        shorts = [*nicknames(made, base, self._keyed), short, petted(short)]
        for one in sorted(filter(None, shorts), key=lambda one: is_pet_name(one) != is_pet_name(base)):
            if {sex_of(one), sex_of(made)} != {"M", "F"}:
                yield one

    def _draw(self, key: str, own: bool, particle: str = "") -> str:
        """Return what stands for the usual form of a word, after a particle if there is one."""
        if (key, particle, own) not in self._drawn:
            self._drawn[key, particle, own] = self._candidates(key, own, particle)
        return self._drawn[key, particle, own]

    def _candidates(self, key: str, own: bool, particle: str) -> str:
        letter = self._letter(key[0], group_of(key), own=own)
        found: list[str] = []
        for turn in range(_TURNS):
            if particle:
                made = after_particle(self._keyed, particle, key, turn)
            else:  # if all names with the letter show the word, take one with another
                made = draw(self._keyed, key, letter if turn < _LETTER_TURNS else "", turn)
            if made and not (own and _shows(key, made)):
                if not has_nickname(key) or any(self._shorts(made, key)):
                    return made
                found.append(made)
            if found and turn > _NICKNAME_TURNS:
                return found[0]
        invented = (
            invent(self._keyed, key, letter, turn) for turn in range(_TURNS, _TURNS + _INVENTED_TURNS)
        )
        return next((made for made in invented if made and not _shows(key, made)), "")


def _shows(word: str, made: str) -> bool:
    """Whether a surrogate has the first letter of a word or holds it, as none of the patient's may."""
    return made[0] == word[0] or word in made or made in word or made[1:] == word[1:]


def _written(word: str, pieces: Sequence[Piece], number: int) -> str:
    piece = pieces[number]
    dotted = piece.short and number + 1 < len(pieces) and pieces[number + 1].text.startswith(".")
    return write(word, piece, dotted=dotted)
