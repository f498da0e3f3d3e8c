"""What a name is made of: the words that belong to it, and what stands left and right of it."""

from __future__ import annotations

from plainsight.detect.lexicon.cues import CREDENTIALS, CUES, LABELS, SHARED_CREDENTIALS, Cue, ends_medically
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.scan import Scan
from plainsight.note_cache import note_cache

DOTTED = tuple(
    b"""M.D D.O R.N Ph.D D.P.M D.D.S M.B D.C. P.A L.P.N N.P R.Ph S.T Psy.D M.S D.M.D F.A.C O.D Ed.D P.C
    L.L""".split()
)
"""How credentials with dots begin."""

_PARTICLES = frozenset(
    b" %s " % particle
    for particle in (
        b"de", b"del", b"de la", b"de los", b"de las", b"da", b"dos", b"das", b"do", b"van", b"van der",
        b"van den", b"van de", b"von", b"von der", b"der", b"den", b"bin", b"ibn", b"al", b"el", b"la", b"le",
        b"di", b"du", b"y",
    )
)  # fmt: skip
JOINED = _PARTICLES | {b" "}
"""What may stand between the words of a name."""

_AFTER_INITIAL = frozenset({b". ", b".", b" "})
_BEFORE_CREDENTIAL = frozenset({b", ", b" ", b",", b" , ", b"  ", b"., "})
_AFTER_TITLE = frozenset({b" ", b". ", b".", b"  ", b".  "})
_AFTER_CUE = frozenset({b", ", b" (", b' "'})
_PREFIXES = tuple(b"Mc Mac De La Le Di Van Fitz O' D' Du Da El Al".split())
_SHORT = 24  # longer gaps hardly come twice
_SIGNS = b" .:,(\"'\t_#*-"


_NOTHING = Cue("PATIENT", 0)
_THERAPIST = Cue("DOCTOR", 2)  # PT in a text with small letters is a therapist, Pt a patient
_LABEL = {label: Cue(label, 4) for label in ("PATIENT", "DOCTOR")}


def level_at(scan: Scan, index: int) -> int:
    """Return how much a word is a name by itself, given how its neighbours are written.

    3 is a name and little else, 2 a name as much as a word, or unknown; 1 a possible name; 0 none.
    """
    flag, word = scan.flags[index], scan.words[index]
    if flag & Is.KNOWN:
        level = flag & Is.LEVEL
        if len(word) < 4 and word.isupper():
            return min(level, 1) if scan.in_capitals(index) else 0
        return level
    if len(word) < 3:
        return 1 if len(word) == 2 and word.istitle() else 0
    if ends_medically(scan.lows[index]):
        return 0
    if word.istitle() or word.startswith(_PREFIXES):
        return 2
    return 1 if word.isupper() and len(word) > 3 and scan.in_capitals(index) else 0


def left_of(scan: Scan, index: int) -> Cue:
    """Return what the word left of a name says."""
    gap = scan.gaps[index]
    if gap == b" " and index:
        if scan.words[index - 1] == b"PT" and not scan.words[index].isupper():
            return _THERAPIST
        return CUES.get(scan.lows[index - 1], _NOTHING)
    cue = _said_in_short(gap) if len(gap) < _SHORT else _said_in(gap)
    if cue is not None:
        return cue
    return _said(scan.lows[index - 1], gap) if index else _NOTHING


def _said_in(gap: bytes) -> Cue | None:
    """Return what stands in a gap right before a name; None where the word before the gap may say it."""
    if gap[-1:] == b" ":
        word = gap[gap.rfind(b" ", 0, -1) + 1 : -1]
        if word.isalpha():
            return CUES.get(word, _NOTHING)
    tail = gap.rstrip(_SIGNS)
    last = tail[-1:]
    if last in b"\n" and not tail.strip(b"\n"):
        return _NOTHING if tail and b":" not in gap else None
    if not last.isalpha() and last != b"/":
        return _NOTHING
    word = tail[tail.rfind(b" ") + 1 :]
    return _said(word if word.isalpha() else _last_piece(word), gap[len(tail) :])


_said_in_short = note_cache(1 << 14)(_said_in)


def _said(word: bytes, signs: bytes) -> Cue:
    """Return what a word says of a name after it, with some signs between them."""
    if b":" in signs or b".." in signs:
        return _LABEL.get(LABELS.get(word, ""), _NOTHING)
    cue = CUES.get(word, _NOTHING)
    if cue.weight == 3:
        return cue if signs in _AFTER_TITLE else _NOTHING
    if signs == b" " or (
        signs in _AFTER_CUE and cue.weight == 2 and len(word) > 2 and word not in CREDENTIALS
    ):
        return cue
    return _NOTHING


def _last_piece(word: bytes) -> bytes:
    """Return what of a word with signs in it stands last: ``(wife``, ``w/``, ``mom/dad``."""
    word = word[max(word.rfind(b"\n"), word.rfind(b"("), word.rfind(b"\t")) + 1 :]
    slash = word.rfind(b"/")
    return word[slash + 1 :] if 0 < slash < len(word) - 1 else word


def extend(scan: Scan, index: int) -> int:
    """Return the last word of the name that starts at a word, or -1 when an initial stands alone."""
    words, gaps, flags = scan.words, scan.gaps, scan.flags
    last, alone = index, len(words[index]) == 1
    upper = words[index].isupper() and not alone
    while last + 1 < scan.count and last - index < 4:
        following = last + 1
        gap, word = gaps[following], words[following]
        if scan.taken[following] or gap not in (_AFTER_INITIAL if len(words[last]) == 1 else JOINED):
            break
        if len(word) == 1:
            after = gaps[following + 1][:1]
            if after.isdigit() or after == b"-" or scan.text.startswith(DOTTED, scan.starts[following]):
                break
        elif not _continues(scan, index, following, upper):
            break
        last = following
    # a name may end in an initial only with its dot or at an edge, and only after a first name
    while last > index and len(words[last]) == 1 and gaps[last + 1][:1] not in b".,)\n":
        last -= 1
    if last > index and len(words[last]) == 1 and not flags[index] & Is.FIRST and not alone:
        last -= 1
    return -1 if alone and last == index else last


def _continues(scan: Scan, index: int, following: int, upper: bool) -> bool:
    """Return whether a spelled-out word goes on with the name that starts at ``index``."""
    word, flag = scan.words[following], scan.flags[following]
    if word.isupper() and scan.lows[following] in CREDENTIALS:
        return False
    alone = len(scan.words[index]) == 1
    if word.isupper() != upper and not alone:
        return False
    level = level_at(scan, following)
    if level < 2:
        first = scan.flags[index]
        if not level or following > index + 1 or not (alone or first & Is.FIRST or not first & Is.KNOWN):
            return False
    if flag & (Is.HEADS) and not flag & Is.PURE:
        return False
    return not (upper and level < 3 and (flag & Is.KNOWN or scan.gaps[following + 1] == b" "))


def credential_follows(scan: Scan, last: int) -> bool:
    """Return whether a credential stands right of a name."""
    following = last + 1
    if following >= scan.count or scan.gaps[following] not in _BEFORE_CREDENTIAL:
        return False
    low = scan.lows[following]
    if low in CREDENTIALS:
        return scan.words[following].isupper() or low not in SHARED_CREDENTIALS
    return scan.text.startswith(DOTTED, scan.starts[following])
