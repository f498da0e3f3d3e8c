"""E-mail, web and machine addresses and logins.

E-mail and web addresses go to reserved domains and follow the surrogates of names and numbers. Machines get
addresses from the ranges that are kept for documentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from plainsight.labels import CATEGORIES
from plainsight.locale import default_locale
from plainsight.replace.surrogate.contacts.logins import Logins
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.numbers import Numbers
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded
from plainsight.replace.surrogate.shape import another, permute, scramble

_words = default_locale().words
_FIRST_HALVES, _SECOND_HALVES = _words("numbers", "first_halves"), _words("numbers", "second_halves")
_SERVERS = frozenset(_words("contacts", "servers"))
_SECOND_LEVELS = frozenset(_words("contacts", "second_levels"))
_RESERVED = re.compile(r"(?:example\.(?:com|org|net)|example|test|invalid|localhost)")
_KINDS = {"com": "example.com", "org": "example.org", "net": "example.net"}  # all others go under .example


_EMAIL = re.compile(r"([^\s@<>:;,()\[\]\"]+)@([\w-]+(?:\.[\w-]+)*)")
_URL = re.compile(
    r"((?:[a-z][a-z\d+.-]*://)?)([\w-]+(?:\.[\w-]+)+)((?::\d+)?)((?:[/?#].*)?)", re.IGNORECASE | re.DOTALL
)
_STEP = re.compile(r"[^/?&=#\s]+(?=[/?&#\s]|$)")  # the names of fields, before =, stay
_SHORTEST_WORD = 5
_TURNS = 400


def owners(host: str) -> list[str]:
    """Return the labels of a host that may say whose it is.

    >>> owners("mychart.bayview.org"), owners("www.example.com"), owners("cardio.bayview.nhs.uk")
    (['bayview'], [], ['cardio', 'bayview'])
    """
    return [label for label in _split(host.lower())[0] if label and label not in _SERVERS]


def made_up(keyed: Keyed, label: str, turn: int) -> str:
    """Return a label of two words for an owner, with a hyphen if the owner's has one."""
    size = len(_SECOND_HALVES)
    first, second = divmod(keyed.number(f"domain {label} {turn}", len(_FIRST_HALVES) * size), size)
    return _FIRST_HALVES[first] + ("-" if "-" in label else "") + _SECOND_HALVES[second]


def domain(host: str, made: Mapping[str, str]) -> str:
    """Return a reserved host for a host, with the labels that say whose it is as ``made`` has them."""
    labels, suffix = _split(host)
    kept = [label if label.lower() in _SERVERS else made.get(label.lower(), "") for label in labels]
    name = ".".join([label for label in kept if label] + [suffix])
    return name.upper() if host.isupper() else name


def _split(host: str) -> tuple[list[str], str]:
    """Return the labels of a host before its suffix, and the reserved suffix of its kind."""
    labels = host.split(".")
    if len(labels) == 1:
        return labels, "example"
    for size in (2, 1):
        suffix = ".".join(labels[-size:]).lower()
        if _RESERVED.fullmatch(suffix):
            return labels[:-size], suffix
    if len(labels) > 2 and labels[-2].lower() in _SECOND_LEVELS and len(labels[-1]) == 2:
        return labels[:-2], _KINDS.get(labels[-2].lower(), "example")
    return labels[:-1], _KINDS.get(labels[-1].lower(), "example")


class Web:
    """Make the surrogates of e-mail addresses, web addresses and logins in one scope."""

    def __init__(self, scope: Scope, *, name_word: Callable[[str], str | None]) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("web")
        self._logins = Logins(scope, name_word=name_word)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        urls = [url for mention in mentions if (url := _url(mention))]
        hosts = {owner for url in urls for owner in owners(url[2])}
        hosts.update(owner for m in mentions for email in _emails(m.text) for owner in owners(email[2]))
        made_hosts = self._assigned(hosts, lambda label, turn: made_up(self._keyed, label, turn))
        logins = {folded(login) for mention in mentions for login in _logins(mention)}
        made_logins = self._assigned(logins, self._logins.login)
        numbers = self._numbers(urls, mentions)
        return [
            self._write_url(url, made_hosts, numbers)
            if (url := _url(mention))
            else self._write(mention, made_hosts, made_logins)
            for mention in mentions
        ]

    def _write_url(self, url: re.Match[str], hosts: Mapping[str, str], numbers: Mapping[str, str]) -> str:
        scheme, host, port, path = url.groups()
        made = _STEP.sub(lambda step: numbers.get(step[0]) or self._step(step[0]), path)
        new_host = domain(host, hosts)
        if folded(new_host + made) == folded(host + path):  # reserved already, with nobody's name in it
            new_host = f"{made_up(self._keyed, host, 0)}.{new_host}"
        return f"{scheme}{new_host}{port}{made}"

    def _write(self, mention: Mention, hosts: Mapping[str, str], logins: Mapping[str, str]) -> str:
        """Return a login, or a text with e-mail addresses in it; what stands around may be half of one."""
        text = mention.text
        pieces: list[str] = []
        last = 0
        for email in _emails(text) if mention.label != "USERNAME" else ():
            local, host = email.groups()
            made = domain(host, hosts)
            stays = self._logins.is_role(local) and folded(made) != folded(host)
            pieces.append(self._around(text[last : email.start()]))
            pieces.append(f"{local if stays else self._cased(local, logins)}@{made}")
            last = email.end()
        return "".join((*pieces, self._around(text[last:]))) if pieces else self._cased(text, logins)

    def _around(self, text: str) -> str:
        return text if self._logins.is_role(text) else self._logins.login(text)

    def _assigned(self, originals: set[str], candidate: Callable[[str, int], str]) -> dict[str, str]:
        return assign(originals, candidate, refused=lambda original, made: folded(made) == original)

    def _cased(self, login: str, made: Mapping[str, str]) -> str:
        """Return the surrogate of a login, with the capitals of this mention of it."""
        wanted = made[folded(login)]
        if login == folded(login):
            return wanted
        choices = (self._logins.login(login, turn) for turn in range(_TURNS))
        return next((choice for choice in choices if folded(choice) == folded(wanted)), wanted)

    def _numbers(self, urls: Sequence[re.Match[str]], mentions: Sequence[Mention]) -> dict[str, str]:
        """Return surrogates for the steps of paths that hold digits: those of such numbers in the notes."""
        steps = sorted({s for url in urls for s in _STEP.findall(url[4]) if any(map(str.isdecimal, s))})
        if not steps:
            return {}
        known = self._scope.of(*CATEGORIES["ID"])
        asked = [Mention(mentions[0].note, 0, 0, "IDNUM", step) for step in steps]
        made = Numbers(self._scope).surrogates([*known, *asked])
        return dict(zip(steps, made[len(known) :], strict=True))

    def _step(self, step: str) -> str:
        """Return a step of a path: names replaced, plain words kept."""
        if (len(step) < 3 and not self._logins.is_name(step)) or self._logins.is_role(step):
            return step
        return self._logins.login(step)


def _url(mention: Mention) -> re.Match[str] | None:
    return _URL.fullmatch(mention.text) if mention.label == "URL" else None


def _emails(text: str) -> Iterator[re.Match[str]]:
    return _EMAIL.finditer(text) if "@" in text else iter(())  # without one, a long word takes quadratic time


def _logins(mention: Mention) -> list[str]:
    """Return the logins and local parts of addresses in a mention."""
    locals_ = [email[1] for email in _emails(mention.text)] if mention.label != "USERNAME" else []
    return locals_ or [mention.text]


# --- machines ---------------------------------------------------------------------------------------------

_IPV4 = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_COLONS = re.compile(
    rf"(?<![\w:])(?:[0-9a-f]{{0,4}}:){{2,7}}(?:{_IPV4.pattern}|[0-9a-f]{{0,4}})(?![\w:])", re.IGNORECASE
)
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}", re.IGNORECASE)
_ADDRESS = re.compile(f"{_MAC.pattern}|{_IPV4.pattern}|{_COLONS.pattern}", re.IGNORECASE)
_REST = re.compile(r"(?:\s*port\W*\d+|[:/]\d+)?", re.IGNORECASE)
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")
_HEX = "0123456789abcdef"


class Addresses:
    """Make the surrogates of IP addresses in one scope; machines of one network stay together."""

    def __init__(self, scope: Scope) -> None:
        self._keyed = scope.keyed.child("addresses")

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        found = {address.lower() for mention in mentions for address in _ADDRESS.findall(mention.text)}
        made = assign(found, self._candidate, refused=str.__eq__)
        return [self._written(mention.text, made) for mention in mentions]

    def _written(self, text: str, made: dict[str, str]) -> str:
        """Return the text with its addresses replaced; port and mask stay, all else is scrambled."""
        pieces, last = [], 0
        for address in _ADDRESS.finditer(text):
            surrogate = made[address[0].lower()]
            pieces.append(scramble(self._keyed, text[last : address.start()]))
            pieces.append(surrogate.upper() if address[0].isupper() else surrogate)
            last = address.end()
        rest = text[last:]
        return "".join((*pieces, rest if _REST.fullmatch(rest) and pieces else scramble(self._keyed, rest)))

    def _candidate(self, address: str, turn: int) -> str:
        if _MAC.fullmatch(address):
            return self._hex(address, turn)
        if ":" in address:
            head, _, last = address.rpartition(":")
            if "." in last:  # ::ffff:10.0.0.1
                return f"{self._candidate(head, turn)}:{self._candidate(last, turn)}"
            groups = address.split(":")
            return "2001:db8:" + self._hex(":".join(groups[2:] if groups[1] else groups[1:]), turn)
        network, _, machine = address.rpartition(".")
        place = self._keyed.number(f"{network} {turn}", len(_DOCUMENTATION))
        return f"{_DOCUMENTATION[place]}.{another(self._keyed, int(machine) % 254, 254, turn) + 1}"

    def _hex(self, text: str, turn: int) -> str:
        return permute(self._keyed, text, [_HEX if sign in _HEX else "" for sign in text], turn)
