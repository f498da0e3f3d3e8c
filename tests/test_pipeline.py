import gc
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plainsight
from plainsight import pipeline as pipeline_module
from plainsight import registry
from plainsight.combine.calibrate import calibrated
from plainsight.config import Policy, load_policy
from plainsight.document import Document, Patient, SetAside, Span
from plainsight.errors import DataError, UsageError
from plainsight.labels import LABELS
from plainsight.pipeline import Pipeline, batches

NOTE = "Dr. Anna Whitcombe saw John Q. Smith, MRN 4471-882, on 03/04/2019. Call 617-555-0134."

any_text = st.text(
    alphabet=st.one_of(
        st.characters(),  # every code point, lone surrogates too
        st.sampled_from("0123456789/-.,:() \n\r\t"),
        st.sampled_from("aeinorstAEDMS"),
    ),
    max_size=300,
)


@pytest.fixture(scope="module")
def fast() -> Pipeline:
    return plainsight.load("fast")


@pytest.fixture(scope="module")
def keeping(tmp_path_factory) -> Pipeline:
    path = tmp_path_factory.mktemp("policy") / "keep.toml"
    path.write_text('extends = "fast"\n[replace]\ndefault = "keep"\n')
    return plainsight.load(path)


@pytest.fixture(scope="module")
def redacting(tmp_path_factory) -> Pipeline:
    path = tmp_path_factory.mktemp("policy") / "redact.toml"
    path.write_text(
        'extends = "redact"\n[replace]\ndefault = { operation = "redact", text = "[X]" }\n'
        'DATE = { operation = "redact", text = "" }\n'
    )
    return plainsight.load(path)


def only(items):
    (item,) = items
    assert isinstance(item, Document), item
    return item


def test_the_road_end_to_end():
    note = only(plainsight.load("redact").deidentify([Document("1", NOTE)]))
    assert note.text == "Dr. [DOCTOR] saw [PATIENT], MRN [MEDICALRECORD], on [DATE]. Call [PHONE]."
    assert [note.text[s.start : s.end] for s in note.spans] == [f"[{s.label}]" for s in note.spans]


@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: text.replace("itc", "it\u200bc").replace("mit", "m\u00adit"),
        lambda text: text.replace("a", "\u0430").replace("o", "\u043e"),
        lambda text: text.replace("Anna", "\U0001d400\U0001d427\U0001d427\U0001d41a").replace("Q", "Ｑ"),
        lambda text: text.replace(" ", "%20"),
        lambda text: text.replace("Whitcombe", "<b>Whitcombe</b>").replace("Q.", "Q&#46;"),
    ],
)
def test_disguised_identifiers_are_found_and_replaced_alike(disguise):
    pipeline = plainsight.load("fast", key=bytes(32))
    plain, hidden = (Document("1", text) for text in (NOTE, disguise(NOTE)))
    expected, found = (only(pipeline.detect([note])) for note in (plain, hidden))
    assert [span.label for span in found.spans] == [span.label for span in expected.spans]
    replaced = [only(pipeline.deidentify([note])) for note in (plain, hidden)]
    surrogates = [[note.text[span.start : span.end] for span in note.spans] for note in replaced]
    assert surrogates[0] == surrogates[1]


def test_the_short_way():
    assert plainsight.deidentify(NOTE, policy="redact").startswith("Dr. [DOCTOR] saw")
    assert [NOTE[s.start : s.end] for s in plainsight.detect(NOTE) if s.label == "DATE"] == ["03/04/2019"]
    patient = Patient(id="p", names=("Zqx Vwyk",))
    assert [s.label for s in plainsight.detect("saw zqx vwyk", patient=patient)] == ["PATIENT"]


@settings(max_examples=150, deadline=None)
@given(any_text)
def test_any_text_survives_keep_byte_for_byte(keeping, text):
    assert only(keeping.deidentify([Document("1", text)])).text == text


@settings(max_examples=150, deadline=None)
@given(any_text)
def test_spans_never_overlap_and_never_leave_the_text(fast, text):
    spans = only(fast.detect([Document("1", text)])).spans
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@settings(max_examples=60, deadline=None)
@given(st.lists(any_text, max_size=5), st.integers(1, 3))
def test_batches_do_not_matter(fast, texts, size):
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    together = list(fast.detect(documents))
    apart = [item for document in documents for item in fast.detect([document])]
    assert together == apart


@st.composite
def marked_notes(draw) -> Document:
    """Make any text with any marks, words cut in the middle and all."""
    text, spans, last = draw(any_text), [], 0
    cuts = st.tuples(st.integers(0, 300), st.integers(1, 40), st.sampled_from(sorted(LABELS)))
    for start, length, label in sorted(draw(st.lists(cuts, max_size=8))):
        start = max(start, last)
        last = min(start + length, len(text))
        if start < last:
            spans.append(Span(start, last, label))
    return Document("1", text, tuple(spans), patient_id="p")


@settings(max_examples=150, deadline=None)
@given(marked_notes())
def test_any_marks_in_any_text_get_surrogates(fast, note):
    made = only(fast.replace([note]))
    assert made.text == only(fast.replace([note])).text
    assert [span.label for span in made.spans] == [span.label for span in note.spans]
    assert outside(made) == outside(note)


def outside(document: Document) -> list[str]:
    """Return the pieces of text between the spans."""
    ends = [0, *(span.end for span in document.spans)]
    starts = [*(span.start for span in document.spans), len(document.text)]
    return [document.text[end:start] for end, start in zip(ends, starts, strict=True)]


def test_gold_spans_of_the_input_do_not_leak_into_detection(fast):
    given_spans = (Span(0, 4, "BIOID"),)
    assert all(
        s.label != "BIOID" for s in only(fast.detect([Document("1", "plain words", given_spans)])).spans
    )


def test_consecutive_notes_of_a_patient_are_propagated_together(fast):
    first = Document("1", "MRN: K4471-29. Seen.", patient_id="p")
    second = Document("2", "Discussed; K4471-29 agrees.", patient_id="p")
    other = Document("3", "Discussed; K4471-29 agrees.", patient_id="q")
    rules = replace(fast.policy, detectors=fast.policy.detectors[:2], thresholds={})
    found = [item.spans for item in Pipeline(rules).detect([first, second, other])]
    assert [len(spans) for spans in found] == [1, 1, 0]
    assert found[1][0].source.startswith("propagate")


def test_meta_is_dropped_unless_the_policy_keeps_it(fast):
    note = Document("1", "x", meta={"note_type": "ED", "author": "Ada Quill"}, patient=Patient(id="p"))
    result = only(fast.deidentify([note]))
    assert result.meta == {"note_type": "ED"}
    assert result.patient is None


class Choosy:
    """Fail on some notes, and say why with words that must not come out."""

    name: ClassVar[str] = "choosy"
    labels: ClassVar[frozenset[str]] = frozenset({"DATE"})

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Refuse."""
        if any("bad" in document.text for document in documents):
            raise ValueError("the note says: bad secret")
        if any("worse" in document.text for document in documents):
            raise DataError("note is worse")
        if len(documents) > 1 and any("lonely" in document.text for document in documents):
            raise ValueError("not together")
        return [[] for _ in documents]


@pytest.fixture
def choosy(monkeypatch) -> Pipeline:
    table = {
        **registry.BUILT_IN,
        "detectors": {**registry.BUILT_IN["detectors"], "choosy": f"{__name__}:Choosy"},
    }
    monkeypatch.setattr(registry, "BUILT_IN", table)
    monkeypatch.setattr(registry, "resolve", _resolving(registry.resolve))
    policy = load_policy("fast")
    return Pipeline(replace(policy, detectors=(*policy.detectors, plainsight.config.Choice("choosy"))))


def _resolving(resolve):
    return lambda kind, name: Choosy if name == "choosy" else resolve(kind, name)


def test_a_note_that_fails_is_set_aside_and_the_others_go_on(choosy):
    texts = ["on 3/4/2019", "bad secret", "worse", "on 3/5/2019"]
    items = list(choosy.detect([Document(str(i), text) for i, text in enumerate(texts)]))
    assert [type(item) for item in items] == [Document, SetAside, SetAside, Document]
    assert [len(item.spans) for item in items if isinstance(item, Document)] == [1, 1]
    assert re.fullmatch(r"failed with ValueError at tests/test_pipeline.py:\d+", items[1].reason)
    assert items[2] == SetAside("2", "note is worse")


def test_notes_that_fail_only_together_are_all_set_aside(choosy):
    items = list(choosy.detect([Document("0", "lonely"), Document("1", "fine")]))
    assert [item.id for item in items] == ["0", "1"]
    assert all(item.reason.startswith("failed with ValueError at ") for item in items)


def test_all_notes_may_fail_even_where_a_stage_takes_no_empty_batch(choosy, monkeypatch):
    def refuse(self, documents):
        raise ValueError(documents[0].id)

    monkeypatch.setattr(Choosy, "detect", refuse)
    items = list(choosy.detect([Document("0", "a"), Document("1", "b")]))
    assert [item.id for item in items] == ["0", "1"]
    assert all(item.reason.startswith("failed with ValueError at ") for item in items)


@pytest.mark.parametrize("on", [True, False])
def test_the_garbage_collector_is_paused_for_a_batch_and_then_as_it_was(fast, choosy, monkeypatch, on):
    seen: list[bool] = []
    find = Pipeline._confident_batch

    def watched(self, documents):
        seen.append(gc.isenabled())
        return find(self, documents)

    monkeypatch.setattr(Pipeline, "_confident_batch", watched)
    (gc.enable if on else gc.disable)()
    try:
        for pipeline in (fast, choosy):  # the second one fails
            seen.clear()
            list(pipeline.detect([Document("1", NOTE), Document("2", "bad")]))
            assert seen[0] is False
            assert gc.isenabled() is on
    finally:
        gc.enable()


def test_notes_set_aside_earlier_pass_through_in_their_place(fast):
    aside = SetAside("x", "not JSON", "f:1")
    items = list(fast.detect([Document("0", "a"), aside, Document("1", "b")]))
    assert [item.id for item in items] == ["0", "x", "1"]
    assert items[1] is aside


def test_batches_keep_a_patients_notes_together(monkeypatch):
    monkeypatch.setattr(pipeline_module, "_PATIENT_CHARACTERS", 30)
    notes = [Document(str(i), "x" * 8, patient_id=p) for i, p in enumerate("aaaabbcccccc")]
    sizes = [[item.patient_id for item in batch] for batch in batches(notes, characters=10)]
    assert ["".join(batch) for batch in sizes] == ["aaaa", "bb", "cccc", "cc"]
    alone = [Document(str(i), "x" * 8) for i in range(4)]
    assert [len(batch) for batch in batches(alone, characters=10)] == [2, 2]


def test_a_label_without_an_operation_is_an_error_not_a_leak(fast):
    (item,) = fast.replace([Document("1", "abc", (Span(0, 3, "SHOE_SIZE"),))])
    assert item == SetAside("1", "no operation for label 'SHOE_SIZE'")


@pytest.fixture
def keyed(monkeypatch) -> Policy:
    """A policy whose every operation only shows its key."""

    class Keyed:
        name: ClassVar[str] = "redact"
        consistency: ClassVar[str] = "patient"

        def __init__(self, *, key: bytes = b"") -> None:
            self.key = key

        def with_key(self, key):
            return Keyed(key=key)

        def replace(self, documents):
            return [[self.key.hex()] * len(document.spans) for document in documents]

    resolve = registry.resolve
    monkeypatch.setattr(
        registry, "resolve", lambda kind, name: Keyed if kind == "operations" else resolve(kind, name)
    )
    return load_policy("redact")


def key_of(pipeline: Pipeline) -> str:
    return only(pipeline.replace([Document("1", "abc", (Span(0, 3, "DATE"),))])).text


def test_operations_that_take_a_key_are_given_it(keyed):
    pipeline = Pipeline(keyed, key=b"k" * 32)
    assert key_of(pipeline) == (b"k" * 32).hex()
    assert "kkk" not in repr(pipeline)


def test_without_a_key_one_is_drawn_for_each_pipeline(keyed):
    first, second = Pipeline(keyed), Pipeline(keyed)
    assert key_of(first) == key_of(first) != key_of(second)
    assert len(key_of(first)) == 64
    assert key_of(first) not in repr(first)


@settings(max_examples=100, deadline=None)
@given(any_text)
def test_originals_put_back_give_the_note(redacting, text):
    (item,) = redacting.with_originals([Document("1", text)])
    pieces, last = [], 0
    for start, end, original in item.originals:
        assert item.document.text[start:end] in ("", "[X]")
        pieces += item.document.text[last:start], original
        last = end
    assert "".join([*pieces, item.document.text[last:]]) == text
    assert "Replaced" in repr(item)
    assert len(repr(item)) < 80  # no text


def test_a_label_that_stays_never_shields_one_that_goes():
    patient = Patient(id="p", names=("Marcus Delgado",))
    text = "Mr. Delgado was seen at the Marcus Delgado Family Clinic."
    assert "Delgado" not in plainsight.deidentify(text, policy="safe-harbor", patient=patient)


def test_wrong_settings_are_not_blamed_on_the_notes(tmp_path):
    path = tmp_path / "census.toml"
    path.write_text('extends = "fast"\n[detector.patient]\ncensus = "none.txt"\n')
    with pytest.raises(UsageError):
        list(plainsight.load(path).detect([Document("1", "x")]))


def test_safe_harbor_keeps_what_the_law_lets_stay():
    text = "A 67 y.o. man, seen 3/4/2019 by Dr. Anna Whitcombe, surgery in 2012; his mother is 93 years old."
    assert plainsight.deidentify(text, policy="safe-harbor") == (
        "A 67 y.o. man, seen 2019 by Dr. Anna Whitcombe, surgery in 2012; his mother is 90+ years old."
    )


SMITH = (
    "Smith was born 4/12/31 in Duluth, MN 55116. John Smith, portal login jsmith44, saw Dr. Anna Lee at "
    "Lakes Regional Hospital with his sister Eva Smith, RN."
)


def test_safe_harbor_replaces_relatives_logins_and_towns_and_keeps_providers():
    made = plainsight.deidentify(SMITH, policy="safe-harbor")
    for gone in ("Smith", "31", "Duluth", "55116", "jsmith44", "Eva"):
        assert gone not in made
    for kept in ("Dr. Anna Lee", "Lakes Regional Hospital", "[CITY], MN 551**", "born [DATE]"):
        assert kept in made


def test_providers_are_replaced_where_the_policy_says_so(tmp_path):
    policy = policy_of(tmp_path, 'extends = "safe-harbor"\nproviders = "replace"')
    made = only(Pipeline(policy).deidentify([Document("1", SMITH)])).text
    for gone in ("Smith", "Anna", "Lee", "Lakes"):
        assert gone not in made
    assert "[CITY], MN 551**" in made


def test_a_policy_for_everything_may_keep_providers(tmp_path):
    policy = policy_of(tmp_path, 'extends = "fast"\nproviders = "keep"\n[replace]\ndefault = "redact"')
    made = only(Pipeline(policy).deidentify([Document("1", "Dr. Anna Lee saw John Smith, 67, of Ohio.")]))
    assert made.text.startswith("Dr. Anna Lee saw [PATIENT], [AGE], ")


def test_choose_leaves_out_what_a_policy_lets_stay():
    text = "Dr. Lee, 2012, Ann Roe, Ohio"
    spans = Span(4, 7, "DOCTOR"), Span(9, 13, "DATE"), Span(15, 22, "PATIENT"), Span(24, 28, "STATE")
    chosen = only(plainsight.load("safe-harbor").choose([Document("1", text, spans)]))
    assert chosen.spans == (Span(15, 22, "PATIENT"),)
    assert only(plainsight.load("fast").choose([Document("1", text, spans)])).spans == spans


# --- the guard of medicine ----------------------------------------------------------------------------------


class Words:
    """Claim every place where a word stands."""

    name = "words"
    labels = frozenset({"DATE", "PATIENT"})

    def __init__(self, **words):
        self.words = words

    def detect(self, documents):
        return [
            [
                Span(match.start(), match.end(), label, 0.9, self.name)
                for word, label in self.words.items()
                for match in re.finditer(rf"\b{word}\b", document.text)
            ]
            for document in documents
        ]


def guarded(policy, **words):
    pipeline = Pipeline(policy, key=bytes(32))
    pipeline.__dict__["detectors"] = (Words(**words),)
    return pipeline


FALLS = "Another fall. Baker cyst. Ms. Baker moved last fall."


def test_the_guard_refuses_clinical_forms_and_says_which():
    pipeline = guarded(load_policy("fast"), fall="DATE", Baker="PATIENT")
    [item] = pipeline.with_originals([Document("1", FALLS)])
    assert [original for _, _, original in item.originals] == ["Baker", "fall"]
    assert sorted(item.refused) == ["eponym", "fall"]
    assert item.document.text.startswith("Another fall. Baker cyst. Ms. ")
    [found] = pipeline.detect([Document("1", FALLS)])
    assert [span.start for span in found.spans] == [30, 47]


def test_the_guard_looks_at_what_propagation_adds():
    notes = [
        Document("1", "Ms. Camila Ng came.", patient_id="p"),
        Document("2", "Stopped Camila.", patient_id="p"),
    ]
    pipeline = guarded(load_policy("fast"), **{"Camila Ng": "PATIENT"})
    assert [len(note.spans) for note in pipeline.detect(notes)] == [1, 0]
    assert [item.refused for item in pipeline.with_originals(notes)] == [(), ("drug",)]


def test_a_policy_can_switch_the_guard_off(tmp_path):
    policy = policy_of(tmp_path, 'extends = "fast"\n[combine]\nguard = false')
    [item] = guarded(policy, fall="DATE", Baker="PATIENT").with_originals([Document("1", FALLS)])
    assert len(item.originals) == 4
    assert item.refused == ()


# --- confidence and doubt -----------------------------------------------------------------------------------

UNSURE = "Van 1100. Plan B Meadowsweet. Will call. Dukoral given, RD Stamaril. Queries to the MBBS FACTM."


def policy_of(tmp_path, content: str) -> Policy:
    (tmp_path / "own.toml").write_text(content)
    return load_policy(tmp_path / "own.toml")


TWO = """extends = "fast"
detectors = ["names-lower"]
[detector.names-lower]
kind = "convolution"
model = "conv-en"
labels = ["PATIENT", "DOCTOR"]
text = "lower"
"""


@pytest.mark.parametrize(
    "content",
    ['extends = "fast"', 'extends = "balanced"', 'extends = "safe-harbor"', 'detectors = ["patterns"]', TWO],
)
def test_every_policy_gives_each_note_a_confidence(tmp_path, content):
    notes = [
        Document("1", UNSURE, meta={"ward": "7"}),
        Document("2", "The wound is clean and dry. Continue the same dressing."),
        Document("3", ""),
    ]
    found = list(Pipeline(policy_of(tmp_path, content)).detect(notes))
    values = [note.meta["confidence"] for note in found]
    assert all(0 <= value <= 1 for value in values)
    assert values[0] < values[1] <= values[2] == 1
    assert found[0].meta["ward"] == "7"


def test_spans_are_the_same_with_and_without_doubt(fast):
    notes = [Document("1", NOTE), Document("2", UNSURE)]
    found = [note.spans for note in fast.detect(notes)]
    assert [note.document.spans for note in fast.doubt(notes)] == found
    raw = [note.spans for note, _ in fast._detect_batch(notes)]
    assert [calibrated(spans, fast.policy.calibration) for spans in raw] == found


def test_deidentifying_asks_for_no_doubt(fast, monkeypatch):
    def refused(*_):
        raise AssertionError("nobody asked")

    monkeypatch.setattr(pipeline_module, "possible_misses", refused)
    [clean] = fast.deidentify([Document("1", NOTE)])
    assert isinstance(clean, Document)
    assert "confidence" not in clean.meta


def test_doubts_lie_outside_the_spans_and_explain_the_confidence(fast):
    [doubted] = fast.doubt([Document("1", UNSURE)])
    misses = [place for place in doubted.doubts.places if place.kind == "likely miss"]
    assert misses
    for miss in misses:
        assert not any(span.start <= miss.start and miss.end <= span.end for span in doubted.document.spans)
    assert doubted.doubts.confidence == doubted.document.meta["confidence"] < 1


def test_labels_that_a_policy_leaves_alone_are_no_misses(tmp_path):
    text = "Plan: d/w rose marlow, the plumber, at bright harbor."
    few = policy_of(tmp_path, 'extends = "fast"\nlabels = ["DATE"]\n')
    [note] = Pipeline(few).doubt([Document("1", text)])
    assert {place.label for place in note.doubts.places if place.label} <= {"DATE"}


def test_an_outvoted_claim_is_a_likely_miss(tmp_path):
    both = policy_of(tmp_path, 'extends = "fast"\n[combine]\nvote = 2\n')
    [note] = Pipeline(both).doubt([Document("1", "Seen by Dr. Okafor today.")])
    assert note.document.spans == ()  # only the network claims the name
    assert [(place.start, place.label) for place in note.doubts.places] == [(12, "DOCTOR")]
    assert note.doubts.confidence < 0.5


def test_a_bias_for_recall_raises_confidence(tmp_path, fast):
    eager = Pipeline(policy_of(tmp_path, 'extends = "fast"\n[detector.convolution]\nbias = -6.0\n'))
    [usual], [more] = fast.detect([Document("1", UNSURE)]), eager.detect([Document("1", UNSURE)])
    assert more.meta["confidence"] > usual.meta["confidence"]
