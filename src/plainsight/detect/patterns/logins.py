"""Rules for the logins that systems stamp on notes: `printed 04/17/09 02:00 by vrtalk2`."""

from __future__ import annotations

import re

from plainsight.detect.patterns.rule import Claim, Rule
from plainsight.locale import default_locale


def _any_of(key: str) -> str:
    return "|".join(default_locale().words("contacts", key)).replace("_", " ")


# Behind what only a system writes, any single word is a login; behind the rest it must look made for one.
_SYSTEM_VERBS, _VERBS = _any_of("system_verbs"), _any_of("verbs")
_SYSTEM_NOUNS, _NOUNS = _any_of("system_nouns"), _any_of("nouns")
_HEAD = re.compile(rf"(?i)(?:(?P<system>{_SYSTEM_VERBS}|{_SYSTEM_NOUNS})|(?:{_VERBS}|{_NOUNS}))\b".encode())
_VALUE = re.compile(rb"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*")
_MADE = re.compile(
    rb"[a-z]{2,}\d{1,3}|[A-Z]{2,}\d{1,2}|[A-Za-z]+[A-Za-z0-9]*_[A-Za-z0-9]+"
    rb"|[A-Z]{2,4}\.[A-Z]{2,4}|[a-z]{3,}\.[a-z]{1,2}"
)
_CHAIN = re.compile(rb", (?=[a-z][a-z0-9._-]{4,19}\b)")
_STAMPED = re.compile(
    rb"\d[ T]\d\d:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?(?: [A-Z]{2,3}T)?[ \t]{1,4}([A-Za-z0-9._-]+)"
    rb"(?=[ ]{2}|\t|\r?\n|\Z| \()"
)
_words = default_locale().word_sets("contacts")
_NOT_LOGINS = _words["not_logins"]
_COUNTED = _words["counted"]


def _claims(text: bytes, start: int, *, trusted: bool) -> list[Claim]:
    claims: list[Claim] = []
    while len(claims) < 6:
        match = _VALUE.match(text, start, start + 32)
        if match is None:
            break
        value = match[0]
        made = _MADE.fullmatch(value) is not None and value.lower().rstrip(b"0123456789") not in _COUNTED
        if (
            value.lower() in _NOT_LOGINS
            or not 3 <= len(value) <= 24
            or text[match.end() : match.end() + 1] == b"@"
        ):
            break
        if not made and not (trusted and len(value) > 3 and _is_stamp(text, match)):
            break
        claims.append(Claim(match.start(), match.end(), "USERNAME", 0.9 if made else 0.7))
        chain = _CHAIN.match(text, match.end())
        if chain is None:
            break
        start = chain.end()
    return claims


def _is_stamp(text: bytes, match: re.Match[bytes]) -> bool:
    """Tell whether a plain word ends a stamp and does not go on in a sentence: not `opened by using the`."""
    value = match[0]
    if not (value.islower() or value.isupper()) or value.endswith((b"ing", b"ly")):
        return False
    return re.match(rb" [a-z](?!n |t |rom )", text[match.end() : match.end() + 6]) is None


def _login(text: bytes, start: int, end: int) -> list[Claim]:
    """Decide on the word behind a verb and "by", behind a noun or a time, or on a word made for a machine."""
    if 48 <= text[start] <= 57:
        stamped = _STAMPED.match(text, start, start + 60)
        return (
            _claims(text, stamped.start(1), trusted=stamped[1].islower() or len(stamped[1]) > 3)
            if stamped
            else []
        )
    head = _HEAD.match(text, start)
    if head and head.end() < end:
        return _claims(text, end - 2, trusted=head["system"] is not None)
    start += text[start] in b"(["
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in (b"/", b".", b"@", b"-", b"_", b"=") or not (
        after in (b"", b"\n", b"\r", b")", b"]") or text[end - 1] in b")]"
    ):
        return []  # stamps stand in brackets or end a line; elsewhere it may be a field name or a count
    return _claims(text, start, trusted=False)


_SCAN = (
    rf"(?i:\b(?:{_SYSTEM_VERBS}|{_VERBS})\b[^\n]{{0,32}}?\bby:? [\[(]?)[A-Za-z][A-Za-z0-9._-]"
    rf"|(?i:\b(?:{_SYSTEM_NOUNS}|{_NOUNS})[ :=#]{{1,3}})[A-Za-z][A-Za-z0-9._-]"
    r"|\d[ T]\d\d:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?(?: [A-Z]{2,3}T)?[ \t]{1,4}[A-Za-z]{3}"
    r"|\b[a-z]{4,12}\d{1,2}\b|\b[a-z]{2,10}_[a-z0-9]{2,10}\b|\([A-Z]{3,8}\d{1,2}\)|[\[(][a-z]{2,8}\d{2,3}[\])]"
)

RULES: tuple[Rule, ...] = (Rule("login", _SCAN, _login),)
