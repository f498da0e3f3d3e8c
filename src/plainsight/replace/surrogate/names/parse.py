"""Parse a name as it is written, and write another one the same way.

Parsing says which words are a person's, and which stay.

A name becomes pieces that together are its text again, and units: a word, words joined by hyphens
(``Gaithers-Boyd``), a surname with its particles (``de la Cruz``), or a single letter. Titles, credentials,
suffixes, particles and the words of a newborn's name (``Baby Boy``) are kept as they stand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence, Set
from typing import Literal, NamedTuple

from plainsight.locale import default_locale
from plainsight.replace.surrogate.names.canonical import BEFORE_NAMES, group_of
from plainsight.replace.surrogate.names.census import find, given_bearers, surname_bearers

_L = "[^\\W\\d_]"
_TOKEN = re.compile(
    rf"(?:\bmc (?={_L}{{3}}))?"  # Mc Donald
    rf"{_L}+(?:(?:[\u0300-\u036f]|[01]+(?={_L})|['’`´](?={_L})){_L}*)*"  # O'Brien, J0HN
    r"|\d+(?:st|nd|rd|th)?"
)
_SPELLED_TOKEN = re.compile(
    rf"(?<!\w){_L}(?P<joint>[ -]){_L}(?:(?P=joint){_L}){{2,}}(?!\w)|{_TOKEN.pattern}"  # W H I T E, O-N-W-U
)
_LEAST_JOINTS = 3
_WORDS = default_locale().table("names")
_TITLES = _WORDS["titles"].split()
_HEAD = re.compile(rf"\s*(?:(?:{'|'.join(_TITLES)})\b\.?(?:\s+|(?<=\.))(?:(?:and|&|/)\s*)?)+(?=\w)")
_CREDENTIALS = _WORDS["credentials"].replace("\n", "")
_TAIL = re.compile(
    rf"(?:(?:\s*,\s*|\s+)(?:{_CREDENTIALS})\b\.?|\s*,\s*(?:{_WORDS['credentials_after_comma']})\b\.?)+\s*$"
)
_TAIL_ENDS = tuple(_WORDS["credential_endings"].split())
_NUMERALS = frozenset(_WORDS["numerals"].split())
_SUFFIXES = frozenset(_WORDS["suffixes"].split())
_NEWBORN = frozenset(_WORDS["newborn"].split())
_NEWBORN_FIRST = frozenset(_WORDS["newborn_first"].split())
_BETWEEN = frozenset(_WORDS["between"].split())
_FORMERLY = re.compile(r"\b[fa][/.]k[/.]a\b")
PARTICLES = frozenset(_WORDS["particles"].split())
"""Words that belong to the surname after them."""

_NEVER_FIRST = frozenset(_WORDS["particles_never_first"].split())  # unless a hyphen follows
_ALSO_NAMES = frozenset(_WORDS["particles_also_names"].split())  # Al Smith, Ben Carson
_ABBREVIATED = _WORDS["abbreviations"]
_LONGEST_LETTERS = 5
_OF_WORDS = ("na",)  # groups with surnames of two words that are also written as one
_FEW_BEARERS = 20_000
_ARABIC = ("ar", "fa", "ea")
_PLAIN = str.maketrans({"ß": "ss", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe"})
_PLAIN.update(str.maketrans({"þ": "th", "ħ": "h", "0": "o", "1": "l", "ŋ": "n"}))


class Piece(NamedTuple):
    """A stretch of a name: a word of it, a letter for one, or something that stays.

    ``word`` is the word in plain small letters; ``joint`` what stands between the letters of a word that
    is spelled out; ``short`` whether it is an abbreviation (``Wm.``).
    """

    text: str
    kind: Literal["kept", "word", "initial", "odd"] = "kept"
    word: str = ""
    joint: str = ""
    short: bool = False

    def __repr__(self) -> str:
        return f"Piece({self.kind})"  # never the text


class Unit(NamedTuple):
    """What has one place in a name: the numbers of its pieces, their words, and its particles."""

    pieces: tuple[int, ...]
    words: tuple[str, ...]
    particle: str = ""

    @property
    def initial(self) -> bool:
        """Whether it is a single letter."""
        return len(self.words[0]) == 1


class Name(NamedTuple):
    """A name as written; ``comma`` is the number of units before its comma."""

    pieces: tuple[Piece, ...]
    units: tuple[Unit, ...]
    comma: int | None = None

    @property
    def full_units(self) -> int:
        """The number of units that are words."""
        return sum(not unit.initial for unit in self.units)


def normal(word: str) -> str:
    """Return a word as plain small letters, or an empty string where it cannot be written so.

    >>> normal("Muñoz"), normal("O’Brien"), normal("J0HN")
    ('munoz', 'obrien', 'john')
    """
    lower = word.lower()
    if lower.isascii() and lower.isalpha():
        return lower
    if not lower.isascii():
        lower = unicodedata.normalize("NFKD", lower)
        lower = "".join(letter for letter in lower if not unicodedata.combining(letter))
    lower = re.sub(r"['’`´]", "", lower.translate(_PLAIN))
    return lower if lower.isascii() and lower.isalpha() else ""


def is_initials(
    word: str, *, alone: bool, capitals: bool, expected: bool | None, known: Set[str], codes: Set[str]
) -> bool:
    """Whether a short word is letters that stand for names, such as ``JQS`` or ``tjw``.

    ``alone`` says that it is the whole name, ``capitals`` that the whole name is in capitals; ``expected`` is
    false after a title and true beside a slash (``CJW/mlp``). ``known`` are words that are names in these
    notes, ``codes`` the initials of their people.
    """
    lower = word.lower()
    if word.istitle() or (lower.startswith(("mc", "mac", "la", "de")) and len(word) > 3):
        return False
    plain = normal(word)
    mute = not any(letter in "aeiouy" for letter in plain)
    given, surname = given_bearers(plain), surname_bearers(plain)
    if not alone:
        return len(word) < 4 and word.isupper() and ((mute and surname + given < 1000) or not capitals)
    if expected is False:
        return mute and surname < 1000
    if lower in known or len(word) > 4:
        return False
    if lower in codes or mute or (expected and len(word) < 4) or not (word.isupper() or word.islower()):
        return True
    if len(word) < 4:
        return given < 20_000 if len(word) == 2 else given < 800 and surname < 20_000
    return word.isupper() and given + surname < 100


def parse(text: str, initials: Callable[[str, bool], bool], heads: frozenset[str] = frozenset()) -> Name:
    """Parse a name.

    ``initials(word, alone)`` says whether a short word is letters that stand for a name (``JQS``); a word
    with one capital (``Jane``) never is. ``heads`` are surnames known to follow a particle: with ``hamdan``,
    nobody is called Al in ``Al Hamdan``.
    """
    if text.isascii() and text.isalpha():  # one word: no part of it is kept, not even the letter y
        pieces = _read(text, "", False, lambda word: initials(word, True))
        return Name(tuple(pieces), tuple(Unit((at,), (piece.word,)) for at, piece in enumerate(pieces)))
    pieces = _joined(_pieces(text, initials))
    _keep_fixed(pieces)
    if not any(piece.kind != "kept" for piece in pieces):  # nothing but kept words: they are the name
        pieces = _pieces(text, initials)
    return _units(pieces, heads)


def _pieces(text: str, initials: Callable[[str, bool], bool]) -> list[Piece]:
    """Cut a text into words, letters and what lies between."""
    small = text.replace("İ", "I").lower()  # the one capital whose small letter is two characters long
    start = head.end() if (head := _HEAD.match(small)) else 0
    end = len(text)
    # The patterns for credentials and for what is spelled out are slow: look first whether they can be met.
    if small.rstrip().removesuffix(".").endswith(_TAIL_ENDS) and (tail := _TAIL.search(small, start + 1)):
        end = tail.start() if _TOKEN.search(small, start, tail.start()) else end
    spelled = small.count(" ") >= _LEAST_JOINTS or small.count("-") >= _LEAST_JOINTS
    tokens = list((_SPELLED_TOKEN if spelled else _TOKEN).finditer(small, start, end))
    pieces: list[Piece] = []
    last = 0
    for place, token in enumerate(tokens):
        first = token.start()
        if first > last:
            pieces.append(Piece(text[last:first]))
        last = token.end()
        word = small[first:last]
        # After a single surname JR may be two letters.
        if place and (
            word in _NUMERALS or (word in _SUFFIXES and (len(tokens) > 2 or _is_given(tokens[0][0])))
        ):
            pieces.append(Piece(text[first:last]))
            continue
        dotted = token is not tokens[-1] and text[last : last + 1] == "."
        joint = token["joint"] or "" if spelled else ""
        pieces += _read(text[first:last], joint, dotted, lambda word: initials(word, len(tokens) == 1))
    if last < len(text):
        pieces.append(Piece(text[last:]))
    return pieces


def _is_given(word: str) -> bool:
    plain = normal(word)
    return given_bearers(plain) > surname_bearers(plain)


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces with two words that are one surname as one word: ``Red Cloud`` is Redcloud."""
    for place in range(len(pieces) - 2, 0, -1):
        if place + 1 >= len(pieces):
            continue  # the last two were joined
        one, between, other = pieces[place - 1 : place + 2]
        if one.kind == other.kind == "word" and between.text == " ":
            found = find("surnames", one.word + other.word)
            if found and found.group in _OF_WORDS and given_bearers(one.word) < _FEW_BEARERS:
                text = one.text + between.text + other.text
                pieces[place - 1 : place + 2] = [Piece(text, "word", one.word + other.word)]
    return pieces


def _read(token: str, joint: str, dotted: bool, initials: Callable[[str], bool]) -> list[Piece]:
    """Return the pieces of one token; ``dotted`` says that a full stop follows, and more of the name."""
    if joint:
        word = normal(token.replace(joint, ""))
        return [Piece(token, "word" if word else "odd", word, joint)]
    if token[0].isdigit():
        return [Piece(token, "odd")]
    if token[:3].lower() == "mc ":
        token = token[:2] + token[3:]
    rest = ""
    if len(token) > 3 and token[-2:] in ("'s", "’s"):
        token, rest = token[:-2], token[-2:]
    word = normal(token)
    may_be_letters = len(word) <= _LONGEST_LETTERS and len(word) == len(token) and not token.istitle()
    if len(word) < 2:
        made = [Piece(token, "initial" if word else "odd", word)]
    elif may_be_letters and initials(token):
        made = [Piece(letter, "initial", letter.lower()) for letter in token]
    else:
        short = word in _ABBREVIATED or (dotted and len(word) < 4 and word not in PARTICLES)  # Wm., Ch.
        made = [Piece(token, "word", _ABBREVIATED.get(word, word), short=short)]
    return [*made, Piece(rest)] if rest else made


def _keep_fixed(pieces: list[Piece]) -> None:
    """Mark as kept what is no name: suffixes, words between names, and those of a newborn."""
    content = [number for number, piece in enumerate(pieces) if piece.kind != "kept"]
    newborn = False
    for place, number in enumerate(content):
        piece = pieces[number]
        lower = piece.text.lower()
        between = 0 < place < len(content) - 1 and _is_between(pieces, number, content[place + 1])
        fixed = (place > 0 and lower in _SUFFIXES) or between
        joined = number > 1 and pieces[number - 1].text == "-"  # T-Boy
        before = place == 0 and len(content) > 1 and lower in _NEWBORN_FIRST
        if before or (lower in _NEWBORN and not joined):
            fixed = newborn = True
        elif newborn and piece.kind == "initial" and lower in "abc":
            fixed = True  # Baby Girl B, Twin A
        if fixed:
            pieces[number] = Piece(piece.text)


def _is_between(pieces: Sequence[Piece], number: int, following: int) -> bool:
    """Whether a word joins two names: ``Ortega y Vega``, ``f/k/a``. A middle initial does not."""
    lower = pieces[number].text.lower()
    if len(lower) > 1 or lower not in _BETWEEN:
        return lower in _BETWEEN
    if lower == "y":
        dotted = pieces[number + 1].text.startswith(".")
        small, spanish = pieces[number].text.islower(), group_of(pieces[following].word or "y") == "hi"
        return not dotted and (small or spanish)
    near = "".join(piece.text for piece in pieces[max(0, number - 4) : number + 5]).lower()
    return _FORMERLY.search(near) is not None


def _units(pieces: list[Piece], heads: frozenset[str]) -> Name:
    """Gather the pieces into units."""
    particles = _particles(pieces, heads)
    units: list[Unit] = []
    names: list[str] = []
    comma: int | None = None
    for number, piece in enumerate(pieces):
        if number in particles:
            names.append(piece.word)
        elif piece.kind in ("word", "initial"):
            hyphen = number > 1 and pieces[number - 1].text in ("-", "‐", "‑", "–")
            joined = hyphen and units and piece.kind == "word" and not names
            if joined and units[-1].pieces[-1] == number - 2 and not units[-1].initial:  # unlike T-Bone
                before = units.pop()
                units.append(Unit((*before.pieces, number), (*before.words, piece.word), before.particle))
            else:
                units.append(Unit((number,), (piece.word,), " ".join(names)))
            names = []
        elif comma is None and units and ("," in piece.text or "^" in piece.text):
            comma = len(units)
    if comma == len(units):
        comma = None
    for number in particles:
        pieces[number] = Piece(pieces[number].text)
    return Name(tuple(pieces), tuple(units), comma)


def _particles(pieces: list[Piece], heads: frozenset[str]) -> set[int]:
    """Return the numbers of the pieces that are particles of the surname after them."""
    found: set[int] = set()
    words = [number for number, piece in enumerate(pieces) if piece.kind == "word"]
    if PARTICLES.isdisjoint([pieces[number].word for number in words]):
        return found
    content = [number for number, piece in enumerate(pieces) if piece.kind != "kept"]
    for place in range(len(words) - 2, -1, -1):
        number, follower = words[place], words[place + 1]
        word, after = pieces[number].word, pieces[follower].word
        between = "".join(piece.text for piece in pieces[number + 1 : follower])
        if word not in PARTICLES or between.strip(" .-'’\n") or follower - number > 2:
            continue
        first, hyphen = number == content[0], "-" in between
        known = after in heads or follower in found or (word in BEFORE_NAMES and group_of(after) in _ARABIC)
        if word in _NEVER_FIRST and not hyphen and (first or pieces[words[place - 1]].word not in PARTICLES):
            continue
        if first and word in _ALSO_NAMES and not (hyphen or known or pieces[number].text.islower()):
            continue
        if not (hyphen or known) and _is_name(word, after, "" if first else pieces[words[place - 1]].word):
            continue
        found.add(number)
    return found


def _is_name(word: str, after: str, before: str) -> bool:
    """Whether a particle is rather a name here: ``Van Nguyen``, ``Tran Van Thieu``."""
    if word == "van" and group_of(after) == "vi":
        return True
    if before:
        return word == "van" and surname_bearers(before) > 10 * given_bearers(before) > 0
    return surname_bearers(after) > 20_000 and surname_bearers(word + after) < 50 and given_bearers(word) > 0


# --- writing ----------------------------------------------------------------------------------------------

_INNER_CAPITALS = {
    **{name: f"Mac{name[3:].capitalize()}" for name in _WORDS["capital_after_mac"].split()},
    **{
        name: f"{name[0].upper()}'{name[1:].capitalize()}"
        for name in _WORDS["apostrophe_after_first"].split()
    },
}
_ACCENTED = {
    unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii"): name
    for name in _WORDS["accented"].split()
}


def display(name: str) -> str:
    """Return a name in small letters as it is usually written.

    >>> display("mcdonald"), display("obrien"), display("macleod"), display("smith")
    ('McDonald', "O'Brien", 'MacLeod', 'Smith')
    """
    if name in _INNER_CAPITALS:
        return _INNER_CAPITALS[name]
    return f"Mc{name[2:].capitalize()}" if name.startswith("mc") and len(name) > 4 else name.capitalize()


def apostrophe_parts(name: str) -> Sequence[str]:
    """Return what stands before and after the apostrophe of a name in small letters, if it is written so.

    >>> apostrophe_parts("obrien"), apostrophe_parts("smith")
    (['o', 'brien'], ())
    """
    shown = _INNER_CAPITALS.get(name, "")
    return shown.casefold().split("'") if "'" in shown else ()


def cased(word: str, like: str) -> str:
    """Return a word in the case of another one.

    >>> cased("mcdonald", "SMITH"), cased("mcdonald", "Smith"), cased("mcdonald", "smith")
    ('MCDONALD', 'McDonald', 'mcdonald')
    """
    shown = display(word)
    if like.islower():
        return shown.lower()
    if len(like) > 1 and 4 * sum(map(str.islower, like)) <= len(like):  # OCR reads I as l: STURDlVANT
        return shown.upper()
    return shown


def write(word: str, piece: Piece, *, dotted: bool = False) -> str:
    """Return a surrogate word in the writing of a piece: case, accents, spelled out or abbreviated."""
    if piece.short and dotted:  # Wm. becomes R., not Robert.
        return cased(word, piece.text)[:1]
    if piece.joint:
        return piece.joint.join(word.upper() if piece.text.isupper() else word)
    if not piece.text.isascii():
        word = _ACCENTED.get(word, word)
    return cased(word, piece.text)
