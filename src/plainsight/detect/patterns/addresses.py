"""Addresses: house number and street, boxes and rural routes, a state with its post code.

The words are the locale's, in ``streets.toml`` and ``states.toml``.
"""

from __future__ import annotations

import re

from plainsight.detect.patterns.rule import Rule, Shape, shape_rule
from plainsight.locale import default_locale, one_of

_words = default_locale().words
_sets = default_locale().word_sets("streets")
_states = default_locale().table("states")

# Streets.
_TYPES = one_of(
    form
    for key in ("sure_types", "other_types")
    for word in _words("streets", key)
    for form in ((word,) if key == "sure_types" else ()) + (word.title(), word.upper())
)
_ABBREVIATIONS = frozenset(b"ct st dr pt sq pl av".split())  # of medical words as well
# Words that are no name of a street; with a capital, a street may be called Miles or Old.
_TITLE_NOT_NAMES = _sets["function_words"] - {b"the"} | _sets["title_measure_words"]
_NOT_NAMES = _sets["function_words"] | _sets["measure_words"]
_CLINICAL = _NOT_NAMES | _sets["clinical_words"]

_DIRECTION = r"(?:(?:[NSEW]|NE|NW|SE|SW)\b\.?|North|South|East|West|NORTH|SOUTH|EAST|WEST)"
_ORDINAL = r"\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)"
_UNIT_BEFORE = r"(?:\b(?i:flat|unit|apt|lot|shop|suite) ?#?(?:(?:\d{1,4}[A-Za-z]?|[A-Z]),? )?)?"
_NUMBER = (
    rf"{_UNIT_BEFORE}\b(?P<number>(?:\d{{1,3}}/)?\d{{1,6}}|[NSEW]\d{{2,3}} ?[NSEW]\d{{3,5}})"
    r"(?:-\d{1,4})?[A-Z]?(?: 1/2)?"
)
_NAME = rf"(?:[A-Z][A-Za-z0-9'-]*\.?|{_ORDINAL}|of|the|de|la|las|los|del|des|du|van|von)"
_FOREIGN = r"(?:Calle|CALLE|Rue|RUE|rue|Avenida|Via|Viale|Camino|Paseo|Rua|Chemin|chemin|Boulevard|boulevard)"
_UNIT_WORDS = (
    r"(?i:apt|apartment|ste|suite|unit|rm|room|lot|sp|spc|space|slip|bldg|building|fl|flr|floor|box|bx|trlr"
    r"|trailer|level|pmb)"
)
_FLOOR = r"(?i:\d{1,2}(?:st|nd|rd|th)?|ground|first|second|third|lower|upper|main) (?i:fl|flr|floor|level)\b"
_UNIT = (
    rf"(?: {_DIRECTION})?(?:,? {{0,2}}(?:(?:#|\b{_UNIT_WORDS}\b\.?) ?#?"
    rf"(?:[A-Za-z]{{0,2}}-?\d[A-Za-z0-9-]*|[A-Za-z]\b)|{_FLOOR})){{0,3}}"
)

# States and post codes.
_UNFOUND = {*_words("states", "unfound_names"), *_words("states", "unfound_codes")}
_NAMES = [name for name, *_ in _states["states"].values() if name.replace(" ", "_") not in _UNFOUND]
_NAMES += _words("states", "other_names")
_CODES = [home[3:] for home in _states["states"] if home[:3] != "AU/" and home[3:] not in _UNFOUND]
_SHORT = [f"{word}{point}" for word in _words("states", "abbreviations") for point in ("", ".")]
_STATE = one_of(
    [*_NAMES, *map(str.upper, _NAMES), *_SHORT, *_CODES, *_words("states", "capital_abbreviations")]
)
_AUSTRALIA = "NSW|VIC|Vic|QLD|Qld|TAS|Tas|ACT|Queensland|Tasmania|Victoria|New South Wales|Western Australia"
_FIRST_DIGITS = {
    code.encode(): digit.encode() for digit, codes in _states["code_digits"].items() for code in codes.split()
}
_CAPITAL_BEFORE = re.compile(rb"\b[A-Z][A-Za-z'.-]*[,;]?[ \t]{1,12}\Z")

_ZIP = r"\d{5}(?:-\d{4})?"
_CANADA = r"[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d"
_BRITAIN = r"[A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2}"
_IRELAND = r"[AC-FHKNPRTV-Y]\d[0-9W] [0-9AC-FHKNPRTV-Y]{4}"
_CITY = r"[A-Z][A-Za-z'.-]*(?:(?:[,;] |[ ])(?:[A-Z][A-Za-z'.-]*|de|la|of|du)){0,5}?[,;]?[ \t]{1,12}"
# What may follow a street: a city, a state, a post code; a city alone is not looked for.
_PLACE = (
    r"[ \t]{0,4}[,;|*.\x1a)]{0,2}(?:[ \t]{0,40}\n)?[ \t]{0,40}(?:[|*\x1a][ \t]{1,4})?"
    rf"(?:{_CITY})?(?:(?P<STATE>{_STATE}|{_AUSTRALIA})(?![A-Za-z'])\)?[.,;]?[ \t]{{0,12}})?"
    rf"(?:(?P<ZIP>\b(?:{_ZIP}|{_CANADA}|{_BRITAIN}|{_IRELAND}|(?<=[A-Za-z] )\d{{4}}(?=[ ]*[\n,.;)|]|\Z)))\b"
    r"|(?<=[A-Za-z.])(?=[ \t]*[\n,;)(|]|\Z|  ))"
)


def _is_street(match: re.Match[bytes]) -> bool:
    """Refuse what only looks like a street: measures, a list number before a title, a sentence's end."""
    number, kind, names = match["number"], match["kind"], match["names"].split()
    lower = kind.lower()
    abbreviated = lower in _ABBREVIATIONS
    refused = _CLINICAL if abbreviated else _NOT_NAMES
    if any(name.lower().rstrip(b".") in (_TITLE_NOT_NAMES if name.istitle() else refused) for name in names):
        return False
    if any(len(name) > 3 and name.endswith(b".") for name in names) or number[:1] == b"0":
        return False
    if kind.isupper() and abbreviated and not names[-1].isupper():
        return False  # 28 Fr CT
    if len(number) < 2 and (lower in (b"dr", b"pt") or (kind.isupper() and abbreviated)):
        return False  # the number of a list
    if lower in (b"dr", b"st") and match.string[match.end() : match.end() + 2].lstrip(b" ")[:1].isupper():
        return not match[0].endswith(b".")  # a doctor or a saint
    return True


def _is_pair(match: re.Match[bytes]) -> bool:
    """Tell a state and its post code from a degree and a number: `MD 20814` needs a city before it."""
    state, code = match["STATE"], match["ZIP"]
    if len(state) > 2 or not code[:5].isdigit():
        return True
    fits = code[:1] in _FIRST_DIGITS.get(state, code[:1])
    return (
        fits and _CAPITAL_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is not None
    )


_NOT_AFTER = r"[/.$%+*#-]|\d:"
_CLASS = r"(?i:(?:county|state|farm|ranch|old|us) (?:road|rd|route|rte|highway|hwy)|highway|hwy)"
_ABROAD = rf"{_FOREIGN} (?:(?:de|la|las|los|del|des|du) ){{0,3}}[A-Z][A-Za-z'-]*(?: [A-Z][A-Za-z'-]+){{0,2}}"
_POST_OFFICE = r"(?i:p\.? ?o\.? ?(?:box|bx|drawer)|gpo box|private bag|locked bag) ?#?\d[\w-]{0,15}"
_RURAL = (
    r"(?i:(?:rr|hc|rte?|route|hwy|highway|star route) ?#?\d{1,4}[A-Z]?,? (?:box|bx|lot) ?#?\d[\w-]{0,15})"
)
_SHAPES = (
    Shape(
        rf"(?P<STREET>{_NUMBER} (?:{_DIRECTION} )?{_CLASS} \d{{1,4}}[A-Z]?\b{_UNIT})", _NOT_AFTER, then=_PLACE
    ),
    Shape(
        rf"(?P<STREET>{_NUMBER} (?P<names>(?:{_NAME} ){{1,5}})(?P<kind>{_TYPES})\b\.?{_UNIT})",
        _NOT_AFTER,
        "",
        _is_street,
        _PLACE,
    ),
    Shape(rf"(?P<STREET>{_NUMBER},? {_ABROAD})", _NOT_AFTER, then=_PLACE),
    Shape(
        rf"(?P<STREET>\b(?:{_POST_OFFICE}|{_RURAL}|(?:PSC|CMR|Unit) \d{{2,5}},? Box \d{{1,5}}\b))",
        then=_PLACE,
    ),
    Shape(rf"\b(?P<STATE>{_STATE})[.,;)]{{0,2}}[ \t]{{1,12}}(?P<ZIP>{_ZIP}|{_CANADA})\b", check=_is_pair),
    Shape(rf"\b(?P<STATE>{_AUSTRALIA}),? (?P<ZIP>\d{{4}})\b"),
    Shape(rf"\b(?P<STATE>{'|'.join(_words('states', 'lower_codes'))}) (?P<ZIP>\d{{5}})\b"),
    Shape(r"\b[AFD]PO,? A[AEP] (?P<ZIP>\d{5})\b"),
    Shape(
        r"\b(?i:zip(?: ?code)?|post(?:al)? ?code)(?:[ :#=]{1,6}|[^\n\dA-Z]{1,14})"
        rf"(?P<ZIP>{_BRITAIN}|{_CANADA}|{_IRELAND}|{_ZIP}|\d{{4}}|\d{{6}})\b"
    ),
)

RULES: tuple[Rule, ...] = (shape_rule("address", _SHAPES),)
