"""Places of care and organisations: a telling last word with a name before it, or a listed name."""

from __future__ import annotations

from plainsight.detect.lexicon.cues import CREDENTIALS, EPONYM_NOUNS, ends_medically
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.phrases import Match
from plainsight.detect.lexicon.scan import Scan
from plainsight.detect.lexicon.vocabulary import Head

_OF = frozenset({b" of ", b" of the ", b" for ", b" for the "})
_AND = frozenset({b" & ", b" and "})
_PLAIN = frozenset({b" ", b"'s ", b"' ", b" de ", b" del ", b" la ", b" de la ", b" du ", b" au ", b" aux "})
_FOR = frozenset(
    b"""hospital center centre institute home school society foundation clinic department bureau office
    association fund""".split()
)
_HOSPITALS = frozenset(b"hospital hosp clinic infirmary vamc".split())
_DULL = Is.GENERIC | Is.STOP | Is.HEADS
_SAINTS = frozenset({b"St", b"ST", b"Saint", b"SAINT"})
_LEFT_LINKS = _OF | _AND | _PLAIN | {b". ", b"/"}
_ABBREVIATED = frozenset({b"st", b"mt", b"ft", b"sr", b"ste"})
_AT = frozenset(b"at from to @ via in near outside through by".split())
_EMPLOYED = frozenset(
    b"""at for by employer insurance payer payor ins attends joined via from with through carrier school
    church""".split()
)
_SURE_GAPS = frozenset({b" at ", b"\nat ", b" -> ", b" @ "})
_TO_GAPS = frozenset({b" to ", b"rom ", b"via "})
_AT_TAILS = _SURE_GAPS | _TO_GAPS
# Sun Coast Hospital, May Clinic: in a name of a place a month or a season is no date
_SEASONS = frozenset(
    b"sun may march spring summer winter autumn fall april june august advent christmas easter".split()
)
_NOT_AFTER = frozenset(
    b"""scale test index score inventory questionnaire form act program protocol criteria rule
    classification note report record summary plan history assessment provider team records screening
    survey scan staging grade unit shed""".split()
)
_LOWER = (
    b"clinic", b"hospital", b"lab", b"pharmacy", b"nursing home", b"rehab", b"hospice", b"memory care",
    b"urgent care", b"medical center", b"health center", b"surgery center", b"house", b"school", b"church",
)  # fmt: skip
_LOWER_STARTS = frozenset(b" " + word[:2] for word in _LOWER)


def find_facilities(scan: Scan, matches: list[Match]) -> None:
    """Claim hospitals and organisations in the text."""
    taken, gaps = scan.taken, scan.gaps
    listed = [match for match in matches if match.phrase.kind.startswith(("HOSPITAL", "ORGANIZATION"))]
    for match in listed:
        if b" " in match.phrase.text and not _goes_on(scan, match):
            _listed(scan, match)
    for index in scan.having(Is.HEADS)[::-1]:
        if not taken[index]:
            _by_head(scan, index)
    for match in listed:
        if not taken[match.first]:
            _listed(scan, match)
    for index in scan.having(0, unknown=True):
        if gaps[index][-4:] in _AT_TAILS and not taken[index]:
            _at(scan, index)
        if gaps[index + 1][:3] in _LOWER_STARTS and not taken[index]:
            _lower_head(scan, index)
    words = scan.words
    for index in [i for i in scan.having(Is.PHRASE) if words[i] in _SAINTS]:  # many a listed place begins so
        _saint(scan, index)


def _goes_on(scan: Scan, match: Match) -> bool:
    """Return whether a telling word follows a listed name, so that a longer name is meant."""
    following = match.last + 1
    if following >= scan.count or scan.gaps[following] not in _LEFT_LINKS:
        return False
    return bool(scan.flags[following] & (Is.HEADS | Is.GENERIC))


def _match_head(scan: Scan, index: int) -> tuple[Head, int] | None:
    """Return the longest head that ends at a word, and the characters it has beyond the word."""
    start, end, low = scan.starts[index], scan.ends[index], scan.low
    for head in scan.vocabulary.heads.get(scan.lows[index], ()):  # DAUGHTER'S has the flags of daughters
        more = len(head.text) - head.text.rfind(scan.lows[index]) - (end - start)
        begin = end + more - len(head.text)
        if begin < 0 or not low.startswith(head.text, begin) or low[begin - 1 : begin].isalnum():
            continue
        if not low[end + more : end + more + 1].isalnum():
            return head, more
    return None


def _by_head(scan: Scan, index: int) -> None:
    """Claim the run of capitalised words that ends in a telling word."""
    words, flags = scan.words, scan.flags
    if scan.gaps[index] not in _LEFT_LINKS and scan.gaps[index + 1][:3] not in (b" of", b"'s "):
        return
    found = _match_head(scan, index)
    if found is None:
        return
    head, more = found
    upper = words[index].isupper()
    before, begin = index, scan.ends[index] + more - len(head.text)
    while before and scan.starts[before - 1] >= begin:
        before -= 1
    if words[before].isupper() != upper or scan.after(index) in _NOT_AFTER:
        return
    if not head.strong and before and scan.gaps[before] == b" " and scan.lows[before - 1] in _HOSPITALS:
        return  # the laboratory of a hospital: the hospital is the name
    if (
        upper
        and len(words[index]) < 5
        and before
        and scan.gaps[before] == b" "
        and not words[before - 1].isupper()
    ):
        upper = False  # Tolbury Point VAMC
    first = _run_left(scan, before, upper, header=False)
    if upper and head.strong:
        wide = _run_left(scan, before, upper, header=True)
        first = wide if before - wide < 6 and _opens_field(scan, wide) else first
    last = _run_right(scan, index, upper, more)
    telling = [
        i
        for i in (*range(first, before), *range(index + 1, last + 1))
        if flags[i] & Is.PURE
        or (not flags[i] & _DULL and (not flags[i] & Is.MEDICAL or flags[i] & (Is.WORD | Is.CITY)))
    ]
    if not telling:
        return
    named = any(_is_name(scan, i, upper) for i in telling)
    if (not named and not _may_be_words(scan, first, index, more, head, telling)) or (
        upper and not (head.strong or (named and len(telling) > 1))
    ):
        return
    if first + 1 < before and scan.starts_sentence(first):
        verb = scan.lows[first].endswith((b"ing", b"ed"))
        if verb or (first not in telling and flags[first] & Is.MEDICAL):
            first += 1  # Staying Nevada Hotel
    rule = "facility" if head.label == "HOSPITAL" else "organization"
    score = 0.95 if named and head.strong else 0.85 if named else 0.75
    scan.claim(
        first, last, head.label, score, rule if named else f"{rule}_words", more=more if last == index else 0
    )


def _may_be_words(scan: Scan, first: int, index: int, more: int, head: Head, telling: list[int]) -> bool:
    """Return whether ordinary words before a head make a name where they stand: ``at Sunrise Manor``."""
    field = _opens_field(scan, first) and _closes_field(scan, index, more)
    if scan.words[index].isupper():
        return head.strong and field
    before = scan.before(first)
    if head.strong or field or before in _AT or before == b"the":
        return True
    if scan.starts_line(first):
        return len(telling) > 1 and any(scan.flags[i] & Is.NAME for i in telling)
    return (len(telling) > 1 or scan.gaps[first] == b", ") and not scan.starts_sentence(first)


def _is_name(scan: Scan, index: int, upper: bool) -> bool:
    flag = scan.flags[index]
    if not flag & Is.KNOWN:
        return len(scan.words[index]) > (4 if upper else 2)
    return bool(flag & (Is.PURE | Is.MIXED | Is.CITY | Is.STATE | Is.COUNTRY))


def _opens_field(scan: Scan, index: int) -> bool:
    """Return whether a word opens a line, a column or a labelled field."""
    gap = scan.gaps[index]
    return scan.starts_line(index) or gap[-2:] in (b"  ", b": ", b"* ", b"| ", b"- ") or gap[-1:] == b"\t"


def _closes_field(scan: Scan, index: int, more: int) -> bool:
    """Return whether a word closes a line, a column or an entry of an address."""
    gap = scan.gaps[index + 1][more:]
    return not gap or gap[:1] in b"\n,\t|*" or gap[:2] in (b"  ", b" (", b" |", b" *", b" -")


def _run_left(scan: Scan, first: int, upper: bool, *, header: bool) -> int:
    """Return where the capitalised words that belong to a head start.

    In capitals only names and grammar belong to it, unless the whole run is a header.
    """
    words, flags, gaps, lows = scan.words, scan.flags, scan.gaps, scan.lows
    stop = max(0, first - 6)
    while first > stop:
        gap, previous = gaps[first], first - 1
        flag, word = flags[previous], words[previous]
        if scan.taken[previous] or flag & Is.STOP or (flag & Is.CALENDAR and lows[previous] not in _SEASONS):
            break
        if gap in _OF:
            if not flag & (Is.HEADS | Is.GENERIC) or (gap[:4] == b" for" and lows[previous] not in _FOR):
                break
        elif gap in _AND:
            if flag & (Is.HEADS) and gap == b" and ":
                break
        elif gap == b". ":
            if len(word) > 1 and lows[previous] not in _ABBREVIATED:
                break
        elif gap not in _PLAIN or len(word) == 1:
            break
        if word.isupper() != upper and len(word) > 1:
            # UNC Medical Center: an acronym may open a name
            if upper or len(word) > 5 or not word.isupper() or flag & (Is.MEDICAL | Is.WORD | Is.CUE):
                break
            if lows[previous] in CREDENTIALS:
                break
            return previous
        if upper and not header and flag & Is.WORD and not flag & (Is.NAME | Is.GENERIC | Is.HEADS):
            break
        first = previous
    return first


def _run_right(scan: Scan, index: int, upper: bool, more: int) -> int:
    """Return the last word of ``Hospital of Saint Elwin``, ``University of Oregon``."""
    if scan.gaps[index + 1][more:] not in (b" of ", b" of the ") or index + 1 >= scan.count:
        return index
    last = index + 1
    if scan.taken[last] or scan.flags[last] & (Is.STOP | Is.MEDICAL) or scan.words[last].isupper() != upper:
        return index
    while last + 1 < scan.count and last - index < 4 and scan.gaps[last + 1] in (b" ", b". ", b" and "):
        following = last + 1
        if (scan.gaps[following] == b". " and scan.lows[last] not in _ABBREVIATED) or scan.taken[following]:
            break
        if scan.flags[following] & (Is.STOP | Is.MEDICAL) or scan.words[following].isupper() != upper:
            break
        last = following
    return last


def _lower_head(scan: Scan, index: int) -> None:
    """Claim ``Tolbury clinic``, ``Wexmoor lab``: a name before a telling word without capital."""
    gap, word = scan.gaps[index + 1], scan.words[index]
    if len(word) < 4 or ends_medically(scan.lows[index]):
        return
    for head in _LOWER:
        if gap.startswith(head, 1) and not gap[1 + len(head) : 2 + len(head)].isalpha():
            scan.claim(index, index, "HOSPITAL", 0.8, "lower_head", more=1 + len(head))
            return


def _at(scan: Scan, index: int) -> None:
    """Claim a short or unknown name where only a place can stand: ``seen at KRMC``, ``PT at Ostermere``."""
    word = scan.words[index]
    if len(word) < 2:
        return
    sure = scan.gaps[index][-4:] in _SURE_GAPS
    if word.isupper():
        if not sure and not 2 < len(word) < 6:
            return
        if not scan.in_capitals(index) and len(word) < 7 and b"-" not in word:
            scan.claim(index, index, "HOSPITAL", 0.7, "at_acronym")
    elif sure and len(word) > 3 and scan.gaps[index + 1] != b" ":
        scan.claim(index, index, "HOSPITAL", 0.7, "at_name")


def _saint(scan: Scan, index: int) -> None:
    """Claim ``St. Elwin's`` and ``Saint Mary`` where no street or city is meant."""
    saint = index + 1
    if (
        scan.taken[index]
        or saint >= scan.count
        or scan.taken[saint]
        or scan.gaps[saint] not in (b". ", b" ", b".")
    ):
        return
    possessive = scan.gaps[saint + 1].startswith(b"'s")
    flag = scan.flags[saint]
    if not scan.words[saint].istitle() or not (flag & Is.PURE or (possessive and not flag & Is.KNOWN)):
        return
    town = scan.low[scan.starts[index] : scan.ends[saint]] in scan.vocabulary.phrases
    if possessive or (scan.before(index) in _AT and not town):
        scan.claim(index, saint, "HOSPITAL", 0.85, "saint", more=2 if possessive else 0)


def _listed(scan: Scan, match: Match) -> None:
    """Claim a listed hospital, pharmacy, laboratory, employer, insurer or agency."""
    first, last, more, phrase = match
    if any(scan.taken[first : last + 1]):
        return
    before = scan.before(first)
    label, _, condition = phrase.kind.partition("_")
    if condition == "ACRONYM" and not (scan.words[first].isupper() and before in _AT):
        return
    if condition == "CUE" and not (before in _EMPLOYED or _labelled(scan, first)):
        return
    if (
        label == "HOSPITAL"
        and not condition
        and b" " not in phrase.text
        and scan.flags[first] & (Is.NAME | Is.WORD)
    ):
        named = scan.after(first) not in EPONYM_NOUNS and not scan.gaps[first + 1].startswith(b"'s")
        if before not in _AT and not (before == b"the" and named):
            return
    while label == "HOSPITAL" and not more and last + 1 < scan.count and scan.gaps[last + 1] == b" ":
        flag, word = scan.flags[last + 1], scan.words[last + 1]
        if (
            scan.taken[last + 1]
            or not word.istitle()
            or (flag & Is.KNOWN and (flag & Is.WORD or not flag & (Is.CITY | Is.PURE)))
        ):
            break
        last += 1  # Kaiser Modesto
    scan.claim(first, last, label, 0.88, "listed", more=more)


def _labelled(scan: Scan, index: int) -> bool:
    """Return whether a form label such as ``Employer:`` stands before a word."""
    gap = scan.gaps[index]
    if b":" not in gap:
        return False
    pieces = gap.rstrip(b" :").split()
    return (pieces[-1].lower() if pieces else scan.lows[index - 1] if index else b"") in _EMPLOYED
