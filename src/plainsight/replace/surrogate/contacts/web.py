"""E-mail and web addresses and logins: on reserved domains, following the surrogates of names and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from plainsight.errors import DataError
from plainsight.labels import CATEGORIES
from plainsight.replace.surrogate.contacts.domains import domain, made_up, owners
from plainsight.replace.surrogate.contacts.logins import Logins
from plainsight.replace.surrogate.numbers import Numbers
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded

__all__ = ["Web"]

_EMAIL = re.compile(r"([^\s@<>:;,()\[\]\"]+)@([\w-]+(?:\.[\w-]+)*)")
_URL = re.compile(
    r"((?:[a-z][a-z\d+.-]*://)?)([\w-]+(?:\.[\w-]+)+)((?::\d+)?)((?:[/?#].*)?)", re.IGNORECASE | re.DOTALL
)
_STEP = re.compile(r"[^/?&=#\s]+(?=[/?&#\s]|$)")  # the names of fields, before =, stay
_SHORTEST_WORD = 5
_TURNS = 400


class Web:
    """Make the surrogates of e-mail addresses, web addresses and logins in one scope."""

    def __init__(self, scope: Scope, *, name_word: Callable[[str], str | None]) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("web")
        self._logins = Logins(scope, name_word=name_word)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        hosts = self._hosts(mentions)
        logins = self._made_logins(mentions)
        numbers = self._numbers(mentions)
        return [self._surrogate(mention, hosts, logins, numbers) for mention in mentions]

    def _surrogate(
        self,
        mention: Mention,
        hosts: Mapping[str, str],
        logins: Mapping[str, str],
        numbers: Mapping[str, str],
    ) -> str:
        text = mention.text
        if mention.label == "URL" and (url := _URL.fullmatch(text)):
            scheme, host, port, path = url.groups()
            made = _STEP.sub(lambda step: self._step(step[0], numbers), path)
            new_host = domain(host, hosts)
            if folded(new_host + made) == folded(host + path):  # reserved already, with nobody's name in it
                new_host = f"{made_up(self._keyed, host, 0)}.{new_host}"
            return f"{scheme}{new_host}{port}{made}"
        pieces: list[str] = []
        last = 0
        for email in _EMAIL.finditer(text) if mention.label != "USERNAME" else ():
            local, host = email.groups()
            made = domain(host, hosts)
            stays = self._logins.is_role(local) and folded(made) != folded(host)
            pieces += (
                self._around(text[last : email.start()]),
                local if stays else self._cased(local, logins),
            )
            pieces += ("@", made)
            last = email.end()
        if not pieces:
            return self._cased(text, logins)
        return "".join((*pieces, self._around(text[last:])))

    def _around(self, text: str) -> str:
        """Return what stands around an address: it may be half of one."""
        return text if self._logins.is_role(text) else self._logins.login(text)

    def _hosts(self, mentions: Sequence[Mention]) -> dict[str, str]:
        """Return a made-up label for every one that may say whose a host is."""
        found: set[str] = set()
        for mention in mentions:
            if mention.label == "URL" and (url := _URL.fullmatch(mention.text)):
                found.update(owners(url[2]))
            for email in _EMAIL.finditer(mention.text):
                found.update(owners(email[2]))
        return self._assigned(found, lambda label, turn: made_up(self._keyed, label, turn), found)

    def _made_logins(self, mentions: Sequence[Mention]) -> dict[str, str]:
        found: set[str] = set()
        for mention in mentions:
            locals_ = (
                [email[1] for email in _EMAIL.finditer(mention.text)] if mention.label != "USERNAME" else []
            )
            found.update(folded(login) for login in locals_ or [mention.text])
        return self._assigned(found, self._logins.login, found)

    def _assigned(
        self, originals: set[str], candidate: Callable[[str, int], str], refused: set[str]
    ) -> dict[str, str]:
        words = self._scope.words

        def is_refused(made: str) -> bool:
            return folded(made) in refused or (len(made) >= _SHORTEST_WORD and folded(made) in words)

        try:
            return assign(originals, candidate, keyed=self._keyed, refused=is_refused)
        except DataError:  # too short to choose from, or nothing in it to change
            return {original: candidate(original, 0) for original in originals}

    def _cased(self, login: str, made: Mapping[str, str]) -> str:
        """Return the surrogate of a login, with the capitals of this mention of it."""
        wanted = made[folded(login)]
        if login == folded(login):
            return wanted
        choices = (self._logins.login(login, turn) for turn in range(_TURNS))
        return next((choice for choice in choices if folded(choice) == folded(wanted)), wanted)

    def _numbers(self, mentions: Sequence[Mention]) -> dict[str, str]:
        """Return surrogates for the steps of paths that hold digits: those of such numbers in the notes."""
        steps = sorted({
            step
            for mention in mentions
            if mention.label == "URL" and (url := _URL.fullmatch(mention.text))
            for step in _STEP.findall(url[4])
            if any(sign.isdecimal() for sign in step)
        })  # fmt: skip
        if not steps:
            return {}
        known = self._scope.of(*CATEGORIES["ID"])
        note = mentions[0].note
        made = Numbers(self._scope).surrogates(
            [*known, *(Mention(note, 0, 0, "IDNUM", step) for step in steps)]
        )
        return dict(zip(steps, made[len(known) :], strict=True))

    def _step(self, step: str, numbers: Mapping[str, str]) -> str:
        """Return a step of a path: numbers and names replaced, plain words kept."""
        if step in numbers:
            return numbers[step]
        if (len(step) < 3 and not self._logins.is_name(step)) or self._logins.is_role(step):
            return step
        return self._logins.login(step)
