"""The library's door: what callers may pass, what they get back, and what stays in memory afterwards."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plainsight
from plainsight import errors
from plainsight.document import Document, Patient

KEY = b"a secret of at least thirty-two bytes"
NOTE = "Dr. Anna Whitcombe saw John Q. Smith, MRN 4471-882, on 03/04/2019."


@pytest.mark.parametrize("verb", ["detect", "deidentify", "replace", "with_originals"])
@pytest.mark.parametrize("item", [NOTE, NOTE.encode(), {"id": "1", "text": NOTE}, None, 1])
def test_what_is_not_a_document_is_refused(verb, item):
    pipeline = plainsight.load("fast")
    with pytest.raises(TypeError, match=r"plainsight\.Document"):
        list(getattr(pipeline, verb)([Document("0", "Fine."), item]))


def test_one_string_is_not_a_stream():
    with pytest.raises(TypeError, match=r"plainsight\.Document"):
        list(plainsight.load("fast").deidentify(NOTE))


def test_the_refusal_does_not_echo_the_note():
    with pytest.raises(TypeError) as refused:
        list(plainsight.load("fast").deidentify([NOTE]))
    assert "Whitcombe" not in str(refused.value)


def test_a_string_gives_a_string_and_a_list_a_list():
    one = plainsight.deidentify(NOTE, policy="fast", key=KEY)
    assert isinstance(one, str)
    assert "Smith" not in one
    assert plainsight.deidentify([NOTE], policy="fast", key=KEY) == [one]
    assert len(plainsight.deidentify([NOTE, NOTE], policy="fast", key=KEY)) == 2
    assert plainsight.deidentify([], policy="fast") == []
    assert plainsight.detect([NOTE], policy="fast") == [plainsight.detect(NOTE, policy="fast")]


@pytest.mark.parametrize(
    "given", [NOTE.encode(), {"text": NOTE}, None, [NOTE, b"bytes"], [Document("1", NOTE)]]
)
@pytest.mark.parametrize("verb", [plainsight.detect, plainsight.deidentify])
def test_the_functions_take_strings_alone(verb, given):
    with pytest.raises(TypeError, match="a string or a list of strings"):
        verb(given, policy="fast")


def test_a_list_of_one_patient_is_taken_together():
    patient = Patient(id="p", names=("John Smith",))
    first, second = plainsight.deidentify(
        ["Mr. Smith is well.", "Saw John Smith again."], policy="fast", patient=patient, key=KEY
    )
    surname = re.fullmatch(r"Mr\. (\w+) is well\.", first)[1]
    assert re.fullmatch(rf"Saw \w+ {surname} again\.", second)


def test_models_stay_loaded_between_calls(monkeypatch):
    plainsight.detect(NOTE, policy="fast")
    monkeypatch.setattr("plainsight.model._load", lambda *_: pytest.fail("a model was loaded again"))
    plainsight.detect(NOTE, policy="fast")
    plainsight.deidentify(NOTE, policy="fast", key=KEY)


def test_another_key_gives_other_surrogates_though_models_are_shared():
    other = b"another secret of thirty-two bytes."
    assert plainsight.deidentify(NOTE, policy="fast", key=KEY) != plainsight.deidentify(
        NOTE, policy="fast", key=other
    )
    random = [plainsight.deidentify(NOTE, policy="fast") for _ in range(2)]
    assert random[0] != random[1]


def test_a_policy_file_that_changes_is_read_again(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text('extends = "fast"\n[replace]\ndefault = "redact"\n')
    assert "[DOCTOR]" in plainsight.deidentify(NOTE, policy=path)
    path.write_text('extends = "fast"\n[replace]\ndefault = { operation = "redact", text = "XX" }\n')
    assert "[DOCTOR]" not in plainsight.deidentify(NOTE, policy=path)


def test_pipelines_pickle_with_their_key():
    pipeline = plainsight.load("fast", key=KEY)
    document = Document("1", NOTE)
    [before] = pipeline.deidentify([document])
    [after] = pickle.loads(pickle.dumps(pipeline)).deidentify([document])
    assert after == before


def test_a_pickled_pipeline_without_a_key_keeps_its_random_one():
    pipeline = plainsight.load("fast")
    document = Document("1", NOTE)
    copy = pickle.loads(pickle.dumps(pipeline))
    assert list(copy.deidentify([document])) == list(pipeline.deidentify([document]))


def test_the_public_names_are_there_and_sorted():
    assert plainsight.__all__ == sorted(plainsight.__all__)
    assert {*plainsight.__all__} >= {
        "Document",
        "Span",
        "Patient",
        "Pipeline",
        "load",
        "load_key",
        "SetAside",
    }
    for name in plainsight.__all__:
        assert getattr(plainsight, name) is not None


def test_every_error_is_public_and_in_one_tree():
    found = {name for name in errors.__all__ if isinstance(getattr(errors, name), type)}
    assert found <= {*plainsight.__all__}
    assert all(issubclass(getattr(plainsight, name), plainsight.PlainsightError) for name in found)


@pytest.mark.parametrize(
    ("policy", "way"), [("fast", "pipeline"), ("fast", "function"), ("balanced", "pipeline")]
)
def test_nothing_of_the_notes_stays_in_memory(policy, way):
    script = Path(__file__).with_name("planted_words.py")
    done = subprocess.run([sys.executable, script, policy, way], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
