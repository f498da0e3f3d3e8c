"""Harvest templates: turn what the detectors found in a site's notes into rules (S139-S145).

Every sentence with identifiers becomes a template: an **NER template** says which words are identifiers of
which label, a **syntax template** only that they are slots (W, N or A). A rule is made where one syntax
template has exactly one NER template and enough sentences of enough patients support it. Then all sentences
of the notes are matched with the new rules, so that a rule that would also mark ordinary words is refused.

No text of a note gets into the file of rules but fixed words that many patients share and that no check finds
to be an identifier (`plainsight.site.template_checks`). Refused templates are listed by a keyed digest, their
reason and references to notes. Harvesting again adds to the counts of the file; the same notes count once.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plainsight.config import Policy
from plainsight.detect.templates import (
    Form,
    Match,
    Matcher,
    Rule,
    form_of,
    kinds,
    template_of,
    unit_edges,
)
from plainsight.document import Document, Patient, SetAside, Span
from plainsight.errors import DataError
from plainsight.labels import CATEGORY_OF
from plainsight.models import with_bias_moved
from plainsight.pipeline import Pipeline
from plainsight.site.template_checks import Reason, refusal
from plainsight.site.template_file import Harvested, Refused
from plainsight.text.lines import bare_sentences
from plainsight.text.shadow import shadow
from plainsight.text.word_lists import is_ordinary

Marks = tuple[tuple[int, int, str], ...]
Claims = Callable[[Sequence[Document]], Sequence[Sequence[Span]]]
"""A function that returns the claims of careful detectors on sentences."""

CAREFUL_BIAS = -3.0
"""Added to the bias of networks that look for identifiers among fixed words."""

_SLOT = re.compile(r"\{\{\w+\|([^{}|]+)\}\}")
_MARKED = {ord(sign): f"{{{{{sign}}}}}" for sign in "WNA"}
_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,}\Z")
_LONGEST = 400
"""Characters of the longest sentence that may become a rule."""
_EXAMPLES = 3
_MOST_OTHER = 0.02
_MOST_ORDINARY = 0.02
_MOST_MISSED = 0.2
_MOST_HARM = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much evidence a rule needs.

    ``support`` sentences of ``patients`` different patients (or notes, where no patient is known), and at
    least the share ``agreement`` of all sentences of its syntax template: 1 means exactly one NER template.
    It needs ``words`` fixed words, and ``fillings`` different contents of its slots: a template whose words
    never change is just a sentence.
    """

    support: int = 10
    patients: int = 3
    agreement: float = 1.0
    words: int = 2
    fillings: int = 3


@dataclass(slots=True)
class _Candidate:
    """What the notes say for one NER template."""

    support: int = 0
    patients: set[str] = field(default_factory=set)
    examples: list[tuple[str, int]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    fillings: set[int] = field(default_factory=set)
    """Hashes of what stood in the slots, up to the limit."""


class Harvest:
    """Gather the sentences of notes, then decide on rules.

    ``key`` makes the digests of the file. The memory that it needs grows with the different sentences.
    """

    def __init__(self, key: bytes, *, limits: Limits | None = None) -> None:
        self._key = key
        self._limits = limits or Limits()
        self._seen: Counter[tuple[str, Marks]] = Counter()
        self._candidates: dict[str, _Candidate] = {}
        self._input = 0
        self._names: set[str] = set()
        self.notes = self.sentences = self.unusable = 0

    @property
    def different(self) -> int:
        """How many different sentences there are."""
        return len(self._seen)

    @property
    def input(self) -> str:
        """A keyed digest of all notes, whatever their order."""
        return f"{self._input:032x}"

    def add(self, note: Document) -> None:
        """Add the sentences of a note with the spans that were found in it."""
        self.notes += 1
        self._input = (self._input + int(self._digest(f"{note.id}\0{note.text}"), 16)) % (1 << 128)
        if note.patient is not None:
            self._names.update(name_words(note.patient))
        spans = iter((*note.spans, None))
        span = next(spans)
        for start, end in bare_sentences(note.text):
            self.sentences += 1
            marks: list[tuple[int, int, str]] = []
            whole = True
            while span is not None and span.start < end:
                if span.end > start:
                    whole &= start <= span.start and span.end <= end
                    first, last = _trimmed(note.text, max(span.start, start), min(span.end, end))
                    marks.append((first - start, last - start, span.label))
                if span.end > end:
                    break
                span = next(spans)
            if end - start <= _LONGEST:
                self._add(note, start, note.text[start:end], tuple(marks), whole)

    def _add(self, note: Document, start: int, text: str, marks: Marks, whole: bool) -> None:
        self._seen[text, marks] += 1
        if not marks:
            return
        template = template_of(text, marks) if whole else None
        if template is None:
            self.unusable += 1
            return
        known = self._candidates.get(template)
        if known is None:
            known = self._candidates[template] = _Candidate()
        known.support += 1
        if len(known.patients) < self._limits.patients:
            known.patients.add(note.patient_id or note.id)
        if len(known.fillings) < self._limits.fillings:
            known.fillings.add(hash(tuple([text[a:b].casefold() for a, b, _ in marks])))
        if len(known.examples) < _EXAMPLES:
            known.examples.append((note.id, start))
            known.texts.append(text)

    def finish(
        self,
        *,
        earlier: Harvested | None = None,
        names: Collection[str] = (),
        careful: Claims | None = None,
        gold: Iterable[Document] = (),
    ) -> Harvested:
        """Decide on rules, together with those of an earlier harvest.

        ``names`` are words of names that the site knows beside its patients' records, case-folded.
        ``careful`` looks for identifiers among the fixed words of example sentences. ``gold`` are notes with
        gold spans, in which rules are tried.
        """
        earlier = earlier or Harvested()
        if self.input in earlier.inputs:
            return earlier
        known_names = self._names.union(names)
        decision = _Decision(self._limits, self._digest, earlier)
        rules = decision.keep(decision.born(self._candidates), self._constant)
        rules = decision.keep(rules, lambda rule, form: refusal(form, known_names, words=self._limits.words))
        rules = decision.tried(rules, self._seen)
        if careful is not None:
            rules = decision.careful(rules, self._candidates, careful)
        rules = decision.on_gold(rules, gold)
        inputs = (*earlier.inputs, self.input)
        return Harvested(tuple(rules), tuple(decision.refused.values()), decision.waiting, inputs)

    def _constant(self, rule: Rule, _: Form) -> Reason | None:
        """Refuse a template whose slots hold the same words in all sentences."""
        found = self._candidates.get(rule.template)
        return Reason.CONSTANT if found and len(found.fillings) < self._limits.fillings else None

    def _digest(self, text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self._key, digest_size=16).hexdigest()


class _Decision:
    """One decision on all candidates: which are refused, and which wait for more evidence."""

    def __init__(self, limits: Limits, digest: Callable[[str], str], earlier: Harvested) -> None:
        self._limits, self._digest, self._earlier = limits, digest, earlier
        self.refused = {one.digest: one for one in earlier.refused}
        self.waiting: dict[str, tuple[int, int]] = dict(earlier.waiting)

    def refuse(self, rule: Rule, reason: Reason) -> None:
        """List a template as refused, by the digest of its syntax template."""
        digest = self._digest(syntax_template(rule.template))
        known = self.refused.get(digest)
        support = rule.support + (known.support if known and known.reason == reason else 0)
        self.refused[digest] = Refused(digest, reason, support, rule.examples)

    def keep(self, rules: Iterable[Rule], check: Callable[[Rule, Form], Reason | None]) -> list[Rule]:
        """Return the rules for which a check gives no reason to refuse them."""
        kept = []
        for rule in rules:
            if reason := check(rule, form_of(rule.template)):
                self.refuse(rule, reason)
            else:
                kept.append(rule)
        return kept

    def born(self, candidates: Mapping[str, _Candidate]) -> list[Rule]:
        """Return the templates that have enough evidence and are the only ones of their syntax."""
        by_template = {rule.template: rule for rule in self._earlier.rules}
        for template, found in candidates.items():
            by_template[template] = self._merged(template, found, by_template.get(template))
        by_syntax: dict[str, list[Rule]] = {}
        for rule in by_template.values():
            by_syntax.setdefault(syntax_template(rule.template), []).append(rule)
        rules = []
        for syntax, same in by_syntax.items():
            best = max(same, key=lambda rule: (rule.support, rule.template))
            total = sum(rule.support for rule in same)
            if total < self._limits.support or best.patients < self._limits.patients:
                self._wait(same)
                continue
            known = self.refused.get(self._digest(syntax))
            if best.support < self._limits.agreement * total or (
                known is not None and known.reason == Reason.AMBIGUOUS
            ):
                self.refuse(replace(best, support=total), Reason.AMBIGUOUS)
            elif best.support >= self._limits.support:
                self.refused.pop(self._digest(syntax), None)  # judged anew
                rules.append(best)
            else:
                self._wait(same)
        return rules

    def _merged(self, template: str, found: _Candidate, before: Rule | None) -> Rule:
        """Return a template with the evidence of earlier harvests added."""
        if not self._earlier.inputs:
            return Rule(template, found.support, len(found.patients), examples=tuple(found.examples))
        support, patients = self.waiting.pop(self._digest(template), (0, 0))
        rule = before or Rule(template, support, patients)
        examples = tuple(dict.fromkeys((*rule.examples, *found.examples)))[:_EXAMPLES]
        patients = max(rule.patients, len(found.patients))
        return replace(rule, support=rule.support + found.support, patients=patients, examples=examples)

    def _wait(self, rules: Iterable[Rule]) -> None:
        for rule in rules:
            if rule.support > 1:  # a sentence seen once is most often never seen again
                self.waiting[self._digest(rule.template)] = (rule.support, rule.patients)

    def tried(self, rules: Sequence[Rule], seen: Mapping[tuple[str, Marks], int]) -> list[Rule]:
        """Match all sentences of the notes; refuse rules that mark other things than the detectors did."""
        matcher = Matcher(rules)
        other, ordinary, missed = Counter[str](), Counter[str](), Counter[str]()
        for (text, marks), count in seen.items():
            for match in matcher.in_sentence(text):
                claims = tuple((span.start, span.end, span.label) for span in match.spans)
                if claims == marks:
                    continue
                added = [claim for claim in claims if not _touched(claim, marks)]
                template = match.rule.template
                if set(marks) - set(claims):
                    other[template] += count
                elif any(_is_wording(text[start:end]) for start, end, _ in added):
                    ordinary[template] += count
                else:
                    missed[template] += count
        judged = []
        for rule in rules:
            template, support = rule.template, rule.support
            if other[template] > max(_MOST_OTHER, 1 - self._limits.agreement) * support:
                self.refuse(rule, Reason.AMBIGUOUS)
            elif ordinary[template] > _MOST_ORDINARY * support:
                self.refuse(rule, Reason.ORDINARY)
            elif (all_missed := rule.missed + missed[template]) > _MOST_MISSED * support:
                self.refuse(rule, Reason.MISSED)
            else:
                judged.append(replace(rule, missed=all_missed))
        return judged

    def careful(
        self, rules: Sequence[Rule], candidates: Mapping[str, _Candidate], claims_of: Claims
    ) -> list[Rule]:
        """Refuse rules in whose example sentences careful detectors claim a fixed word."""
        examples = [
            (rule, text)
            for rule in rules
            for text in dict.fromkeys(candidates[rule.template].texts if rule.template in candidates else ())
        ]
        notes = [Document(str(number), text) for number, (_, text) in enumerate(examples)]
        claimed = {
            rule.template
            for (rule, text), claims in zip(examples, claims_of(notes), strict=True)
            if _claims_fixed_word(form_of(rule.template), text, claims)
        }
        return self.keep(rules, lambda rule, _: Reason.CLAIMED if rule.template in claimed else None)

    def on_gold(self, rules: Sequence[Rule], gold: Iterable[Document]) -> list[Rule]:
        """Refuse rules that mark what is no identifier in gold notes, or leave an identifier unmarked."""
        matcher = Matcher(rules)
        right, wrong, leaks = Counter[str](), Counter[str](), set[str]()
        for note in gold:
            for match in matcher.in_note(note.text):
                template = match.rule.template
                if _leaves_gold(match, note.spans):
                    leaks.add(template)
                (right if all(_is_gold(span, note.spans) for span in match.spans) else wrong)[template] += 1

        def reason(rule: Rule, _: Form) -> Reason | None:
            if rule.template in leaks:
                return Reason.LEAK
            tried = right[rule.template] + wrong[rule.template]
            return Reason.HARM if wrong[rule.template] > _MOST_HARM * tried else None

        return self.keep(rules, reason)


def name_words(patient: Patient) -> set[str]:
    """Return the words of all names in a patient's record, case-folded."""
    names = (*patient.names, *patient.relatives, *patient.providers)
    return {word.casefold() for name in names for word in re.findall(r"[^\W\d_]{2,}", name)}


def syntax_template(template: str) -> str:
    """Return the syntax template of an NER template: the slots without their labels and edges.

    >>> syntax_template("Seen by {{DOCTOR|W}} on {{DATE|N/N}}")
    'Seen by {{W}} on {{N}}/{{N}}'
    """
    parts = _SLOT.split(template)
    parts[1::2] = [slot.translate(_MARKED) for slot in parts[1::2]]
    return "".join(parts)


def careful_claims(policy: Policy, *, key: bytes | None = None) -> Claims:
    """Return a function that finds what any detector of a policy claims, with biased networks."""
    choices = tuple(with_bias_moved(choice, CAREFUL_BIAS) for choice in policy.detectors)
    every = replace(policy, detectors=choices, vote=1, routes={}, thresholds={}, propagate=False, guard=False)
    pipeline = Pipeline(every, key=key)

    def claims(notes: Sequence[Document]) -> list[Sequence[Span]]:
        found: list[Sequence[Span]] = []
        for item in pipeline.detect(notes):
            if isinstance(item, SetAside):
                raise DataError(f"a sentence cannot be checked: {item.reason}")
            found.append(item.spans)
        return found

    return claims


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the signs at both ends of a mark, which vary with the detector.

    ``(617)`` and the initials ``E.R.J.`` keep theirs.
    """
    while (
        not _INITIALS.search(text, start, end)
        and end - start > 1
        and not (text[end - 1].isalnum() or text[end - 1] == ")")
    ):
        end -= 1
    while end - start > 1 and not (text[start].isalnum() or text[start] in "(+#"):
        start += 1
    return start, end


def _touched(claim: tuple[int, int, str], marks: Marks) -> bool:
    return any(start < claim[1] and claim[0] < end for start, end, _ in marks)


def _is_wording(text: str) -> bool:
    """Whether all words are ordinary ones, however they are written."""
    words = re.findall(r"[^\W_]+", text)
    return all(word.isalpha() and is_ordinary(shadow(word).lower()) for word in words)


def _claims_fixed_word(form: Form, text: str, claims: Sequence[Span]) -> bool:
    edges = unit_edges(kinds(text))
    return any(
        span.start < end and start < span.end
        for number, _ in form.fixed
        for start, end in [edges[number]]
        for span in claims
    )


def _is_gold(span: Span, gold: Sequence[Span]) -> bool:
    """Whether a slot lies on a gold span of its category."""
    return any(
        one.start < span.end
        and span.start < one.end
        and CATEGORY_OF.get(one.label) == CATEGORY_OF.get(span.label)
        for one in gold
    )


def _leaves_gold(match: Match, gold: Sequence[Span]) -> bool:
    """Whether a gold span in the sentence reaches over what the rule marks."""
    for one in gold:
        if one.start < match.end and match.start < one.end:
            covering = [span for span in match.spans if span.start < one.end and one.start < span.end]
            if (
                not covering
                or one.start < min(s.start for s in covering)
                or max(s.end for s in covering) < one.end
            ):
                return True
    return False
