"""Contacts: e-mail, web and network addresses, telephone and fax numbers, pagers, logins."""

from __future__ import annotations

import ipaddress
import re

from plainsight.detect.patterns.rule import Rule, Shape, shape_rule
from plainsight.locale import default_locale

# E-mail, web and network addresses.

# Endings of hosts. A bare `host.ending` needs a path behind it: a missing space looks like one.
_ENDINGS = (
    "com|org|net|edu|gov|mil|info|biz|app|health|care|clinic|hospital|example|test|uk|ca|au|nz|ie|za|fr|nl|eu"
    "|COM|ORG|NET|EDU|GOV"
)
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL})*"
_WEB_HOST = rf"(?:{_LABEL}\.){{2,}}(?:{_ENDINGS})\b/?|(?:{_LABEL}\.)+(?:{_ENDINGS}|de|us|io|ly|me|in)/"
_REST = r"""(?:[^\s<>"'{}|\\^\x00\x1a]*[^\s<>"'{}|\\^\x00\x1a.,;:!?)\]*])?"""
_IPV6 = r"(?i:\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b|(?:\b[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}\b)"


def _is_network_address(match: re.Match[bytes]) -> bool:
    address = match["IPADDR"].decode("ascii")
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(map(str.isdigit, address))


_ADDRESSES = (
    Shape(rf"(?P<EMAIL>[A-Za-z0-9_%+][A-Za-z0-9._%+'-]*@{_HOST}\.[A-Za-z]{{2,}})"),
    Shape(rf"(?P<URL>(?i:\b(?:https?|ftps?|sftp):/?/|\bwww\.){_REST})"),
    Shape(rf"(?P<URL>\b(?:{_WEB_HOST}){_REST})", r"[@/.\w-]", r"@|\.\w"),
    Shape(r"(?P<DEVICE>\b(?i:[0-9a-f]{2}:){5}(?i:[0-9a-f]){2}\b)", r"\w:", r":\w"),
    Shape(
        rf"(?P<IPADDR>\b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b|{_IPV6})",
        r"\w[.:]|(?:\bv|version|\bver|release|build|firmware|software|\bsw)[ .:]?",
        r"[.:]\w",
        _is_network_address,
    ),
)

# Telephones. Letters that a scanner takes for digits count, if a word announces the number.

_words = default_locale().word_sets("phones")
_FAX, _PHONE, _OTHER = _words["fax_words"], _words["phone_words"], _words["other_words"]
_WORDS = re.compile(rb"[A-Za-z]+")
_AFTER = re.compile(
    rb"(?i)[ \t]{0,2}\(?(?:(?P<fax>f|fax)|voice|phone|office|cell|home|mobile|main|work)\b(?![ :.]{0,3}\(?\d)"
)
_D = "[0-9OolI]"
_EXTENSION = r"(?:,?[ \t]?\(?(?i:x|ext\.?|extension|extn\.?)[ .:#]{0,2}\d{1,6}\b)?"
_NUMBER = (
    rf"(?:(?:\+?1[-. ]{{0,2}})?(?:\({_D}{{3}}\)[-. /]{{0,2}}|\b{_D}{{3}}[-./ ]){_D}{{3}}[-. ]{_D}{{4}}"
    r"|\+\d{1,3}[-. ]?(?:\(\d{1,4}\)[-. ]?)?\d{1,5}(?:[-. ]?\d{2,5}){1,4}"
    r"|\(?\b0\d{1,4}\)?(?:(?: \d{3,4}){2}|(?:-\d{3,4}){2}| \d{6})\b|\b0\d(?:[ .]\d\d){4}\b"
    rf"|\b011[- ]\d{{1,3}}(?:[- ]\d{{2,4}}){{2,4}}\b|\b1[38]00 \d{{3}} \d{{3}}\b){_EXTENSION}"
)
_PAGER = (
    r"(?i:\b(?:pager|pgr|beeper|bpr|bleep|ascom|spectra(?:link)?|vocera|dect|voalte|ext(?:ension|n)?)"
    r"[ \t.:,/]{0,4}(?:(?:no|number|num|is|at|id)\b[ .:]{0,3})?\(?#?)"
    rf"(?P<PHONE>{_NUMBER}|\d{{1,2}}-\d{{3,5}}|\d{{3,6}})\b"
)
_SURE = re.compile(rb"[+(]|[1-9][\d ]*[-./(]")
_GLUED = r"[\w$./=-]"
_GOES_ON = r"[a-z0-9]|[-/_:][a-z0-9]|[.,]\d|[ ]?%"


def _kind(match: re.Match[bytes]) -> str:
    """Return the kind of a number by the nearest word: fax, phone, other, or nothing if none speaks."""
    text, start = match.string, match.start()
    if sum(48 <= byte <= 57 for byte in match[0]) < 8:
        return "other"  # +19.50
    after = _AFTER.match(text, match.end())
    if after:
        return "fax" if after["fax"] else "phone"
    words = _WORDS.findall(text[max(0, start - 60) : start].lower())[::-1]
    if words and words[0] in _OTHER and text[max(0, start - 3) : start].strip(b" :#"):
        return "other"
    return next(("fax" if word in _FAX else "phone" for word in words if word in _FAX or word in _PHONE), "")


def _is_phone(match: re.Match[bytes]) -> bool:
    """Ask for a word that announces a number without brackets, plus or joints, or with letters in it."""
    kind, number = _kind(match), match["PHONE"]
    return kind == "phone" or (kind == "" and _SURE.match(number) is not None)


_PHONES = (
    Shape(rf"(?P<FAX>{_NUMBER})", _GLUED, _GOES_ON, lambda match: _kind(match) == "fax"),
    Shape(rf"(?P<PHONE>{_NUMBER})", _GLUED, _GOES_ON, _is_phone),
    Shape(_PAGER, "", r"[-/:.]\d|\w| ?(?:%|deg|cm|mm)"),
)

# Logins that systems stamp on notes: `printed 04/17/09 02:00 by vrtalk2`.

_VERBS, _NOUNS = (
    "|".join(default_locale().words("contacts", key)).replace("_", " ") for key in ("verbs", "nouns")
)
_NOT_LOGINS = default_locale().word_sets("contacts")["not_logins"]
_LOGIN = (
    r"(?P<USERNAME>[a-z]{2,}\d{1,3}|[A-Z]{3,}\d{1,2}|[A-Za-z]+[A-Za-z0-9]*_[A-Za-z0-9]+"
    r"|[A-Z]{2,4}\.[A-Z]{2,4}|[a-z]{3,}\.[a-z]{1,2})\b"
)
_TIME = r"\d[ T]\d\d:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?(?: [A-Z]{2,3}T)?[ \t]{1,4}"


def _is_login(match: re.Match[bytes]) -> bool:
    value = match["USERNAME"].lower()
    return 3 <= len(value) <= 24 and value.rstrip(b"0123456789") not in _NOT_LOGINS


_LOGINS = (
    Shape(rf"(?i:\b(?:{_VERBS})\b[^\n]{{0,32}}?\bby:? [\[(]?){_LOGIN}", "", r"[@\w]", _is_login),
    Shape(rf"(?i:\b(?:{_NOUNS})[ :=#]{{1,3}}){_LOGIN}", "", r"[@\w]", _is_login),
    Shape(_TIME + _LOGIN, "", r"[@\w]", _is_login),
    Shape(
        r"(?P<USERNAME>\b(?:[a-z]{4,12}\d{1,2}|[a-z]{2,10}_[a-z0-9]{2,10})\b)",
        "[/.@_=-]",
        r"[^\r\n)\]]",
        _is_login,
    ),
)

RULES: tuple[Rule, ...] = (shape_rule("contact", _ADDRESSES + _PHONES), shape_rule("login", _LOGINS))
