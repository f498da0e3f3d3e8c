"""Rules for contacts: e-mail, web and network addresses, and, by way of `phones`, telephone numbers."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator

from plainsight.detect.patterns.context import LETTERS, left_edge, second_before
from plainsight.detect.patterns.phones import PHONES, check_phone
from plainsight.detect.patterns.rule import Claim, Rule

# Endings that make a bare `host.ending` a web address. Short words (.in, .me, .us) need a path behind them:
# a missing space after a full stop would look like one.
_ENDINGS = (
    r"com|org|net|edu|gov|mil|info|biz|app|health|care|clinic|hospital|example|test|uk|ca|au|nz|ie|za|fr|nl|eu"
    r"|COM|ORG|NET|EDU|GOV|(?:de|us|io|ly|me|in)/"
)

_LOCAL = LETTERS + b"0123456789._%+'-"
_HOST = re.compile(
    rb"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.[A-Za-z]{2,}"
)
_SPLIT_LOCAL = re.compile(rb"(?i)e-?mail\b[^\n@]{0,24}?[\s:]([a-z]+[._][a-z0-9]*) \Z")
_URL = re.compile(rb"[^\s<>\"'{}|\\^\x1a]+")
_HOST_BYTES = LETTERS + b"0123456789.-"
_VERSION = re.compile(rb"(?i)(?:\bv|version|\bver|release|build|firmware|software)[ .:]?\Z")
_LONGEST_LOCAL = 64
_TRAILING = b".,;:!?)]}*"


def _email(text: bytes, at: int) -> Iterator[Claim]:
    """Grow an address from its at sign, over one scanning error (a space) on either side."""
    left = at - 1 if text[at - 1 : at] == b" " else at
    start = left_edge(text, left, _LOCAL, _LONGEST_LOCAL)
    right = at + 2 if text[at + 1 : at + 2] == b" " else at + 1
    host = _HOST.match(text, right, right + 255)
    if start == left or host is None:
        return
    spaced = left != at or right != at + 1
    if spaced and not re.search(rb"(?i)e-?mail", text[max(0, at - 60) : at]):
        return
    start = left - len(text[start:left].lstrip(b".'-"))
    split = _SPLIT_LOCAL.search(text[max(0, start - 80) : start])
    if split:
        start -= len(split[1]) + 1
    yield Claim(start, host.end(), "EMAIL", 0.9 if spaced or split else 0.99)


def _url(text: bytes, start: int, score: float) -> Iterator[Claim]:
    match = _URL.match(text, start, start + 2048)
    if match:
        end = start + len(match[0].rstrip(_TRAILING))
        yield Claim(start, end, "URL", score)


def _network(text: bytes, start: int, end: int) -> Iterator[Claim]:
    if text[start - 1 : start] in (b".", b":") and second_before(text, start).isalnum():
        return
    if text[end : end + 1] in (b".", b":") and text[end + 1 : end + 2].isalnum():
        return
    candidate = text[start:end].decode("ascii")
    pieces = candidate.split(":")
    if len(pieces) == 6 and all(len(piece) == 2 for piece in pieces):
        yield Claim(start, end, "DEVICE", 0.9)  # a MAC address names a machine, not a place on the network
        return
    try:
        ipaddress.ip_address(candidate)
    except ValueError:
        return
    if len(pieces) > 1 and not any(map(str.isdigit, candidate)):
        return
    if _VERSION.search(text[max(0, start - 10) : start]):
        return
    yield Claim(start, end, "IPADDR", 0.95)


def _host(text: bytes, start: int, end: int) -> Iterator[Claim]:
    """Grow a web address without a scheme from its ending."""
    begin = left_edge(text, start, _HOST_BYTES, 200)
    if begin == start or (text[end : end + 1] == b"." and text[end + 1 : end + 2].isalnum()):
        return  # a longer host goes on: its own ending speaks
    begin = start - len(text[begin:start].lstrip(b".-"))
    if text[begin - 1 : begin] not in (b"@", b"/") and text[begin : begin + 4].lower() != b"www.":
        yield from _url(text, begin, 0.9)


def _contact(text: bytes, start: int, end: int) -> Iterable[Claim]:
    first, last = text[start], text[end - 1]
    if first == 64:  # an at sign
        return _email(text, start)
    if first == 46:  # a full stop
        return _host(text, start, end)
    if last in b"/." and first > 64 and _SCHEME.match(text, start):
        return _url(text, start, 0.99)
    if (58 in text[start:end] or text.count(b".", start, end) == 3) and _NETWORK.fullmatch(text, start, end):
        return _network(text, start, end)
    return check_phone(text, start, end)


_ADDRESSES = r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b"
_ADDRESSES += (
    r"|(?i:\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b|(?:\b[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}\b)"
)
_SCHEME = re.compile(rb"(?i)(?:https?|ftps?|sftp):|www\.")
_NETWORK = re.compile(_ADDRESSES.encode())
_SCAN = (
    r"@"
    r"|(?i:\b(?:https?|ftps?|sftp):/?/|\bwww\.)"
    rf"|\.(?:{_ENDINGS})\b"
    rf"|{_ADDRESSES}|{PHONES}"
)

RULES: tuple[Rule, ...] = (Rule("contact", _SCAN, _contact),)
