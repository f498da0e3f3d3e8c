"""Forms of street lines: house number, name, kind of street and unit as one mark; boxes; corners.

Their words are in the locale's ``streets.toml``.
"""

from __future__ import annotations

import re

from plainsight.detect.patterns import postal
from plainsight.detect.patterns.alternation import one_of
from plainsight.detect.patterns.context import next_word, second_before, words_before
from plainsight.detect.patterns.forms import Form
from plainsight.detect.patterns.rule import Claim
from plainsight.locale import default_locale

_words = default_locale().words
_sets = default_locale().word_sets("streets")


def _spelled(key: str) -> list[str]:
    """Spell words in lower, title and upper case, but in no mixture of them."""
    return [form for word in _words("streets", key) for form in (word, word.title(), word.upper())]


_SURE_TYPES = _sets["sure_types"]
# Pattern of all types that may follow a house number and a name.
_TYPES = one_of(_spelled("sure_types") + _spelled("other_types") + _spelled("numbered_types"))
# Pattern of the types that may follow a name without a number.
_NAMED_TYPES = one_of(_spelled("sure_types") + [word.title() for word in _words("streets", "other_types")])
# Pattern of the types that may follow a number and a name in lower case.
_SMALL_TYPES = one_of([*_spelled("sure_types"), *_words("streets", "lower_types")])
_HOUSING = "|".join(_words("streets", "housing"))
# What one of two crossing streets is known by.
_ORDINAL_WORDS = re.compile(
    rb"\d(?:st|nd|rd|th)|\b(?:St|Ave|Rd|Blvd|Street|Avenue|Road|First|Second|Third|Fourth|Fifth|Sixth|Seventh"
    rb"|Eighth|Ninth|Tenth)\b"
)
# Months: `June 8th and July` is no crossing.
_MONTHS = re.compile(rb"(?i)\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b")

# "the" may be part of a name.
_TITLE_NOT_NAMES = _sets["function_words"] - {b"the"} | _sets["title_measure_words"]
_NOT_NAMES = _sets["function_words"] | _sets["measure_words"]
_CLINICAL = _NOT_NAMES | _sets["clinical_words"]
_PLACE, _FACILITIES = _sets["place_words"], _sets["facility_words"]
_ASKING, _GOING = "|".join(_words("streets", "asking_words")), "|".join(_words("streets", "going_words"))

_DIRECTION = r"(?:(?:[NSEW]|NE|NW|SE|SW)\b\.?|North|South|East|West|NORTH|SOUTH|EAST|WEST)"
_ORDINAL = r"\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)"
# A house number: with a unit before it as in Australia, with a scanner's letters in it, or of a rural grid.
_NUMBER = (
    r"(?P<number>\b(?:(?:Unit |Flat |Apt )?\d{1,3}/\d{1,4}|\d[\dOlI]{0,5}|[lI]\d{1,4}"
    r"|[NSEW]\d{2,3} ?[NSEW]\d{3,5}))"
    r"(?:-\d{1,4})?[A-Z]?(?: 1/2)?"
)
_PROPER = r"(?:[A-Z]\.|St\.|[A-Z][A-Za-z'-]+)"
_NAME = rf"(?:[A-Z][A-Za-z0-9'-]*\.?|{_ORDINAL}|of|the|de|la|las|los|del|des|du|van|von)"
_SMALL = r"(?:(?:de|la|las|los|del|des|du|y|yr) |l'|d')"
_FOREIGN = (
    r"(?:Calle|CALLE|Rue|RUE|rue|Avenida|Av\.|av\.|Avda\.|Via|Viale|Camino|Paseo|Rua|Chemin|chemin|Carrera|Calzada"
    r"|Boulevard|boulevard|Boul\.|boul\.|Avenue|avenue|Ave|rang|Heol|Ffordd|Stryd)"
)
_NAMES = r"[A-Z][A-Za-z'-]{2,}(?: [A-Z][A-Za-z'-]{2,}){0,2}?"
_UNIT_WORD = r"(?i:apt|apartment|ste|suite|unit|bldg|box)\b\.?"
_COUNT = "(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)"
_CROSSING = rf"(?:{_DIRECTION} )?(?:{_ORDINAL}|[A-Z][a-z]+)(?: (?:St|Ave|Rd|Blvd|Street|Avenue|Road)\b\.?)?"

_TAIL = re.compile(
    rb"(?i)(?-i:[ ](?:NE|NW|SE|SW|[NSEW]|North|South|East|West|NORTH|SOUTH|EAST|WEST)\b(?![.'-]))?"
    rb"(?:,?[ ]{0,2}(?:"
    rb"(?:\#[ ]?|\b(?:apt|apartment|app|ste|suite|unit|rm|room|lot|sp|spc|space|slip|bldg|building|fl|flr"
    rb"|floor|box|bx|trlr|trailer|hangar|level|lvl|stn|pmb|dock|townhouse)\b\.?[ ]?\#?)"
    rb"(?:[a-z]{0,2}-?\d[a-z0-9]*(?:-[a-z0-9]+)?|[a-z]\b)"
    rb"|(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2}|ground|first|second|third|fourth|lower|upper|main)[ ]"
    rb"(?:fl|flr|floor|level)\b\.?"
    rb")){0,3}"
)
_UNIT_BEFORE = re.compile(
    rb"(?i)(?:\b(?:flat|unit|apt|apartment|space|lot|suite|ste|dock|pier|level|floor|shop|plot)\.? ?#?"
    rb"(?:[a-z]?-?\d[a-z0-9/-]{0,4}|[a-z]),? ){1,2}\Z"
)


def _reach(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Take in the unit that stands before or behind a street."""
    tail = _TAIL.match(text, end, end + 60)
    if text[start - 1 : start] == b" ":
        unit = _UNIT_BEFORE.search(text[max(0, start - 32) : start])
        start -= len(unit[0]) if unit else 0
    return start, tail.end() if tail else end


def _claim(text: bytes, start: int, end: int, score: float) -> list[Claim]:
    """Claim a street with its unit, and the state and post code behind it."""
    start, end = _reach(text, start, end)
    codes = postal.behind_street(text, end)
    return [Claim(start, end, "STREET", min(0.98, score + 0.03) if codes else score), *codes]


def _is_glued(text: bytes, start: int) -> bool:
    """Tell whether a number belongs to a date, a ratio, a sum or a decimal before it."""
    before = text[start - 1 : start]
    return (
        before != b"" and before in b"/.-$%+*:#" and (before != b":" or second_before(text, start).isdigit())
    )


def _begins_field(text: bytes, start: int) -> bool:
    """Tell whether a line, a list item or a column begins here."""
    return text[start - 1 : start] in (b"", b"\n", b"\t") or text[start - 2 : start] in (
        b", ",
        b": ",
        b"; ",
        b"  ",
        b"| ",
    )


def _has_code(text: bytes, end: int) -> bool:
    return any(claim.label == "ZIP" for claim in postal.behind_street(text, end))


def _whole(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    return _claim(text, *match.span(), 0.93)


def _road(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a house number at a numbered road: `1540 County Road 9`."""
    if _is_glued(text, match.start()) or text[match.end() : match.end() + 1] == b".":
        return []
    return _claim(text, *match.span(), 0.93) if len(match["number"]) > 2 or match["class"] else []


def _has_word(names: list[bytes], words: frozenset[bytes]) -> bool:
    """Tell whether a name holds such a word; with a capital, a street may be called Miles or Lead."""
    return any(name.lower().rstrip(b".") in (_TITLE_NOT_NAMES if name.istitle() else words) for name in names)


def _numbered(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a house number, a name and a kind of street."""
    kind, names = match["kind"], match["names"].split()
    refused = _CLINICAL if kind.lower() in (b"ct", b"st", b"dr", b"pt", b"sq", b"pl", b"av") else _NOT_NAMES
    if _is_glued(text, match.start()) or _has_word(names, refused):
        return []
    if (
        match["number"][:1] == b"0"
        or any(len(name) > 3 and name.endswith(b".") for name in names)
        or (b"/" in match["number"] and not kind.istitle())
    ):
        return []  # a sentence ends between number and kind; a ratio
    if kind.isupper() and len(kind) < 3 and not names[-1].isupper():
        return []  # 28 Fr CT
    if kind in (b"Dr", b"DR", b"St", b"ST") and text[match.end() - 1 : match.end()] == b".":
        following = text[match.end() + 1 : match.end() + 2]
        if following.isupper() and (kind in (b"Dr", b"DR") or (names[-1].isupper() and not kind.isupper())):
            return []  # a doctor or a saint
    return _claim(text, *match.span(), 0.95 if kind.lower() in _SURE_TYPES else 0.9)


def _lower(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a numbered street in a note without capitals."""
    if _is_glued(text, match.start()) or not _CLINICAL.isdisjoint(match["names"].split()):
        return []
    return _claim(text, *match.span(), 0.75)


def _short(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a number and a name without a kind, for which a direction, a unit or a word speaks."""
    start, end = match.start("number"), match.end("name")
    words = match["name"].split()
    if (
        text[start - 1 : start].isalnum()
        or _is_glued(text, start)
        or any(word.lower() in _CLINICAL for word in words)
    ):
        return []
    return _claim(text, start, end, 0.8)


def _coded(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a number and a name that begin a line or a field, with a post code behind them."""
    if not _begins_field(text, match.start()) or not _has_code(text, match.end("name")):
        return []
    return _short(text, match)


def _asked(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on what follows a word that asks for an address: any numbered form, or a number and a name."""
    for numbered, decide in _NUMBERED:
        found = numbered(text, match.start("number"))
        if found:
            return decide(text, found)
    return _short(text, match)


def _unnumbered(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a name and a kind of street without a number: what is a street for sure, or is placed."""
    start, end = match.span()
    words = match["names"].split()
    while words and words[0].lower() in _PLACE:
        start += len(words[0]) + 1
        del words[0]
    if not words or _has_word(words, _NOT_NAMES) or next_word(text, end) in _FACILITIES:
        return []
    sure = match["kind"].lower() in _SURE_TYPES
    before = words_before(text, start, 16)[:1]
    if sure:
        return _claim(text, start, end, 0.8 if before and before[0] in _PLACE else 0.65)
    if (
        before
        and before[0] in _PLACE
        and not (text[end : end + 1] == b" " and text[end + 1 : end + 2].isupper())
    ):
        return _claim(text, start, end, 0.75)
    if not _begins_field(text, start):
        return []
    reach = _reach(text, start, end)
    if (reach != (start, end) and text[start - 2 : start] != b", ") or _has_code(text, reach[1]):
        return _claim(text, start, end, 0.75)
    return []


def _placed(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a name behind a word of place: `on E. Broadway`, `off dort hwy`."""
    if not _CLINICAL.isdisjoint(match["names"].lower().split()):
        return []
    return _claim(text, match.start("names"), match.end(), 0.7)


def _unit(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Claim a dwelling's number that stands alone."""
    return [Claim(*match.span(), "STREET", 0.6)]


def _box(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a box without P.O.: a state or a post code must follow."""
    codes = postal.behind_street(text, match.end())
    return [Claim(*match.span(), "STREET", 0.85), *codes] if codes else []


def _corner(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a crossing: the word before it, or a number or a kind of street in it, must say so."""
    said = match["said"] and match["said"].lower().startswith((b"corner", b"intersection"))
    if _MONTHS.search(match["corner"]):
        return []
    if said or _ORDINAL_WORDS.search(match["corner"]):
        return [Claim(*match.span("corner"), "STREET", 0.75)]
    return []


_HOUSE = "0-9lINSEWUFA"  # what a house number may begin with
_ROAD = (
    rf"{_NUMBER} (?:{_DIRECTION} )?(?P<class>(?i:county|state|farm|old|us) )?"
    r"(?i:road|rd|route|rte|rt|highway|hwy|cr|fm) \d{1,4}[A-Z]?\b"
)
_KIND = rf"{_NUMBER} (?P<names>(?:{_NAME} ){{1,5}})(?P<kind>{_TYPES})\b\.?"
_ABROAD = rf"{_NUMBER},? {_FOREIGN} {_SMALL}{{0,3}}[A-Z][A-Za-z'-]*(?: [A-Z][A-Za-z'-]+){{0,2}}"
_NUMBERED = tuple(
    (re.compile(pattern.encode()).match, decide)
    for pattern, decide in ((_ROAD, _road), (_KIND, _numbered), (_ABROAD, _whole))
)

# What begins with the number of a house.
HOUSES: tuple[Form, ...] = (
    Form(_HOUSE, _ROAD, _road),
    Form(_HOUSE, _KIND, _numbered),
    Form(
        _HOUSE,
        rf"{_NUMBER} (?:[nsew]\.? )?(?P<names>(?:(?:[a-z][a-z'-]+|{_ORDINAL}) ){{1,2}})"
        rf"(?:{_SMALL_TYPES})\b\.?",
        _lower,
    ),
    Form(_HOUSE, _ABROAD, _whole),
    # without a type of street: only with a direction, a unit, a post code or a word before it
    Form(
        "0-9",
        rf"(?P<number>\b\d{{3,6}})[A-Z]? (?P<name>{_DIRECTION} (?:{_ORDINAL}|[A-Z][A-Za-z'-]{{2,}}))\b",
        _short,
    ),
    Form(
        "0-9",
        rf"(?P<number>\b\d{{2,6}})[A-Z]? (?P<name>(?:[nsew]\.? )?[a-z]{{4,}}|{_NAMES})"
        rf"(?:,? {_UNIT_WORD} ?#?\w|,? #\w)",
        _short,
    ),
    Form(
        "0-9",
        rf"(?P<number>\b\d{{2,6}})[A-Z]? (?P<name>{_NAMES})(?:,? {_UNIT_WORD}[^\n]{{1,6}})?,?[ \n]"
        r"[^\n\d]{2,30}\d{5}\b",
        _coded,
    ),
)

# All others.
STREETS: tuple[Form, ...] = (
    Form("0-9", rf"(?P<said>)(?P<corner>\b{_ORDINAL}(?: (?:St|Ave)\b\.?)? (?:and|&) [A-Z][a-z]+)\b", _corner),
    Form("0-9", rf"\b(?P<names>{_ORDINAL} )(?P<kind>{_NAMED_TYPES})\b\.?", _unnumbered),
    # boxes and routes
    Form(
        "PpGgLlAa",
        r"\b(?i:p\.? ?o\.? ?(?:box|bx|drawer)|gpo box|private bag|locked bag|apartado|postbus|postfach)"
        r" ?#?\d[\w-]{0,15}",
        _whole,
    ),
    Form(
        "RrHhSs",
        r"\b(?i:(?:rr|hc|rt|rte|route|hwy|highway|star route) ?#?\d{1,4}[A-Z]?(?: bypass)?,?"
        r" (?:box|bx|lot|trailer|trlr) ?#?\d[\w-]{0,15})",
        _whole,
    ),
    Form("GgSs", r"\b(?i:general delivery|gen del|star route)\b", _whole),
    Form("PCU", r"\b(?:PSC|CMR|Unit) \d{2,5},? Box \d{1,5}\b", _whole),
    Form("B", r"\b(?:Box|BOX) \d{1,6}\b", _box),
    Form(
        "CcTtFfRrSs",
        r"\b(?i:county|township|forest|ranch|state) (?i:road|rd|route|rte|hwy|highway) [A-Z]?\d{1,4}[A-Z]?\b",
        _whole,
    ),
    # numbers in words, or behind "No."; streets abroad
    Form(
        "Nn",
        rf"\b[Nn]o\.? ?(?P<number>\d{{1,4}})[A-Z]?,? (?P<names>(?:{_NAME} ){{1,4}})(?P<kind>{_TYPES})\b\.?",
        _numbered,
    ),
    Form(
        "EFNOST",
        rf"\b(?P<number>{_COUNT}) (?P<names>(?:{_PROPER} ){{1,3}})(?P<kind>{_NAMED_TYPES})\b",
        _numbered,
    ),
    Form(
        "ABCFHPRSVabcr",
        rf"\b{_FOREIGN} {_SMALL}{{0,3}}[A-Z][A-Za-z'-]+(?: {_SMALL}{{0,3}}[A-Z][A-Za-z'-]+){{0,3}},?"
        r" (?:\d{1,5}|s/n|casa)\b",
        _whole,
    ),
    Form(
        "A-Z",
        r"\b[A-Z][a-z]+(?:strasse|str\.|weg|gasse|platz|allee|damm|straat|laan) \d{1,4}[a-z]?\b",
        _whole,
    ),
    # crossings, and streets behind a word of place
    Form(
        "CcIiAaNnOo",
        r"\b(?P<said>(?i:corner of|intersection of|at|near|on))"
        rf" (?P<corner>{_CROSSING} (?:and|&) {_CROSSING})\b",
        _corner,
    ),
    Form("A-Z", rf"(?P<said>)(?P<corner>\b[A-Z][a-z]+ & {_ORDINAL})\b", _corner),
    Form(
        "oan",
        rf"\b(?:on|off|at|near) (?P<names>[NSEW]\.? (?:[A-Z][a-z]{{2,}}|{_ORDINAL}))\b"
        rf"(?: (?:{_NAMED_TYPES})\b\.?)?",
        _placed,
    ),
    Form(
        "oanftp",
        r"\b(?:on|off|at|near|of|from|to|past|along) (?P<names>(?:[a-z]+ ){1,2})(?:rd|ave|blvd|hwy|pkwy)\b",
        _placed,
    ),
    Form("o", r"\b(?:on|off) (?P<names>[a-z]{4,} )(?:st|ln|street|lane|drive|road|avenue)\b", _placed),
    Form(
        "AaDdFfGgHhLlMmRrSsVvWw",
        rf"\b(?i:(?:{_ASKING})(?: at)?|(?:{_GOING}) (?:to|at|in))[ :,]{{1,3}}(?P<number>\d{{1,6}})[A-Z]?"
        rf" (?P<name>{_NAMES})\b",
        _asked,
    ),
    # a unit first, a unit alone, a street alone
    Form(
        "SsLlUuAaFfTtPp",
        r"\b(?i:space|lot|unit|apt|apartment|flat|trailer|pier|suite) ?#?\d{1,4}[A-Z]?,?"
        rf" (?:{_PROPER} ){{1,3}}(?:{_NAMED_TYPES}|{_HOUSING})\b",
        _whole,
    ),
    Form("AaF", r"\b(?:[Aa]pt|APT|[Aa]partment|Flat)\.? ?#?\d{1,4}[A-Za-z]?\b", _unit),
    Form(
        "A-Z",
        rf"\b(?P<names>{_DIRECTION} {_ORDINAL} |(?:{_DIRECTION} )?(?:{_PROPER} ){{1,3}})"
        rf"(?P<kind>{_NAMED_TYPES})\b\.?",
        _unnumbered,
    ),
)
