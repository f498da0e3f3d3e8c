"""People: who is named, and whether as patient, relative or provider.

How much a word is a name by itself (its level) comes from the vocabulary; a title, relation, role, label
or credential beside it, a second name word or somebody acting decides. Ordinary words (``Small``, ``May``)
and eponyms (``Foley``) need such a neighbour.
"""

from __future__ import annotations

from plainsight.detect.lexicon.cues import CREDENTIALS, CUES, EPONYM_NOUNS, SPEECH, Cue
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.name_parts import (
    DOTTED,
    JOINED,
    credential_follows,
    extend,
    left_of,
    level_at,
)
from plainsight.detect.lexicon.scan import Scan

_AFTER_TITLE = frozenset({b" ", b". ", b".", b"  "})
_AFTER_INITIAL = frozenset({b" ", b". ", b"."})
_COMMA = frozenset({b", ", b",", b" , "})
_GOES_ON = JOINED | _COMMA
_QUOTES = frozenset({b' "', b' ("', b', "', b" '", b" ('"})
_SHORT_TITLES = frozenset(b"fr mr lt ms capt".split())
_BEFORE_FINDING = frozenset(
    b"""no neg negative positive pos absent a an the another this each equivocal modified revised curved
    straight small large using right left bilateral french fr standard hurricane""".split()
)
_HARDLY = Is.KNOWN | 2  # set in KNOWN alone, the level is 1 at most
_PATIENT_WORDS = frozenset(
    b"pt pts patient client infant newborn baby child boy girl veteran inmate twin name".split()
)


def find_names(scan: Scan) -> None:
    """Claim every person in the text."""
    flags, gaps, taken, words = scan.flags, scan.gaps, scan.taken, scan.words
    done, count = -1, scan.count
    for index in scan.having(Is.TITLE | Is.LEVEL, unknown=True):
        if taken[index] or index <= done:
            continue
        flag = flags[index]
        if flag & Is.TITLE:
            if gaps[index + 1] in _AFTER_TITLE and index + 1 < count:
                done = max(done, _after_title(scan, index))
            continue
        word = words[index]
        if not flag & Is.KNOWN and len(word) < 5:
            if len(word) > 1:
                if word.isupper() and not _short_name(scan, index):
                    continue
            elif gaps[index + 1] not in _AFTER_INITIAL or index + 1 >= count:
                continue
            elif flags[index + 1] & (Is.KNOWN | Is.LEVEL) == Is.KNOWN:
                continue  # no name follows the initial
        if gaps[index][-1:].isalnum():
            continue
        if gaps[index + 1] in _GOES_ON or len(word) == 1:
            done = max(done, _claim_at(scan, index))
        else:
            left = left_of(scan, index)
            if left.weight < 2 and (flag & Is.LEVEL < 3 or flag & Is.EPONYM or word.isupper()):
                continue  # nothing announces it, and by itself it is not enough
            verdict = _judge_word(scan, index, left)
            if verdict is None:
                continue
            scan.claim(index, index, *verdict)
            done = index
        if done >= index and done + 1 < count and gaps[done + 1] in _QUOTES:
            _nickname(scan, done + 1)


def _short_name(scan: Scan, index: int) -> bool:
    """Return whether a short unknown word in capitals may start a name where it stands."""
    if b":" in scan.gaps[index] and b":" in scan.left(index):
        return True
    return index + 1 < scan.count and scan.lows[index + 1] in CREDENTIALS


def _nickname(scan: Scan, index: int) -> None:
    """Claim a quoted name right after a name: ``Oswald "Ozzie"``, ``Henrietta ("Hetty")``."""
    closed = scan.gaps[index + 1][:1] in (b'"', b"'")
    if closed and not (
        scan.taken[index] or scan.flags[index] & (Is.TITLE | Is.CUE | Is.STOP) or len(scan.words[index]) < 3
    ):
        scan.claim(index, index, scan.claims[-1][2], 0.9, "nickname")


def _after_title(scan: Scan, index: int) -> int:
    """Claim the name after a title; return its last word, or the title when no name follows."""
    name = index + 1
    word, flag, title = scan.words[name], scan.flags[name], scan.words[index]
    if scan.taken[name] or (len(word) < 2 and scan.gaps[name + 1] not in (b". ", b".")):
        return index
    if (flag & (Is.HEADS) and not flag & Is.NAME) or (flag & (Is.TITLE | Is.CUE) and not flag & Is.LAST):
        return index
    if title.isupper() and len(title) > 1 and word.isupper() and flag & Is.KNOWN and not flag & Is.NAME:
        return index  # in capitals a title may be an abbreviation: LT HIP
    if flag & Is.STOP and word.isupper():
        return index
    if scan.lows[index] in _SHORT_TITLES and (
        scan.gaps[index][-2:-1].isdigit()
        or (flag & Is.KNOWN and not flag & Is.NAME)
        or (b"-" in word and not flag & Is.LEVEL)
    ):
        return index  # 28 Fr CT, MR L-spine
    last = max(name, extend(scan, name))
    if last == name and len(word) < 2:
        return index
    scan.claim(name, last, CUES[scan.lows[index]].label, 0.97, "title")
    return last


def _claim_at(scan: Scan, index: int) -> int:
    """Claim the name that starts at a word; return its last word, or less when there is none."""
    last = extend(scan, index) if scan.gaps[index + 1] in JOINED or len(scan.words[index]) == 1 else index
    if last < index:
        return -1
    if scan.gaps[last + 1] in _COMMA and last + 1 < scan.count:
        found = _last_first(scan, index, last)
        if found is not None:
            scan.claim(index, found[0], found[1], found[2], "last_first")
            return found[0]
    left = left_of(scan, index)
    if last > index:
        judged = _judge_words(scan, index, last, left)
    elif left.weight < 2 and scan.flags[index] & _HARDLY == Is.KNOWN:
        return -1
    else:
        judged = _judge_word(scan, index, left)
    if judged is None:
        return -1
    scan.claim(index, last, judged[0], judged[1], judged[2])
    return last


Verdict = tuple[str, float, str] | None
"""Label, score and rule, or nothing."""


def _judge_word(scan: Scan, index: int, left: Cue) -> Verdict:
    """Decide whether one word is a name."""
    level = level_at(scan, index)
    if not level:
        return None
    flag, word = scan.flags[index], scan.words[index]
    weight, label = left.weight, left.label
    if weight == 3:
        return label, 0.97, "title"
    if (level > 1 or weight > 1) and credential_follows(scan, index):
        return "DOCTOR", 0.97, "credential"
    eponym, upper = flag & Is.EPONYM, word.isupper()
    if weight < 2:
        if level < 3 or eponym or upper:
            return None
        if scan.gaps[index + 1][:2].strip().isdigit() or scan.before(index) in _BEFORE_FINDING:
            return None
        if _eponymous(scan, index):
            return None
        if not scan.starts_sentence(index):
            return label, 0.8, "single"
        return (label, 0.75, "acting") if flag & Is.COMMON and _acts(scan, index) else None
    if (eponym and _eponymous(scan, index)) or (flag & Is.KNOWN and not flag & Is.NAME):
        return None
    if flag & Is.CALENDAR and scan.gaps[index + 1][:2].strip().isdigit():
        return None
    if weight == 4:
        return None if upper and level < 2 and flag & Is.KNOWN else (label, 0.95, "label")
    if (upper and not scan.in_capitals(index)) or not _fits_cue(scan, index, level, left):
        return None
    return label, 0.93, "relation"


def _judge_words(scan: Scan, first: int, last: int, left: Cue) -> Verdict:
    """Decide whether several words, some perhaps initials, make a name."""
    flags, words = scan.flags, scan.words
    spelled = [i for i in range(first, last + 1) if len(words[i]) > 1]
    levels = [level_at(scan, i) for i in spelled]
    if not spelled or not any(levels):
        return None
    best, least, label = max(levels), min(levels), left.label
    if left.weight == 3:
        return label, 0.97, "title"
    if credential_follows(scan, last):
        return "DOCTOR", 0.97, "credential"
    eponym = any(flags[i] & Is.EPONYM for i in spelled)
    if (eponym or left.weight < 2) and _eponymous(scan, last):
        return None
    upper = words[spelled[0]].isupper()
    if left.weight == 4 and not (upper and best < 2 and flags[spelled[0]] & Is.KNOWN):
        return label, 0.95, "label"
    if (
        left.weight == 2
        and not (upper and not scan.in_capitals(spelled[0]))
        and _fits_cue(scan, first, best, left)
    ):
        return label, 0.93, "relation"
    if len(spelled) == 1:
        return _judge_initialled(scan, first, best, eponym, left)
    if upper and len(words[first]) > 1 and not (flags[first] & Is.FIRST and levels[0] == 3):
        return None
    if best == 3 and flags[spelled[0]] & Is.FIRST and least and not (eponym and least < 2):
        return label, 0.93, "full_name"
    if best == 3 and least > 1:
        return label, 0.85, "full_name"
    if best == least == 2 and not eponym and not scan.starts_sentence(first):
        return label, 0.7, "unknown_name"
    return None


def _judge_initialled(scan: Scan, first: int, level: int, eponym: bool, left: Cue) -> Verdict:
    """Decide on a name and an initial: ``S. Quillerby``, ``Marta D.``."""
    initial = len(scan.words[first]) == 1
    if initial and (
        (scan.words[first] in (b"A", b"I") and scan.gaps[first + 1] == b" ")
        or (scan.gaps[first] == b" " and first and not left.weight)
    ):
        return None
    dotted = initial and scan.gaps[first + 1] in (b". ", b".")
    return (
        (left.label, 0.9, "initials_name") if (level == 3 and not eponym) or (level == 2 and dotted) else None
    )


def _fits_cue(scan: Scan, first: int, best: int, left: Cue) -> bool:
    """Return whether a word may be the name that a relation or role announces."""
    flag, word = scan.flags[first], scan.words[first]
    if word.isupper() and len(word) > 1:
        kin = left.label == "PATIENT" and scan.before(first) not in _PATIENT_WORDS
        return (bool(flag & Is.NAME) and best >= 2) or (kin and not flag & Is.KNOWN)
    if scan.before(first) in (b"by", b"per"):  # by Fick, by Uniplate: a method until a name says otherwise
        return bool(flag & Is.NAME) and not flag & Is.EPONYM
    return best >= 2 or bool(flag & Is.NAME)


def _last_first(scan: Scan, first: int, last: int) -> tuple[int, str, float] | None:
    """Recognise ``OKAFOR, CHIDI B``: the last word, label and score."""
    given, words, flags = last + 1, scan.words, scan.flags
    flag = flags[given]
    if (
        scan.taken[given]
        or len(words[given]) < 2
        or last - first > 2
        or (flag & Is.KNOWN and not flag & Is.FIRST)
    ):
        return None
    upper = words[given].isupper()
    if upper != words[last].isupper() or (upper and scan.lows[given] in CREDENTIALS):
        return None
    surname, name = level_at(scan, last), level_at(scan, given)
    if not name or not surname:
        return None
    left = left_of(scan, first)
    field = left.weight == 4 or scan.starts_line(first) or scan.gaps[first][-2:] == b"  "
    if not field:
        if not flag & Is.FIRST or name < 3 or not (surname > 1 or (upper and not flags[last] & Is.KNOWN)):
            return None
        if not upper and (not flag & Is.COMMON or any(flags[i] & Is.EPONYM for i in range(first, given + 1))):
            return None
    elif name + surname < 3 and left.weight < 4:
        return None
    end = given
    while end + 1 < scan.count and end - given < 2 and not scan.taken[end + 1]:
        gap, following = scan.gaps[end + 1], words[end + 1]
        if len(following) == 1:
            dotted = scan.text.startswith(DOTTED, scan.starts[end + 1])
            if gap not in (b" ", b". ") or dotted or scan.gaps[end + 2][:1] == b"-":
                break
        elif (
            gap != b" "
            or following.isupper() != upper
            or level_at(scan, end + 1) < 2
            or scan.lows[end + 1] in CREDENTIALS
        ):
            break
        end += 1
    doctor = (left.weight and left.label == "DOCTOR") or credential_follows(scan, end)
    return end, "DOCTOR" if doctor else "PATIENT", 0.95 if field else 0.85


def _eponymous(scan: Scan, last: int) -> bool:
    """Return whether what follows makes a word the name of a disease, sign, score or tool."""
    gap = scan.gaps[last + 1]
    if gap[:1] == b"'":
        pieces = gap.removeprefix(b"'s").removeprefix(b"'").split(None, 1)
        word = pieces[0] if pieces else scan.lows[last + 1] if last + 1 < scan.count else b""
        return word.rstrip(b".,;:)") in EPONYM_NOUNS
    return scan.after(last) in EPONYM_NOUNS


def _acts(scan: Scan, last: int) -> bool:
    """Return whether the word right of a name shows somebody acting."""
    after = scan.gaps[last + 1]
    return after.startswith((b"'s ", b" (", b' "')) or scan.after(last) in SPEECH
