"""Rename all organisations of a scope at once, so that the forms of each name agree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.organisations import draw
from plainsight.replace.surrogate.organisations.draw import Core, Initials
from plainsight.replace.surrogate.organisations.parse import EVERYWHERE, Part, norm
from plainsight.replace.surrogate.organisations.vocabulary import kinds, ordinary, plain
from plainsight.replace.surrogate.shape import ordinal_suffix

# A name as it is written, and its label.
Form = tuple[str, str]

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(default_locale().words("organisations", "small_words"))
_OWN = frozenset(("core", "brand", "shared"))
_SAME = frozenset(("kind", "gap"))
_BEFORE_NAMES = frozenset(default_locale().words("organisations", "before_names"))
_SHORTEST_PREFIX = 3
_SHORT_WORD = 5


class NewNames:
    """New names for the organisations of a scope."""

    def __init__(self, read: Mapping[Form, Sequence[Part]], *, keyed: Keyed) -> None:
        self._read = read
        self._keyed = keyed
        self._words: dict[Core, str] = {}
        self._fulls: dict[Form, Form | None] = {}
        self._acronyms: dict[str, str] = {}
        self._norms = {form: norm(form[0]) for form in read}
        self._bare_forms = {form for form in read if all(part.kind in _SAME for part in read[form])}
        self._by_kind: defaultdict[str, list[Part]] = defaultdict(list)
        for part in chain.from_iterable(read.values()):
            self._by_kind[part.kind].append(part)

    def forms(self) -> dict[Form, str]:
        """Return the new name of each form; "" where nothing in it can be changed."""
        self._draw()
        return {form: self._renamed(form) for form in self._read}

    def acronym(self, letters: str) -> str:
        """Return what an acronym becomes beside these names, in small letters."""
        return self._acronyms.get(letters) or draw.lettered([letters], keyed=self._keyed)[letters]

    def _without_article(self, form: Form) -> str:
        return self._norms[form].removeprefix("the ")

    def _renamed(self, form: Form) -> str:
        if form in self._bare_forms:
            own = {part.stem for part in self._read[form] if part.kind == "kind"} - _SMALL
            return form[0] if own and own <= EVERYWHERE else self._with_word(form)
        made: list[str] = [""]
        for part in self._read[form]:
            made.append(self._part(part, made[-1]))
            if part.kind in _OWN and not made[-1]:
                return ""  # a script that no list has
        return "".join(made)

    def _part(self, part: Part, before: str = "") -> str:
        """Return what takes the place of a part; ``before`` is what took the place of the one before it."""
        match part.kind:
            case "core":
                word = self._word(part)
                return word and _with_ending(_like(word, part.text), part.ending)
            case "brand":
                assert part.brand is not None
                if letters := self._acronyms.get(part.stem):
                    return _as_letters(letters, part.text)
                name = draw.brand_form(self._word(part), part.brand.form, part.brand.section)
                return name if part.brand.name == part.text.strip() else _like(name, part.text)
            case "shared":
                return part.made + part.ending
            case "acronym":
                return _as_letters(self._acronyms[part.stem], part.text)
            case "digits":
                return draw.digits(self._keyed, part.text)
            case "letter":
                return _like(draw.letter(self._keyed, part.stem), part.text)
            case "direction":
                return _like(draw.direction(self._keyed, part.stem), part.text)
            case "ordinal":
                return _like(ordinal_suffix(int(before[-2:])), part.text)
            case _:
                return part.text + part.ending

    # --- words of a name's own -----------------------------------------------------------------------------

    def _word(self, part: Part) -> str:
        if full := self._prefixes.get(part.stem):
            return _shortened(self._words[self._core(full)], len(part.stem))
        return self._words[self._core(part)]

    def _core(self, part: Part) -> Core:
        if part.brand is not None:
            return part.brand.section, str(part.brand.place)
        return part.sort or ("first word" if part.stem in ordinary() else "town"), part.stem

    def _draw(self) -> None:
        """Draw the new words and acronyms."""
        named, prefixes = self._by_kind["core"] + self._by_kind["brand"], self._prefixes
        own = {self._core(part) for part in named if part.stem not in prefixes}
        bare = {self._bare(form) for form in self._bare_forms}
        self._words = draw.words(own | bare, keyed=self._keyed, refused=_is_kind)
        self._acronyms = self._lettered()

    @cached_property
    def _prefixes(self) -> dict[str, Part]:
        """Return the words that are the beginning of another word beside the same neighbour: Mass General."""
        full = {part.stem: part for part in self._by_kind["core"]}
        beside = self._neighbours()
        found: dict[str, Part] = {}
        shorter: list[str] = []  # the words that the one at hand begins with
        for word in sorted(full):
            while shorter and not word.startswith(shorter[-1]):
                shorter.pop()
            for short in shorter:
                if len(short) >= _SHORTEST_PREFIX and beside[short] & beside[word]:
                    found[short] = full[word]
            shorter.append(word)
        return found

    def _neighbours(self) -> Mapping[str, Set[tuple[str, str]]]:
        """Return for each word of a name's own the words that stand before and after it somewhere."""
        beside: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for read in self._read.values():
            words = [part for part in read if part.kind != "gap"]
            for before, part, after in zip([None, *words], words, [*words[1:], None], strict=False):
                if part.kind == "core":
                    for side, other in (("<", before), (">", after)):
                        if other is not None and other.stem not in _SMALL:
                            beside[part.stem].add((side, other.stem))
        return beside

    # --- acronyms ------------------------------------------------------------------------------------------

    def _lettered(self) -> dict[str, str]:
        """Return what each acronym becomes.

        It becomes the letters of its name's surrogate; where it stands for no name at hand, other letters.
        """
        unnamed = {part.stem for part in self._by_kind["acronym"]}
        brands = {part.stem for part in self._by_kind["brand"] if part.text.isupper() and part.text.isalpha()}
        if not unnamed and not brands:
            return {}
        initials = {form: self._initials(form, brands) for form in self._read}
        forms = sorted(self._read, key=lambda form: (-len(initials[form]), form))
        letters_of = draw.Acronyms([initials[form] for form in forms])
        made = {acronym: letters for acronym in unnamed | brands if (letters := letters_of(acronym))}
        return made | draw.lettered(unnamed - made.keys(), keyed=self._keyed)

    def _initials(self, form: Form, acronyms: Set[str]) -> list[Initials]:
        """Return the first letters of a name's words and of what they become; none of the acronyms' own."""
        found: list[Initials] = []
        first, last = self._exchanged(form) if form in self._bare_forms else (0, 0)
        for place, part in enumerate(self._read[form]):
            if first <= place < last:
                if place == first:
                    found.append(("core", part.stem[0], self._bare_word(form)[:1].casefold()))
                continue
            if part.kind == "kind":
                found.append(("small" if part.stem in _SMALL else "kind", part.stem[0], part.stem[0]))
            elif part.kind in ("core", "direction", "brand", "shared") and part.stem not in acronyms:
                made = self._word(part) if part.kind == "brand" else self._part(part)
                before = _WORD.findall(plain(part.text))
                after = _WORD.findall(plain(made.removesuffix(part.ending)))
                if len(before) == len(after):
                    found += (("core", a[0], b[0]) for a, b in zip(before, after, strict=True))
                elif before:  # Massachusetts, New Mexico
                    letters = "".join(word[0] for word in after)
                    found += (("core", a[0], letters if n == 0 else "") for n, a in enumerate(before))
        return found

    # --- names of nothing but their kind -------------------------------------------------------------------

    def _bare(self, form: Form) -> Core:
        return "town", f"{self._without_article(form)} "

    def _bare_word(self, form: Form) -> str:
        """Return the word of the name that a name of nothing but its kind is short for, else a new one."""
        full = self._full(form)
        return self._lead(full) if full else self._words[self._bare(form)]

    def _with_word(self, form: Form) -> str:
        """Return a name of nothing but its kind with a word of its own in place of one of them.

        No ``Annex``, ``Community Hospital`` or ``Bureau of TB Control`` may stand in its surrogate.
        """
        first, last = self._exchanged(form)
        if first == last:
            return ""
        written = [part.text + part.ending for part in self._read[form]]
        old, rest = "".join(written[first:last]), "".join(written[last:])
        word = _like(self._bare_word(form), old)
        return "".join((*written[:first], word, rest.lstrip("'’")))  # Mothers' Milk Bank

    def _exchanged(self, form: Form) -> tuple[int, int]:
        """Return from where to where runs the word that goes of a name of nothing but its kind.

        It is the one that says what the name is ``of`` or ``for``, else the first; what a hyphen joins goes
        together: X-Ray Associates.
        """
        parts = self._read[form]
        words = [place for place, part in enumerate(parts) if part.kind == "kind"]
        own = [place for place in words if parts[place].stem not in _SMALL] or words[:1]
        if not own:
            return 0, 0
        said = next((place for place in words if place > own[0] and parts[place].stem in ("of", "for")), -1)
        first = next((place for place in own if place > said), own[0])
        last = first + 1
        while last + 1 < len(parts) and parts[last].text in ("-", "&", "/"):
            last += 2
        return first, last

    def _full(self, form: Form) -> Form | None:
        """Return the one name that a name of nothing but its kind is short for."""
        if form not in self._fulls:
            kept = {part.stem for part in self._read[form]} - _SMALL - {""}
            others = min((self._having.get(stem, []) for stem in kept), key=len, default=[])
            leads: dict[str, Form] = {}
            for other in others:
                own = {part.stem for part in self._read[other] if part.kind == "kind"}
                if other[1] == form[1] and kept <= own and (lead := self._lead(other)):
                    leads[lead] = other
                    if len(leads) > 1:
                        break
            self._fulls[form] = next(iter(leads.values())) if len(leads) == 1 else None
        return self._fulls[form]

    @cached_property
    def _having(self) -> Mapping[str, list[Form]]:
        """Return the names that have each word for a kind."""
        found: dict[str, list[Form]] = defaultdict(list)
        for form in sorted(self._read):
            for stem in {part.stem for part in self._read[form] if part.kind == "kind"}:
                found[stem].append(form)
        return found

    def _lead(self, form: Form) -> str:
        """Return the first words of its own that a name's surrogate has."""
        made, saint = "", ""
        for part in self._read[form]:
            if part.kind in _OWN:
                made += saint + self._part(part)
                saint = ""
            elif part.kind == "gap" or (not made and part.stem in _BEFORE_NAMES):
                saint += part.text
            elif made:
                break
            else:
                saint = ""
        return made.strip(" ,-")


def _is_kind(name: str) -> bool:
    """Whether a made-up name is only a word for a kind."""
    words = _WORD.findall(plain(name))
    return len(words) < 2 and (not words or words[0] in kinds())


def _like(word: str, model: str) -> str:
    """Return a word in the case of a model."""
    if model.islower():
        return word.lower()
    letters = "".join(filter(str.isalpha, model))
    if letters.isupper() and len(letters) > (1 if word.isalpha() and len(word) > 1 else 3):
        return word.upper()
    return word[:1].upper() + word[1:] if letters[:1].isupper() else word


def _with_ending(word: str, ending: str) -> str:
    """Return a word with the ending of the one it replaces: ``'s``, or the ``s`` of a plural."""
    if ending[:1] not in ("s", "S"):
        return word + ending
    small = word.lower()
    if small.endswith("s"):
        return word + ending[1:]
    if small.endswith(("ch", "sh", "x")):
        return word + ("ES" if word.isupper() else "es") + ending[1:]
    if small.endswith("y") and small[-2] not in "aeiou":
        return word[:-1] + ("IES" if word.isupper() else "ies") + ending[1:]
    return word + ending


def _shortened(word: str, length: int) -> str:
    """Return the beginning of a word, ending where people cut words: after a consonant."""
    if len(word) <= _SHORT_WORD:
        return word
    cut = max(3, min(length, len(word) - 1))
    while cut > 3 and word[cut - 1] in "aeiouy":
        cut -= 1
    return word[:cut]


def _as_letters(letters: str, model: str) -> str:
    """Return an acronym as the model is written: ``M.G.H.``, ``mgh``, ``MGH``."""
    letters = letters.upper() if model.isupper() else letters
    if "." not in model:
        return letters if model.isupper() or model.islower() else letters.capitalize()
    return ".".join(letters) + ("." if model.endswith(".") else "")
