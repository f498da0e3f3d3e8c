"""Templates become rules only with enough evidence, and never with an identifier in their fixed words."""

import json
from collections.abc import Sequence

import pytest

from plainsight.config import load_policy
from plainsight.detect.templates import Rule, form_of, read_rules
from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.site.harvest import Harvest, Limits, careful_claims, syntax_template
from plainsight.site.template_checks import Reason, may_identify, refusal
from plainsight.site.template_file import Harvested

KEY = b"k" * 32
NAMES = ("Ada Quill", "Bo Marsten", "Cy Dunmore", "Di Ferrand", "Ed Halloway", "Flo Inskip")
FEW = Limits(support=4, patients=2)


def notes(*lines: str, first: int = 0) -> list[Document]:
    """Return notes with marked lines, each of another patient."""
    made = []
    for number, line in enumerate(lines, start=first):
        document = _parsed(line)
        made.append(Document(f"n{number}", document.text, document.spans, patient_id=f"p{number}"))
    return made


def _parsed(line: str) -> Document:
    text, spans, at = "", [], 0
    while (start := line.find("{{", at)) >= 0:
        bar, end = line.index("|", start), line.index("}}", start)
        text += line[at:start]
        spans.append(Span(len(text), len(text) + end - bar - 1, line[start + 2 : bar]))
        text += line[bar + 1 : end]
        at = end + 2
    return Document("", text + line[at:], tuple(spans))


def signed(label: str = "DOCTOR", frame: str = "Report signed by {} today.") -> list[str]:
    return [frame.format(f"{{{{{label}|{name}}}}}") for name in NAMES]


def harvest(documents: Sequence[Document], limits: Limits = FEW, **options: object) -> Harvested:
    harvest = Harvest(KEY, limits=limits)
    for document in documents:
        harvest.add(document)
    return harvest.finish(**options)  # type: ignore[arg-type]


def test_a_rule_is_born_from_one_syntax_with_one_meaning() -> None:
    result = harvest(notes(*signed()))
    [rule] = result.rules
    assert rule.template == "Report signed by {{DOCTOR|W W}} today."
    assert (rule.support, rule.patients, rule.missed) == (6, 2, 0)
    assert rule.examples == (("n0", 0), ("n1", 0), ("n2", 0))
    assert not result.refused


def test_an_ambiguous_template_is_refused_and_stays_so() -> None:
    both = notes(*signed(), *signed("PATIENT")[:1])
    result = harvest(both)
    assert not result.rules
    assert [one.reason for one in result.refused] == [Reason.AMBIGUOUS]
    again = harvest(notes(*signed(), first=50), earlier=result)
    assert not again.rules
    assert harvest(both, Limits(support=4, patients=2, agreement=0.8)).rules


def test_other_edges_of_the_same_words_are_ambiguous() -> None:
    split = ["Report signed by {{DOCTOR|Ada}} {{DOCTOR|Quill}} today."]
    assert not harvest(notes(*signed(), *split)).rules


def test_a_template_whose_words_never_change_is_refused() -> None:
    same = ["Report signed by {{DOCTOR|Ada Quill}} today."] * 6
    assert [one.reason for one in harvest(notes(*same)).refused] == [Reason.CONSTANT]


def test_signs_at_the_edge_of_a_mark_make_no_difference() -> None:
    [rule] = harvest(notes(*signed(), "Report signed by {{DOCTOR|Gil Orme }}today.")).rules
    assert rule.support == 7


def test_the_stop_of_initials_belongs_to_them() -> None:
    [rule] = harvest(notes(*(f"Report checked by {{{{DOCTOR|{a}.K.}}}}" for a in "ABCDEF"))).rules
    assert rule.template == "Report checked by {{DOCTOR|W.W.}}"


def test_too_little_evidence_waits_for_the_next_harvest() -> None:
    first = harvest(notes(*signed()[:3]))
    assert not first.rules
    assert not first.refused
    assert list(first.waiting.values()) == [(3, 2)]
    second = harvest(notes(*signed()[3:], first=3), earlier=first)
    assert [rule.support for rule in second.rules] == [6]
    assert not second.waiting


def test_one_patient_alone_makes_no_rule() -> None:
    alone = [Document(note.id, note.text, note.spans, patient_id="p") for note in notes(*signed())]
    assert not harvest(alone).rules


def test_the_same_notes_count_once() -> None:
    first = harvest(notes(*signed()))
    assert harvest(notes(*reversed(signed())), earlier=first).rules[0].support == 12  # other ids
    assert harvest(notes(*signed()), earlier=first) == first


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        ("Okafor signed for {} today.", Reason.RARE),
        ("Report 20417 signed by {} today.", Reason.RARE),
        ("Report signed by {} in Wexcombe.", Reason.RARE),
        ("Report signed by {}-Ortiz today.", Reason.RARE),
        ("Report signed by K {} today.", Reason.PART),
        ("Report signed by {}-AB today.", Reason.PART),
        ("{}.", Reason.VAGUE),
        ("By {}.", Reason.VAGUE),
    ],
)
def test_a_template_that_could_leak_is_refused(frame: str, reason: Reason) -> None:
    result = harvest(notes(*signed(frame=frame)))
    assert not result.rules
    assert [one.reason for one in result.refused] == [reason]


def test_names_that_the_site_knows_are_refused_but_not_small_ordinary_words() -> None:
    documents = notes(*signed(frame="Report of Page signed by {} today."))
    assert harvest(documents).rules
    assert [one.reason for one in harvest(documents, names={"page"}).refused] == [Reason.NAME]
    assert harvest(notes(*signed()), names={"by", "signed", "today"}).rules


def test_a_fixed_word_that_a_careful_detector_claims_is_refused() -> None:
    def claims(sentences: Sequence[Document]) -> list[list[Span]]:
        return [[Span(0, 6, "HOSPITAL", 0.01)] for _ in sentences]

    assert [one.reason for one in harvest(notes(*signed()), careful=claims).refused] == [Reason.CLAIMED]
    assert harvest(notes(*signed()), careful=lambda s: [[Span(17, 20, "DOCTOR")] for _ in s]).rules


def test_careful_detectors_are_those_of_the_policy() -> None:
    frame = "Report of Mr. Will Rose signed by {} today."
    result = harvest(notes(*signed(frame=frame)), careful=careful_claims(load_policy("fast")))
    assert not result.rules


def test_a_rule_that_would_mark_ordinary_words_is_refused() -> None:
    plain = ["Report signed by Nobody Yet today."]
    assert [one.reason for one in harvest(notes(*signed(), *plain)).refused] == [Reason.ORDINARY]


def test_names_that_the_detectors_missed_are_no_harm_if_they_are_few() -> None:
    missed = "Report signed by Gwendal Orsk today."
    many = signed() * 2
    [rule] = harvest(notes(*many, missed)).rules
    assert rule.missed == 1
    assert [one.reason for one in harvest(notes(*signed(), missed, missed)).refused] == [Reason.MISSED]


def test_a_mark_on_a_fixed_word_makes_a_template_ambiguous() -> None:
    other = ["{{HOSPITAL|Report}} signed by {{DOCTOR|Ada Quill}} today."]
    assert [one.reason for one in harvest(notes(*signed(), *other)).refused] == [Reason.AMBIGUOUS]


def test_gold_refuses_harm_and_leaks() -> None:
    documents = notes(*signed())
    right = notes("Report signed by {{DOCTOR|Hy Jarrod}} today.")
    wrong = notes("Report signed by Hy Jarrod today.")
    leak = notes("{{PATIENT|Report}} signed by {{DOCTOR|Hy Jarrod}} today.")
    assert harvest(documents, gold=right).rules
    assert [one.reason for one in harvest(documents, gold=wrong).refused] == [Reason.HARM]
    assert [one.reason for one in harvest(documents, gold=leak).refused] == [Reason.LEAK]


def test_the_file_holds_no_text_of_a_slot_or_of_a_refused_template(tmp_path) -> None:  # type: ignore[no-untyped-def]
    result = harvest(notes(*signed(), *signed(frame="Okafor signed for {} today.")))
    content = result.to_json()
    assert not any(word.encode() in content for name in ("Okafor", *NAMES) for word in name.split())
    (tmp_path / "t.json").write_bytes(content)
    assert read_rules(tmp_path / "t.json") == list(result.rules)
    assert Harvested.from_json(json.loads(content)) == result
    with pytest.raises(DataError, match="damaged"):
        Harvested.from_json({"rules": []})


def test_identifiers_across_the_edge_of_a_sentence_make_no_template() -> None:
    text = "Seen by Ada.\nQuill today at noon.\n"
    assert not harvest([Document(str(n), text, (Span(8, 18, "DOCTOR"),)) for n in range(9)]).rules


def test_small_checks() -> None:
    assert refusal(form_of("Patient is {{AGE|N}}-year-old today.")) is None
    assert refusal(form_of("Saw {{PATIENT|W}}'s mother today.")) is None
    assert refusal(form_of("Seen on {{DATE|N/N}}/19 again today.")) is Reason.PART
    assert not may_identify("MRN")
    assert may_identify("Marlow")
    assert syntax_template(Rule("By {{DOCTOR|W, A}}").template) == "By {{W}}, {{A}}"
