"""Forms of states and post codes: beside each other, behind a street or a city, or with a word that asks."""

from __future__ import annotations

import re
from collections.abc import Callable

from plainsight.detect.patterns.alternation import one_of
from plainsight.detect.patterns.context import LETTERS, second_before, word_before
from plainsight.detect.patterns.cues import cue_families
from plainsight.detect.patterns.forms import Form
from plainsight.detect.patterns.rule import Claim
from plainsight.locale import DEFAULT_LOCALE, default_locale

_table = default_locale().table("states")
_words = default_locale().words
_IN_ADDRESSES = [(home, name) for home, (name, *_) in _table["states"].items()]
_UNFOUND = {*_words("states", "unfound_names"), *_words("states", "unfound_codes")}
_NAMES = [name for _, name in _IN_ADDRESSES if name.replace(" ", "_") not in _UNFOUND]
_NAMES += _words("states", "other_names")
_CODES = [home[3:] for home, _ in _IN_ADDRESSES if home[:3] != "AU/" and home[3:] not in _UNFOUND]
_SHORT = [f"{word}{point}" for word in _words("states", "abbreviations") for point in ("", ".")]
_NAMED_STATES = [*_NAMES, *map(str.upper, _NAMES), *_SHORT, *_words("states", "capital_abbreviations")]
_STATE = one_of(_NAMED_STATES + _CODES)
_ALONE = one_of([*_NAMED_STATES, *_words("states", "plain_codes")])
_LOWER_CODES = "|".join(_words("states", "lower_codes"))
_LOWER_WORDS = "|".join(
    f"(?:{codes.replace(' ', '|')}) {digit}" for digit, codes in _table["lower_code_digits"].items()
)

_ZIP = r"\d{5}(?:-\d{4})?"
_CANADA = r"[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d"
_BRITAIN = r"[A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2}"
_IRELAND = r"[AC-FHKNPRTV-Y]\d[0-9W] [0-9AC-FHKNPRTV-Y]{4}"
_AREAS = frozenset(
    area.encode() for key in ("british_areas", "other_british_areas") for area in _words("states", key)
)

_CITY = r"[A-Z0][A-Za-z'.-]*(?:(?:[,;] |[ ])(?:[A-Z][A-Za-z'.-]*|de|la|of|du)){0,5}?[,;]?[ \t]{1,12}"
_PLACE_STATE = rf"\(?(?P<state>{_STATE})(?![A-Za-z'])\)?[.,;]?[ \t]{{0,12}}"
_BEHIND = re.compile(
    (
        r"[ \t]{0,4}[,;|*.\x1a)]{0,2}(?:[ \t]{0,40}\n)?[ \t]{0,40}(?:[|*\x1a][ \t]{1,4})?"
        rf"(?:(?P<first>\d{{5}}) (?=[A-Z][a-z]+)|(?P<city>{_CITY})?(?:{_PLACE_STATE})?"
        rf"(?P<zip>\b(?:{_ZIP}|{_CANADA}|{_BRITAIN}|{_IRELAND}"
        r"|(?:\d{4} \d|\d{3} \d{2}|\d{4}|\d{6}|\d{3} \d{3})(?= *(?:[\n,.;)|]|\Z)))\b)"
        rf"|(?:{_CITY})?{_PLACE_STATE.replace('<state>', '<alone>')}(?=[\n,;)(|]|\Z|  ))"
    ).encode()
)
_FIRST_DIGITS = {
    code.encode(): digit.encode() for digit, codes in _table["code_digits"].items() for code in codes.split()
}
_ANNOUNCING = frozenset(
    cue.encode()
    for family in cue_families(DEFAULT_LOCALE)
    for cue in f"{family.words} {family.numbered}".split()
)
_CODE_WORDS = frozenset(b"cpt icd hcpcs code codes billed platelets plt wbc rbc count copies".split())
_ENDS = (b"", b"\n", b")", b",", b".", b";", b"|", b"\t")


def behind_street(text: bytes, end: int) -> list[Claim]:
    """Read the state and the post code behind a street line, over the city between them."""
    match = _BEHIND.match(text, end, end + 120)
    if match is None:
        return []
    claims = []
    for group, label in (("first", "ZIP"), ("state", "STATE"), ("zip", "ZIP"), ("alone", "STATE")):
        value = match[group]
        if value and (
            group != "zip" or match["city"] or match["state"] or (len(value) != 4 and len(value) != 6)
        ):
            claims.append(Claim(*match.span(group), label, 0.95))
    return claims


def _word_left(text: bytes, end: int) -> bytes:
    """Return the word that ends at a position, over a comma and blanks, in its own case."""
    window = text[max(0, end - 24) : end].rstrip(b" \t,;.")
    return window[len(window.rstrip(LETTERS)) :]


def _pair(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a state and a post code; an MD or an ID and five digits need a city before them."""
    state, start = match["state"], match.start("state")
    if len(state) > 2 or not match["zip"].isdigit():
        return _both(text, match)
    if state in _FIRST_DIGITS and match["zip"][0] not in _FIRST_DIGITS[state]:
        return []
    comma = second_before(text, start) in (b",", b";")
    before = _word_left(text, start)
    if before[:1].isupper() and (state != b"ID" or len(match["gap"]) > 1 or comma):
        return _both(text, match)
    return []


def _groups(**scores: float) -> Callable[[bytes, re.Match[bytes]], list[Claim]]:
    """Return a function that claims the groups of a match by their names."""
    return lambda text, match: [
        Claim(*match.span(group), group.upper(), score) for group, score in scores.items()
    ]


_both, _zip, _state = _groups(state=0.93, zip=0.95), _groups(zip=0.93), _groups(state=0.85)


def _lower(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    start, end = match.span("zip")
    return [Claim(start, start + 2, "STATE", 0.75), Claim(start + 3, end, "ZIP", 0.8)]


def _owned(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a state before what it issues: a licence, a plate."""
    word = match["state"] in (b"MD", b"OR", b"ID", b"IN", b"ME", b"DE")
    return [] if word else [Claim(*match.span("state"), "STATE", 0.8)]


def _alone(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a state behind a city, with a post code or without."""
    start, end = match.span("state")
    for better, decide in ((_PAIR.match(text, start), _pair), (_OWNED.match(text, start), _owned)):
        if better:
            return decide(text, better)
    ends = text[end : end + 1] in _ENDS or text[end : end + 2] == b"  "
    before = _word_left(text, start)
    if not ends or not before[:1].isupper():
        return []
    comma = second_before(text, start) == b","
    if comma or (len(match["state"]) == 2 and before[1:].islower()):
        return [Claim(start, end, "STATE", 0.85 if comma else 0.7)]
    return []


def _abroad(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a British, Canadian or Irish code; the first must name a post town's area."""
    start, end = match.span()
    value = match[0]
    if value[-2:].isalpha() and value[-3:-2].isdigit():
        if (value[:2] if value[1:2].isalpha() else value[:1]) not in _AREAS:
            return []
    elif not (value[-1:].isdigit() and value[-2:-1].isalpha()) and not word_before(text, start, gap=b" ,\n"):
        return []
    return [] if text[start - 1 : start] in (b"-", b"/", b".") else [Claim(start, end, "ZIP", 0.85)]


def _city(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    """Decide on a word with a capital and five digits: a city, unless the word announces another number."""
    word = match["city"].lower()
    if (
        word in _ANNOUNCING
        or word in _CODE_WORDS
        or word_before(text, match.start(), gap=b" ") in _CODE_WORDS
    ):
        return []
    return [Claim(*match.span("zip"), "ZIP", 0.6)]


_AUSTRALIA = r"NSW|VIC|Vic|QLD|Qld|TAS|Tas|ACT|Queensland|Tasmania|Victoria|New South Wales|Western Australia"

_PAIRED = rf"\b(?P<state>{_STATE})[.,;)]{{0,2}}(?P<gap>[ \t]{{1,12}})(?P<zip>{_ZIP}|{_CANADA})\b"
_ISSUING = rf"\b(?P<state>{_STATE})\.?[ ](?i:lic|dl|plate|tag|driver)"
_PAIR, _OWNED = re.compile(_PAIRED.encode()), re.compile(_ISSUING.encode())

POSTAL: tuple[Form, ...] = (
    Form("A-Z", _PAIRED, _pair),
    Form("ANQTVW", rf"\b(?P<state>{_AUSTRALIA}),? (?P<zip>\d{{4}})\b", _both),
    Form("a-z", r"[a-z],? (?P<state>SA|WA|NT),? (?P<zip>\d{4})\b", _both),
    Form("AFD", r"\b[AFD]PO,? A[AEP] (?P<zip>\d{5})\b", _zip),
    Form("acfgikmnorstuvw", rf"\b(?P<state>{_LOWER_CODES}) (?P<zip>\d{{5}})\b", _both),
    Form("acdhilmop", rf"\b(?P<zip>(?:{_LOWER_WORDS})\d{{4}})\b", _lower),
    Form("A-Z", _ISSUING, _owned),
    Form("A-Z", rf"\b(?:[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d|{_BRITAIN}|{_IRELAND})\b", _abroad),
    Form(
        "ZzPp",
        r"\b(?i:zip(?: ?code)?|post(?:al)? ?code)(?:[ :#=]{1,6}|[^\n\dA-Z]{1,14})"
        rf"(?P<zip>{_BRITAIN}|{_CANADA}|{_IRELAND}|{_ZIP}|\d{{4}}|\d{{6}})\b",
        _zip,
    ),
    Form("SsPp", rf"\b(?i:state|province)(?i: of | ?[:=] {{0,4}})(?P<state>{_STATE})\b", _state),
    Form(
        "A-Z",
        r"\b(?P<city>[A-Z][a-z]{3,}|[A-Z]{4,})(?:,| -)? (?P<zip>\d{5}(?:-\d{4})?|\d{6})"
        r"(?:[^0-9A-Za-z.,/:%-]|[.,][ \n]|[.,]?(?:\x00|$))",
        _city,
    ),
    Form(
        "A-Za-z.",
        rf"(?:[a-z.] |[A-Za-z.], )(?P<state>{_ALONE})(?:[^A-Za-z0-9'-]|$)",
        _alone,
    ),
    Form("(", rf"\((?P<state>{one_of(_NAMED_STATES)})\)", _state),
)
