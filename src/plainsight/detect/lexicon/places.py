"""Cities, states, countries and other places, by list, by neighbour and by the word before."""

from __future__ import annotations

from bisect import bisect_right

from plainsight.detect.lexicon.compiled import Phrase
from plainsight.detect.lexicon.cues import CREDENTIALS, EPONYM_NOUNS
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.landmarks import claim_landmark
from plainsight.detect.lexicon.phrases import Match
from plainsight.detect.lexicon.scan import FACILITY, PLACE, Scan

_KINDS = frozenset({"CITY", "STATE", "COUNTRY", "PEOPLE", "LOCATION_OTHER"})
_IN = frozenset(b"in from near outside visiting".split())
_TO = frozenset(
    b"""to of at through around across via between toward towards reached lives lived born arrived visited
    past""".split()
)
_COMMA = frozenset({b", ", b" ", b",", b"  ", b" , "})
_PEOPLE_NOUNS = frozenset(
    b"""man woman male female immigrant immigrants national native citizen refugee refugees born descent
    origin gentleman lady family couple mother father parents grandmother grandfather wife husband
    passport visa army heritage ancestry boy girl""".split()
)
_AFTER_STREET = frozenset({b", ", b"; ", b",  ", b",\n"})
_AMBIGUOUS_COUNTRIES = frozenset(
    b"""turkey china jordan chad georgia israel guinea chile holland ireland wales kenya india cyprus
    england""".split()
)
_SHARED_CODES = frozenset(b"md pa ma ms do ct id pe as pt".split())
_WORD_CODES = frozenset(b"in or ok me hi oh la de co al on".split())
_STREET_ENDS = frozenset(
    b"""st street rd road ave avenue av ln lane dr drive blvd ct court pl place way ter terrace cir circle
    pike hwy highway box sq square delivery south north east west park apt suite ste floor fl""".split()
)
_FACILITIES = frozenset({"HOSPITAL", "ORGANIZATION"})
_LICENSED = frozenset(
    b"lic license licence dl plate plates tag law registry driver's drivers medicaid drivers'".split()
)
_SPOKEN = frozenset(b"speaking interpreter interpreters translator language speaker speakers".split())
_SHORT_STATES = frozenset(b"calif okla fla tenn mich minn wisc penna ala ariz cali mass jersey".split())
# The last four characters before a word that follows in, from, near, to, of, at: a place may stand there.
_PLACE_GAPS = frozenset(
    {b" in ", b"\nin ", b"(in ", b"rom ", b"ear ", b"ide ", b"ing ", b" to ", b" of ", b" at ", b"\nat ",
     b"ugh ", b"und ", b"oss ", b"via ", b"een ", b"ard ", b"rds ", b"hed ", b"ves ", b"ved ", b"orn ",
     b"ted ", b"ast ", b" ("}
)  # fmt: skip


def find_places(scan: Scan, matches: list[Match]) -> None:
    """Claim places in the text."""
    flags, taken, gaps, words = scan.flags, scan.taken, scan.gaps, scan.words
    for match in matches:
        if match.phrase.kind in _KINDS and not any(taken[match.first : match.last + 1]):
            _phrase(scan, match)
    for index in scan.having(Is.STATE | Is.CODE | Is.PLACE_WORD):
        if taken[index] or gaps[index][-1:].isalnum():
            continue
        flag = flags[index]
        if (flag & Is.STATE or (flag & Is.CODE and words[index].isupper())) and _state(scan, index):
            continue
        if flag & Is.PLACE_WORD:
            claim_landmark(scan, index)
    after = [
        last + 1 for (_, last), claim in zip(scan.held, scan.claims, strict=True) if claim[2] in _FACILITIES
    ]
    open_to = Is.CITY | Is.PURE
    for index in scan.having(open_to, unknown=True):
        gap = gaps[index]
        if (flags[index - 1] & Is.STOP if gap == b" " else gap[-4:] in _PLACE_GAPS) and not taken[index]:
            _city(scan, index)
    after += [
        i for i in scan.having(Is.CITY) if gaps[i] in _AFTER_STREET and scan.lows[i - 1] in _STREET_ENDS
    ]
    for index in after:
        if (
            index < scan.count
            and not taken[index]
            and (flags[index] & open_to or not flags[index] & Is.KNOWN)
        ):
            _city(scan, index)
    for index in scan.having(Is.COUNTRY | Is.PEOPLE | Is.CITY):
        flag = flags[index]
        if taken[index] or gaps[index][-1:].isalnum() or (flag & Is.COUNTRY and _country(scan, index)):
            continue
        if flag & Is.PEOPLE:
            _people(scan, index, index)
        elif flag & Is.CITY and gaps[index + 1][:2].strip(b" .,").isdigit():
            _city(scan, index)
    at = scan.text.find(b"-born")
    while at >= 0:
        index = bisect_right(scan.starts, at) - 1
        if index >= 0 and scan.ends[index] == at + 5:
            _born(scan, index)
        at = scan.text.find(b"-born", at + 5)


def _phrase(scan: Scan, match: Match) -> None:
    """Claim a listed place of several words, or one with dots."""
    first, last, more, phrase = match
    if more > 2:
        return
    if phrase.kind == "PEOPLE":
        _people(scan, first, last)
        return
    if phrase.kind == "CITY" and not (phrase.size >= 5 or _placed(scan, first, last)):
        return
    if phrase.kind == "STATE" and b" " not in phrase.text and not _short_state(scan, first, phrase):
        return
    if phrase.kind == "STATE":
        city = _city_before(scan, first, zipped=_zip_follows(scan, last), code=False)
        if city >= 0:
            scan.claim(city, first - 1, "CITY", 0.9, "city_state")
    if scan.after(last) not in EPONYM_NOUNS:
        scan.claim(first, last, phrase.kind, 0.93, "phrase", more=more if phrase.text.count(b".") > 1 else 0)


def _short_state(scan: Scan, index: int, phrase: Phrase) -> bool:
    """Return whether ``Vt.``, ``Mass``, ``N.Y.`` stands where a state is written."""
    if phrase.text.count(b".") > 1:
        return True
    if not scan.words[index].istitle() and not scan.in_capitals(index):
        return False
    after_city = (
        bool(index)
        and scan.gaps[index] in _COMMA
        and bool(scan.flags[index - 1] & Is.CITY or scan.taken[index - 1])
    )
    return after_city or scan.before(index) in _IN or (b"," in scan.left(index) and _zip_follows(scan, index))


def _placed(scan: Scan, first: int, last: int) -> bool:
    """Return whether a name stands where a place is written."""
    if scan.before(first) in _IN or scan.before(first) in _TO:
        return True
    if _state_follows(scan, last) or _zip_follows(scan, last):
        return True
    return _after_facility(scan, first) or _after_street(scan, first)


def _after_facility(scan: Scan, index: int) -> bool:
    """Return whether a word follows the name of a hospital or organisation after a comma, dash or bracket."""
    if not index or not scan.taken[index - 1]:
        return False
    gap = scan.gaps[index]
    if gap not in (b", ", b" (", b" - ", b" -- ", b" / ", b" in ", b",\n", b"\n") and gap.strip(
        b" ,"
    ) not in (b"|", b"*", b"-"):
        return False
    return scan.taken[index - 1] == FACILITY


def _after_street(scan: Scan, index: int) -> bool:
    """Return whether a word follows a street line."""
    return bool(index) and scan.gaps[index] in _AFTER_STREET and scan.lows[index - 1] in _STREET_ENDS


def _state_follows(scan: Scan, last: int) -> bool:
    if last + 1 >= scan.count or scan.gaps[last + 1] not in _COMMA:
        return False
    flag = scan.flags[last + 1]
    return bool(flag & (Is.STATE | Is.COUNTRY) or (flag & Is.CODE and scan.words[last + 1].isupper()))


def _zip_follows(scan: Scan, index: int) -> bool:
    gap = scan.gaps[index + 1].lstrip(b" .,")
    return gap[:5].isdigit() and not gap[5:6].isdigit() and len(gap) > 4


def _state(scan: Scan, index: int) -> bool:
    flag, word, low = scan.flags[index], scan.words[index], scan.lows[index]
    code = bool(flag & Is.CODE) and word.isupper() and len(word) in (2, 3)
    if not code and not (flag & Is.STATE and (len(word) > 3 or low in _SHORT_STATES)):
        return False
    zipped = _zip_follows(scan, index)
    city = _city_before(scan, index, zipped=zipped, code=code)
    if city >= 0:
        scan.claim(city, index - 1, "CITY", 0.95 if zipped else 0.9, "city_state")
        scan.claim(index, index, "STATE", 0.97 if zipped else 0.93, "state_after_city")
        return True
    if code:
        if (
            index
            and scan.gaps[index] in _COMMA
            and scan.taken[index - 1] == PLACE
            and not (low in _WORD_CODES and scan.in_capitals(index))
        ):
            scan.claim(index, index, "STATE", 0.93, "state_after_city")
            return True
        if (
            zipped
            and low not in CREDENTIALS
            and low not in (b"id", b"in", b"or", b"ok", b"me", b"hi", b"tx", b"pt")
        ):
            scan.claim(index, index, "STATE", 0.9, "state_zip")
            return True
        if scan.after(index) in _LICENSED and not scan.in_capitals(index) and low not in CREDENTIALS:
            scan.claim(index, index, "STATE", 0.88, "state_licence")
            return True
        return False
    if flag & (Is.PURE | Is.MIXED) and not (
        scan.before(index) in _IN or zipped or (scan.gaps[index] == b", " and index and scan.taken[index - 1])
    ):
        return False
    if scan.after(index) in EPONYM_NOUNS or (word.isupper() and not scan.in_capitals(index)):
        return False
    if low in _SHORT_STATES and not (scan.before(index) in _IN or scan.before(index) in _TO):
        return False
    scan.claim(index, index, "STATE", 0.9, "state")
    return True


def _city_before(scan: Scan, index: int, *, zipped: bool, code: bool) -> int:
    """Return where the city left of a state starts, or -1."""
    if not index or scan.gaps[index] not in _COMMA or scan.taken[index - 1]:
        return -1
    first, flags = index - 1, scan.flags
    flag, word = flags[first], scan.words[first]
    if (
        len(word) < 3
        or flag & (Is.STOP | Is.CALENDAR | Is.TITLE | Is.CUE | Is.LANGUAGE)
        or (flag & Is.MEDICAL and not flag & Is.CITY)
    ):
        return -1
    if word.isupper() and not scan.in_capitals(first):
        return -1
    listed = bool(flag & Is.CITY) or _listed_city(scan, first, index - 1)
    low = scan.lows[index]
    shared = low in _SHARED_CODES or low in CREDENTIALS or (low in _WORD_CODES and word.isupper())
    placed = scan.before(first) in _IN or scan.starts_line(first) or _after_street(scan, first)
    if (
        b"," not in scan.gaps[index]
        and not zipped
        and (not listed or (flag & (Is.WORD | Is.MEDICAL | Is.EPONYM) and not placed))
    ):
        return -1
    if code and not zipped:
        if shared and not (listed and (not flag & Is.NAME or scan.before(first) in _IN)):
            return -1
        if low in _WORD_CODES and b"," not in scan.gaps[index] and word.isupper():
            return -1
        if not listed and (flag & Is.WORD or not (placed or scan.gaps[first][-2:] in (b", ", b"  "))):
            return -1
    elif not listed and flag & Is.WORD and not zipped:
        return -1
    while (
        first
        and index - first < 3
        and not scan.taken[first - 1]
        and not flags[first - 1] & (Is.STOP | Is.MEDICAL | Is.TITLE | Is.CUE | Is.CALENDAR)
    ):
        gap, previous = scan.gaps[first], first - 1
        if (gap == b". " and scan.lows[previous] not in (b"st", b"ft", b"mt")) or gap not in (
            b" ",
            b". ",
            b" de ",
            b" du ",
            b" or ",
        ):
            break
        if scan.words[previous].isupper() != scan.words[first].isupper() or (
            flags[first] & Is.BIG_CITY and not _listed_city(scan, previous, index - 1)
        ):
            break
        if (
            scan.before(previous) == b""
            and flags[previous] & Is.WORD
            and flags[first] & Is.CITY
            and not _listed_city(scan, previous, index - 1)
        ):
            break
        first = previous
    return first


def _listed_city(scan: Scan, first: int, last: int) -> bool:
    text = scan.low[scan.starts[first] : scan.ends[last]]
    return any(p.text == text and p.kind == "CITY" for p in scan.vocabulary.phrases.get(text, ()))


def _country(scan: Scan, index: int) -> bool:
    word, low = scan.words[index], scan.lows[index]
    before = scan.before(index)
    if len(word) < 4:
        if not word.isupper() or (low in (b"us", b"prc") and before not in (b"the", b"in", b"to", b"from")):
            return False
        if low == b"us" and before != b"the" and scan.in_capitals(index):
            return False
    elif word.isupper() and not scan.in_capitals(index):
        return False
    placed = before in _IN or before in _TO or (index and scan.taken[index - 1] and scan.gaps[index] == b", ")
    if low in _AMBIGUOUS_COUNTRIES and not placed:
        return False
    if scan.after(index) in EPONYM_NOUNS:
        return False
    scan.claim(index, index, "COUNTRY", 0.9, "country")
    return True


def _people(scan: Scan, index: int, last: int) -> bool:
    """Claim a nationality of a person; a language, a dish or a virus is none."""
    after = scan.gaps[last + 1]
    signs = after.lstrip(b" -").split(None, 1)
    following = signs[0].rstrip(b".,;:)") if signs else scan.after(last)
    if following in _SPOKEN or following in EPONYM_NOUNS or scan.after(last) in EPONYM_NOUNS:
        return False
    if after[:1] in (b" ", b"-") and following in _PEOPLE_NOUNS:
        scan.claim(index, last, "COUNTRY", 0.9, "people")
        return True
    if scan.flags[index] & (Is.LANGUAGE | Is.WORD | Is.NAME) or scan.words[index].isupper():
        return False
    scan.claim(index, last, "COUNTRY", 0.8, "people")
    return True


def _born(scan: Scan, index: int) -> None:
    people = scan.lows[index].partition(b"-")[0]
    if scan.vocabulary.flags.get(people, 0) & (Is.PEOPLE | Is.COUNTRY | Is.CITY):
        scan.claim(index, index, "COUNTRY", 0.9, "people", more=-5)


def _city(scan: Scan, index: int) -> None:
    flag, word = scan.flags[index], scan.words[index]
    if (
        flag & (Is.STOP | Is.CALENDAR | Is.TITLE | Is.CUE | Is.COUNTRY)
        or len(word) < 4
        or (flag & Is.MEDICAL and not flag & Is.CITY)
    ):
        return
    upper = word.isupper()
    if (upper and not scan.in_capitals(index)) or (not upper and not word.istitle() and flag & Is.KNOWN):
        return
    before = scan.before(index)
    facility = _after_facility(scan, index) or _after_street(scan, index)
    if (
        before not in _IN
        and before not in _TO
        and not facility
        and not _zip_follows(scan, index)
        and scan.gaps[index][-2:] != b" ("
    ):
        return
    last = index
    while (
        last + 1 < scan.count
        and last - index < 2
        and scan.gaps[last + 1] == b" "
        and not scan.taken[last + 1]
        and not scan.flags[last + 1] & (Is.STOP | Is.MEDICAL | Is.WORD | Is.CODE)
        and scan.words[last + 1].isupper() == upper
    ):
        last += 1
    following = scan.flags[last + 1] if last + 1 < scan.count and scan.gaps[last + 1] in (b" ", b"'s ") else 0
    if following & (Is.HEADS) or scan.after(last) in EPONYM_NOUNS:
        return
    if _zip_follows(scan, last):
        if flag & Is.CITY or (not flag & Is.KNOWN and (facility or scan.gaps[index][-2:] in (b", ", b"\n"))):
            scan.claim(index, last, "CITY", 0.9, "city_zip")
        return
    sure = bool((flag & Is.CITY and not flag & Is.WORD) or flag & Is.BIG_CITY)
    if before in _IN:
        if sure and last == index:
            scan.claim(index, last, "CITY", 0.9, "in_city")
        elif (
            not upper
            and not flag & Is.EPONYM
            and (not flag & Is.KNOWN or flag & Is.CITY or (flag & Is.PURE and not flag & Is.FIRST))
        ):
            scan.claim(index, last, "CITY", 0.75, "in_unknown")
    elif last > index:
        return
    elif facility and (sure or (not flag & Is.KNOWN and not upper)):
        scan.claim(index, last, "CITY", 0.85, "facility_city")
    elif (
        scan.gaps[index][-2:] == b" (" and scan.gaps[index + 1][:1] == b")" and sure and not flag & Is.EPONYM
    ):
        scan.claim(index, last, "CITY", 0.85, "bracket_city")
    elif before in _TO and sure and not flag & Is.NAME and not flag & Is.EPONYM:
        scan.claim(index, last, "CITY", 0.8, "to_city")
