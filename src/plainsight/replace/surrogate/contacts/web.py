"""E-mail, web and machine addresses and logins.

E-mail and web addresses follow the surrogates of names, organisations and numbers. Machines stay in their
network's range, or get addresses from the ranges that are kept for documentation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.contacts.logins import Logins
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.numbers import Numbers, Ranges
from plainsight.replace.surrogate.organisations.vocabulary import listed, singular
from plainsight.replace.surrogate.scope import Mention, Scope, folded
from plainsight.replace.surrogate.shape import another, permute

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
_WORD = re.compile(r"[^\W_]+")
_STEP = re.compile(r"[^/?&=#\s]+(?=[/?&#\s]|$)")  # the names of fields, before =, stay
_PROVIDERS = _words("contacts", "mail_providers")
_LONGEST_ACRONYM = 5
_LONGEST_WORD = 16
_MOST_WORDS = 6  # of a name that a domain is put together from


def made_up(keyed: Keyed, label: str) -> str:
    """Return a label of two words for an owner, with a hyphen if the owner's has one."""
    size = len(_SECOND_HALVES)
    first, second = divmod(keyed.number(f"domain {label}", len(_FIRST_HALVES) * size), size)
    return _FIRST_HALVES[first] + ("-" if "-" in label else "") + _SECOND_HALVES[second]


def split(host: str) -> tuple[list[str], str, str]:
    """Return the labels of a host before its suffix, the suffix, and the reserved suffix of its kind.

    >>> split("mychart.bayview.org"), split("www.example.com"), split("bayview.nhs.uk")
    ((['mychart', 'bayview'], 'org', 'example.org'), (['www'], 'example.com', 'example.com'), \
(['bayview'], 'nhs.uk', 'example'))
    """
    labels = host.split(".")
    if len(labels) == 1:
        return labels, "", "example"
    for size in (2, 1):
        suffix = ".".join(labels[-size:])
        if _RESERVED.fullmatch(suffix.lower()):
            return labels[:-size], suffix, suffix
    size = 2 if len(labels) > 2 and labels[-2].lower() in _SECOND_LEVELS and len(labels[-1]) == 2 else 1
    kind = labels[-size].lower()
    return labels[:-size], ".".join(labels[-size:]), _KINDS.get(kind, "example")


class Web:
    """Make the surrogates of e-mail addresses, web addresses and logins in one scope.

    ``name_word`` gives the surrogate of a word of somebody's name, ``organisation`` that of a name or acronym
    of an organisation in a note: the domain of a hospital follows it. With ``ranges`` of ``plausible`` a
    domain keeps its suffix, and may be somebody's; ``fictional`` ones are under suffixes that are reserved.
    """

    def __init__(
        self,
        scope: Scope,
        *,
        name_word: Callable[[str], str | None],
        organisation: Callable[[str, int], str],
        ranges: Ranges = "plausible",
    ) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("web")
        self._name_word = name_word
        self._organisation = organisation
        self._fictional = ranges == "fictional"
        self._numbers = Numbers(scope)
        self._logins: dict[int, Logins] = {}
        self._names: dict[int, dict[str, str]] = {}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention; "" for a login in which nothing can be changed."""
        return [
            self._write_url(url, mention.note) if (url := _url(mention)) else self._write(mention)
            for mention in mentions
        ]

    def _logins_of(self, note: int) -> Logins:
        if note not in self._logins:
            self._logins[note] = Logins(self._scope.of_note(note), name_word=self._name_word)
        return self._logins[note]

    def _write_url(self, url: re.Match[str], note: int) -> str:
        scheme, host, port, path = url.groups()
        made = _STEP.sub(lambda step: self._step(step[0], note), path)
        new_host = self._domain(host, note)
        if folded(new_host + made) == folded(host + path):  # reserved already, with nobody's name in it
            new_host = f"{made_up(self._keyed, host)}.{new_host}"
        return f"{scheme}{new_host}{port}{made}"

    def _write(self, mention: Mention) -> str:
        """Return a login, or a text with e-mail addresses in it; what stands around may be half of one."""
        text, logins = mention.text, self._logins_of(mention.note)
        pieces: list[str] = []
        last = 0
        for email in _emails(text) if mention.label != "USERNAME" else ():
            local, host = email.groups()
            made = self._domain(host, mention.note)
            stays = logins.is_role(local) and folded(made) != folded(host)
            pieces.append(self._around(text[last : email.start()], logins))
            pieces.append(f"{local if stays else logins.login(local)}@{made}")
            last = email.end()
        return "".join((*pieces, self._around(text[last:], logins))) if pieces else logins.login(text)

    def _around(self, text: str, logins: Logins) -> str:
        return text if logins.is_role(text) or not any(map(str.isalnum, text)) else logins.login(text)

    def _step(self, step: str, note: int) -> str:
        """Return a step of a path: numbers and names replaced, plain words kept."""
        logins = self._logins_of(note)
        if any(map(str.isdecimal, step)):
            return self._numbers.surrogates([Mention(note, 0, 0, "IDNUM", step)])[0]
        if (len(step) < 3 and not logins.is_name(step)) or logins.is_role(step):
            return step
        return logins.login(step)

    # --- domains -------------------------------------------------------------------------------------------

    def _domain(self, host: str, note: int) -> str:
        """Return a host for a host, with other labels for those that say whose it is."""
        labels, suffix, reserved = split(host)
        if host.lower() in _PROVIDERS:
            made = [made_up(self._keyed, label) for label in labels]
            if not self._fictional:
                place = self._keyed.permute(_PROVIDERS.index(host.lower()), len(_PROVIDERS))
                *made, suffix = _PROVIDERS[place].split(".")
        else:
            named = ((label, label.lower()) for label in labels if label)
            made = [label if low in _SERVERS else self._owner(low, note) for label, low in named]
        name = ".".join([*made, reserved if self._fictional or not suffix else suffix])
        return name.upper() if host.isupper() else name

    def _owner(self, label: str, note: int) -> str:
        """Return what stands for a label that says whose a host is: the words of an organisation, joined."""
        name = self._written_names(note).get(label.replace("-", "")) or " ".join(segments(label)).title()
        made = self._organisation(name.upper() if len(name) <= _LONGEST_ACRONYM else name, note)
        plain = unicodedata.normalize("NFKD", made.lower().replace("'", "")).encode("ascii", "ignore")
        words = _WORD.findall(plain.decode())
        return ("-" if "-" in label else "").join(words) or made_up(self._keyed, label)

    def _written_names(self, note: int) -> dict[str, str]:
        """Return the beginnings of the organisations' names in a note, by their letters without blanks."""
        if note not in self._names:
            found: dict[str, str] = {}
            for mention in self._scope.of_note(note).of("HOSPITAL", "ORGANIZATION"):
                for end in [word.end() for word in islice(_WORD.finditer(mention.text), _MOST_WORDS)]:
                    key = "".join(_WORD.findall(mention.text[:end].lower()))
                    if len(key) > _LONGEST_ACRONYM:
                        found.setdefault(key, mention.text[:end])
            self._names[note] = found
        return self._names[note]


def segments(label: str) -> list[str]:
    """Return the words that the label of a host is put together from, as few as possible.

    >>> segments("lakesregional"), segments("st-brendans")
    (['lakes', 'regional'], ['st', 'brendans'])
    """
    found: list[str] = []
    for piece in re.split(r"[-_]", label):
        found += _cut(piece) if len(piece) > _LONGEST_ACRONYM else [piece]
    return list(filter(None, found))


@note_cache(4096)
def _cut(label: str) -> tuple[str, ...]:
    known = listed()
    # For each place: the cost to get there, and the words so far. Letters of no known word cost most.
    best: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for end in range(1, len(label) + 1):
        ways = []
        for start in range(max(0, end - _LONGEST_WORD), end):
            word = label[start:end]
            is_known = len(word) > 2 and (word in known or singular(word) in known)
            price = (5 if len(word) > 3 else 9) if is_known else 8 + 4 * len(word)
            ways.append((best[start][0] + price, (*best[start][1], word)))
        best.append(min(ways))
    return best[-1][1]


def _url(mention: Mention) -> re.Match[str] | None:
    return _URL.fullmatch(mention.text) if mention.label == "URL" else None


def _emails(text: str) -> Iterator[re.Match[str]]:
    return _EMAIL.finditer(text) if "@" in text else iter(())  # without one, a long word takes quadratic time


# --- machines ---------------------------------------------------------------------------------------------

_IPV4 = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_COLONS = re.compile(
    rf"(?<![\w:])(?:[0-9a-f]{{0,4}}:){{2,7}}(?:{_IPV4.pattern}|[0-9a-f]{{0,4}})(?![\w:])", re.IGNORECASE
)
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}", re.IGNORECASE)
_ADDRESS = re.compile(f"{_MAC.pattern}|{_IPV4.pattern}|{_COLONS.pattern}", re.IGNORECASE)
_REST = re.compile(r"(?:\s*port\W*\d+|[:/]\d+)?", re.IGNORECASE)
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")
_PRIVATE = frozenset([("192", "168"), *(("172", str(part)) for part in range(16, 32))])
_HEX = "0123456789abcdef"


class Addresses:
    """Make the surrogates of IP addresses in one scope; machines of one network stay together.

    With ``ranges`` of ``plausible`` an address keeps its first part, so that private ones stay private;
    ``fictional`` ones are from the ranges for documentation.
    """

    def __init__(self, scope: Scope, *, ranges: Ranges = "plausible") -> None:
        self._keyed = scope.keyed.child("addresses")
        self._fictional = ranges == "fictional"

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention; "" for one without an address."""
        return [self._written(mention.text) for mention in mentions]

    def _written(self, text: str) -> str:
        """Return the text with its addresses replaced; port and mask stay, nothing else may stand there."""
        pieces, last = [], 0
        for address in _ADDRESS.finditer(text):
            surrogate = self._made(address[0].lower())
            pieces += [text[last : address.start()], surrogate.upper() if address[0].isupper() else surrogate]
            last = address.end()
        between = "".join(pieces[::2])
        fits = pieces and _REST.fullmatch(text[last:]) and not any(map(str.isalnum, between))
        return "".join((*pieces, text[last:])) if fits else ""

    def _made(self, address: str) -> str:
        if _MAC.fullmatch(address):
            return self._hex(address)
        if ":" in address:
            head, _, last = address.rpartition(":")
            if "." in last:  # ::ffff:10.0.0.1
                return f"{self._made(head)}:{self._made(last)}"
            groups = address.split(":")
            if not self._fictional:
                return f"{groups[0]}:{self._hex(':'.join(groups[1:]))}"
            return "2001:db8:" + self._hex(":".join(groups[2:] if groups[1] else groups[1:]))
        network, _, machine = address.rpartition(".")
        number = another(self._keyed, (int(machine) - 1) % 254, 254) + 1
        if self._fictional:
            return f"{_DOCUMENTATION[self._keyed.number(network, len(_DOCUMENTATION))]}.{number}"
        made, *others = network.split(".")
        for place, part in enumerate(others):
            if not (place == 0 and (made, part) in _PRIVATE):
                before = ".".join(others[:place])
                part = str((int(part) + self._keyed.number(f"network {before}", 256)) % 256)
            made += f".{part}"
        return f"{made}.{number}"

    def _hex(self, text: str) -> str:
        return permute(self._keyed, text, [_HEX if sign in _HEX else "" for sign in text])
