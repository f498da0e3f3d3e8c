"""The canonical form of a name word: the spelling that its surrogate is drawn for.

Spellings of one name get one surrogate although they never see each other: ``Youssef`` and ``Yousef`` by a
table, ``Lindqvist`` and ``Lindquist`` by their sound. A word that is several parts written as one
(``Delacruz``, ``Alrashid``, ``Pahoua``) is split, so that it gets the surrogates of its parts. Everything
here depends on the word alone. Words are in small letters a to z.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.names import census
from plainsight.replace.surrogate.names.letters import likely_group
from plainsight.shipped import read_shipped

_WORDS = default_locale().table("names")
BEFORE_NAMES = frozenset(_WORDS["particles_before_names"].split())
"""Particles after which a name is drawn as it is without them: ``Al-Rashid``, ``Abu Yousef``."""

_JOINED = sorted(_WORDS["particles_joined"].split(), key=len, reverse=True)
_GROUPS_OF = {"al": "ar fa ea", "el": "ar ea", "abdul": "ar fa ea in", "abdel": "ar ea"}
_SHORTEST_HEAD = 4
_KNOWN_HEAD = 500  # bearers of what follows a particle
_DUTCH_AFTER_DE = frozenset(_WORDS["dutch_after_de"].split())
_CLEAR = frozenset(("vander", "vanden"))

_WELL_KNOWN = 20_000  # bearers of a name that is never taken for another spelling
_USUAL = 2000  # bearers of a name that is rather itself than a pet name
_LISTED = 250  # bearers of a name that others are taken for
_RARER = 3  # times
# Groups of other alphabets: of their names, any rarer spelling of one sound is the same name.
_TRANSLITERATED = ("ar", "fa", "ea", "sl", "je", "am", "gr", "in")
_SHORTEST_SOUND = 5

_SPELLED = ("zh", "ko")  # groups of whose given names nearly all are two syllables
_SYLLABLE_OF_WORD = 15_000  # bearers; a name of its own is no syllable
_OWN_NAME = 2000

_FEMININE = (("skaya", "sky"), ("ska", "ski"), ("cka", "cki"), ("ova", "ov"), ("eva", "ev"))
_PATRONYM = re.compile(r"(?P<father>[a-z]{3,}?)(?P<ending>ovich|evich|ovych|ovic|ovna|evna|ivna)")


class Parts(NamedTuple):
    """A word as the parts that get surrogates, with what stays before the first and after the last."""

    before: str
    words: tuple[str, ...]
    after: str = ""


@note_cache(16_384)
def parts(word: str) -> Parts:
    """Return the parts of a word that is written as one.

    >>> parts("delacruz"), parts("smith").words
    (Parts(before='dela', words=('cruz',), after=''), ('smith',))
    """
    for particle in _JOINED:
        head = word.removeprefix(particle)
        if len(head) >= _SHORTEST_HEAD and head != word and _is_head(particle, head, word):
            return Parts(particle, (head,))
    return Parts("", _split(word) or (word,))


def _is_head(particle: str, head: str, word: str) -> bool:
    """Whether what follows a particle in a word is a name."""
    if particle in _CLEAR:
        return census.given_bearers(word) < _KNOWN_HEAD
    found, group = census.home(word), group_of(word)
    if groups := _GROUPS_OF.get(particle):
        return group in groups.split() or (found is None and group_of(head) in groups.split())
    if particle == "van" and found is not None and found.role == "surnames" and group == "nl":
        return True
    if particle == "de" and head in _DUTCH_AFTER_DE:
        return True
    if census.surname_bearers(head) + census.given_bearers(head) < _KNOWN_HEAD:
        return False
    if census.given_bearers(word) > census.surname_bearers(word) / 10:
        return False  # Delfina, Vanessa
    return group in (("nl",) if particle.startswith("van") else ("hi", "ph", "it", "nl"))


@cache
def _syllable_lists() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the syllables of given names by group and sex (``female``, ``male``, ``any``)."""
    text = read_shipped("data/surrogates/names/syllables.txt").decode("ascii")
    return {(group, sex): tuple(words) for group, sex, *words in map(str.split, text.splitlines())}


def syllables(word: str) -> tuple[str, ...]:
    """Return the syllables of given names, of one group and sex, that a word is one of; none if it is a name.

    >>> "meng" in syllables("tou"), syllables("smith")
    (True, ())
    """
    return _lists_alone().get(word, ())


@cache
def _lists_alone() -> Mapping[str, tuple[str, ...]]:
    """Return for each syllable its list, without those that are well-known names of their own."""
    found: dict[str, tuple[str, ...]] = {}
    for (group, _), words in _syllable_lists().items():
        own = [word for word in words if _bearers(word) < _SYLLABLE_OF_WORD or _is_given(word, group)]
        found = dict.fromkeys(own, tuple(own)) | found
    return found


@cache
def _syllables_of() -> Mapping[str, frozenset[str]]:
    """Return all syllables of given names by group."""
    lists = sorted(_syllable_lists().items())
    return {group: frozenset().union(*(w for (g, _), w in lists if g == group)) for (group, _), _ in lists}


def _is_given(word: str, group: str) -> bool:
    found = census.home(word)
    return found is not None and found.role == "first_names" and found.group == group


def _bearers(word: str) -> float:
    return max(census.given_bearers(word), census.surname_bearers(word))


def _split(word: str) -> tuple[str, ...]:
    """Return the two names that a word is written of, if it is: ``Pahoua``, ``Smithgarcia``."""
    if len(word) < _SHORTEST_SOUND or _bearers(word) > _OWN_NAME:
        return ()
    return _two_syllables(word) or _two_surnames(word)


def _two_surnames(word: str) -> tuple[str, ...]:
    """Return the two well-known surnames that a rare word is written of, if it is."""
    if len(word) < 2 * _SHORTEST_HEAD or _bearers(word) > _LISTED:
        return ()
    cuts = ((word[:cut], word[cut:]) for cut in range(_SHORTEST_HEAD, len(word) - _SHORTEST_HEAD + 1))
    known = {pair: min(map(census.surname_bearers, pair)) for pair in cuts}
    best = max(known, key=known.__getitem__)
    return best if known[best] >= _WELL_KNOWN else ()


def _two_syllables(word: str) -> tuple[str, ...]:
    """Return the two syllables that a given name is written of, if it is."""
    for cut in range(2, len(word) - 1):
        for group, known in _syllables_of().items():
            both = all(
                part in known or (group in _SPELLED and _is_given(part, group))
                for part in (word[:cut], word[cut:])
            )
            if both and (group == "hm" or group_of(word) == group):
                return word[:cut], word[cut:]
    return ()


def group_of(word: str) -> str:
    """Return the group of origin that a word is most likely of."""
    found = census.home(word)
    return found.group if found else likely_group(word)


# --- spellings --------------------------------------------------------------------------------------------


@note_cache(16_384)
def canonical(word: str) -> str:
    """Return the usual spelling of a word.

    >>> canonical("youssef"), canonical("lindqvist"), canonical("smith")
    ('yousef', 'lindquist', 'smith')
    """
    if usual := _spellings().get(word):
        return usual
    known = census.given_bearers(word) + census.surname_bearers(word)
    if known >= _WELL_KNOWN or len(word) < _SHORTEST_SOUND - (not known):
        return word
    if known < _USUAL and (usual := _sounds_of_spellings().get(_sound(word)) or _of_pet_name(word)):
        return usual
    sound = _sound(word)
    other = _sounds(_may_begin(sound)).get(sound, word)
    if (own := census.home(word)) is None:
        return other if other != word else _DOUBLED.sub(r"\1", word)
    if other == word:
        return word
    of = census.home(other)
    bearers = census.given_bearers(other) + census.surname_bearers(other)
    rarer = known * (1 if own.role == "first_names" or own.group in _TRANSLITERATED else _RARER)
    if of is None or of.role != own.role or of.sex.lower() != own.sex.lower() or bearers <= rarer:
        return word
    if own.role == "first_names":  # spelled as in several languages, but with its initial: Matias, Mathias
        return other if other[0] == word[0] else word
    return other if of.group == own.group else word


@cache
def _spellings() -> Mapping[str, str]:
    rows = [line.split() for line in _WORDS["spellings"].splitlines()]
    return {word: row[0] for row in rows for word in row}


@cache
def _sounds_of_spellings() -> Mapping[str, str]:
    """Return the usual spelling for the sound of each listed one: Husayn sounds like Husain."""
    return {_sound(word): usual for word, usual in reversed([*_spellings().items()]) if len(word) > 3}


def _of_pet_name(word: str) -> str:
    """Return the woman's name that a rare word in -y is a pet name of: ``Rivky`` of Rivka."""
    if not word.endswith(("y", "i")):
        return ""
    name = word[:-1] + "a"
    given = census.given_bearers(name)
    usual = given > max(_KNOWN_HEAD, census.surname_bearers(name)) and census.sex_of(name) == "F"
    return _spellings().get(name, name) if usual or name in _spellings() else ""


def _may_begin(word: str) -> str:
    """Return the letters that a name may begin with which sounds like a word or begins like it."""
    return next((letters for letters in _ALIKE if word[:1] in letters), word[:1])


_ALIKE = ("ckqsz", "fp", "iy", "ou", "vw")


@cache
def _sounds(initials: str) -> Mapping[str, str]:
    """Return the most common name of each sound, of the names with these initials: all would take longer."""
    best: dict[str, tuple[float, str]] = {}
    roles: tuple[census.Role, ...] = ("surnames", "first_names")
    for role in roles:
        usual = {
            name: bearers
            for bucket in census.load(role).buckets
            for name, bearers in census.bearers_of(bucket)
            if name[0] in initials and len(name) >= _SHORTEST_SOUND - 1
            if bearers >= _LISTED or role == "first_names"
        }
        _, *sounds = _sound("\n".join(("", *usual))).split("\n")  # in one text, faster than one by one
        for sound, (name, bearers) in zip(sounds, usual.items(), strict=True):
            best[sound] = max(best.get(sound, (0.0, "")), (bearers, name))
    return {sound: name for sound, (_, name) in best.items()}


_DOUBLED = re.compile(r"(.)\1+")
_SOUNDS = (
    (re.compile(r"ph"), "f"),
    (re.compile(r"th"), "t"),
    (re.compile(r"(?<=[lnr])gh"), "g"),  # Bergh
    (re.compile(r"w"), "v"),  # Kowalczuk, Kovalchuk
    (re.compile(r"cz"), "ch"),
    (re.compile(r"sz"), "sh"),
    (re.compile(r"q[uv]"), "kv"),
    (re.compile(r"ck|c(?=[aourlnts]|$)|q", re.M), "k"),
    (re.compile(r"c(?=[eiy])"), "s"),
    (re.compile(r"z"), "s"),
    (re.compile(r"(?<=i)y(?=[aeou])"), ""),  # Sofiya
    (re.compile(r"(?<=[^aeiou])y(?=[aou])"), "i"),  # Sofya
    (re.compile(r"(?<=.)ee|(?<=..)(?:ie|ey)$|(?<=.)y(?![aeou])", re.M), "i"),
    (re.compile(r"oo|ou(?=[^n\n])"), "u"),
    (re.compile(r"(?<=[aeiou])h(?![aeiouy])"), ""),
    (re.compile(r"(.)\1+"), r"\1"),
    (re.compile(r"(?<=[^aeiou\n])e$", re.M), ""),
)


def _sound(words: str) -> str:
    """Return how words, one a line, sound: near enough to find other spellings of them."""
    for pattern, sound in _SOUNDS:
        words = pattern.sub(sound, words)
    return words


# --- Slavic endings ---------------------------------------------------------------------------------------


@note_cache(4096)
def masculine(word: str) -> tuple[str, str, str]:
    """Return the form of a Slavic surname that men bear, its ending, and that of the woman's form.

    The endings are empty if the word is none: Petrova is (petrov, ov, ova).
    """
    for hers, his in _FEMININE:
        base = word.removesuffix(hers)
        if base != word and len(base) > 2 and group_of(base + his) == "sl" and group_of(word) in ("sl", "je"):
            return base + his, his, hers
    return word, "", ""


def feminine(surname: str) -> str:
    """Return the form of a man's Slavic surname that women bear."""
    for hers, his in _FEMININE:
        if surname.endswith(his):
            return surname.removesuffix(his) + hers
    return surname


def patronym(word: str) -> tuple[str, str] | None:
    """Return the father's name and the ending of a Slavic patronym that is no surname: ``Ivanovich``."""
    found = _PATRONYM.fullmatch(word)
    if not found or census.surname_bearers(word) > _KNOWN_HEAD:
        return None
    return found["father"], found["ending"]
