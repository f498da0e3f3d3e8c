from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.detect.learned import decode_scores
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.formats.inline import parse
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.stacker import Average, SharedTags, mean_pool
from plainsight.lab.train.crf import train_crf
from plainsight.testing import check_detector, sample_documents

TOKENS = [(0, 2), (3, 6)]


def spans_of(pool, *probabilities, bias=0.0):
    """Return the spans that a pool finds in the first tokens, given the models' probabilities."""
    scores = pool.scores(pool.shared.logarithms(probabilities))
    [spans] = decode_scores([(TOKENS[: len(scores)], scores)], pool.shared.tags, bias=bias, source="average")
    return spans


def test_models_agree_by_the_mean_of_logarithms():
    one, two = ["O", "B-DATE", "I-DATE"], ["O", "B-DATE", "I-DATE", "E-DATE", "S-DATE"]
    pool = mean_pool(SharedTags([one, two]))
    assert pool.shared.tags == one
    # B and S begin, I and E go on: 0.5 and 0.2 + 0.6; the square root of 0.5 * 0.8
    said = [np.array([[0.5, 0.5, 0.0]]), np.array([[0.2, 0.2, 0.0, 0.0, 0.6]])]
    wanted = np.array([(0.5 * 0.2) ** 0.5, (0.5 * 0.8) ** 0.5, 1e-5])
    assert np.allclose(np.exp(pool.scores(pool.shared.logarithms(said))[0]), wanted / wanted.sum())
    [span] = spans_of(pool, *said)
    assert (span.start, span.end, span.label, span.source) == (0, 2, "DATE", "average")
    assert not spans_of(pool, *said, bias=2.0)


def test_weights_decide_and_what_is_illegal_is_not_chosen():
    tags = ["O", "B-AGE", "I-AGE"]
    yes, no = np.array([[0.1, 0.9, 0.0]]), np.array([[0.9, 0.1, 0.0]])
    assert spans_of(mean_pool(SharedTags([tags, tags]), [3, 1]), yes, no)
    assert not spans_of(mean_pool(SharedTags([tags, tags]), [1, 3]), yes, no)
    # the second token likes to go on, so the first must begin although it is rather outside
    row = np.array([[0.55, 0.45, 0.0], [0.05, 0.0, 0.95]])
    assert [(s.start, s.end) for s in spans_of(mean_pool(SharedTags([tags])), row)] == [(0, 6)]
    with pytest.raises(UsageError, match="its weight"):
        mean_pool(SharedTags([tags]), [1, 2])


def notes(count):
    names = ("Adaeze Okonkwo", "Lars Bjornstad", "Mei Tanaka", "Rosa Villareal", "Ian Pettibone")
    return [
        Document(
            f"n{at}", *parse(f"Seen {{{{PATIENT|{names[at % 5]}}}}} on {{{{DATE|{at + 1}/3/2019}}}}. Well.")
        )
        for at in range(count)
    ]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name, gaussian in (("tight", 1.0), ("loose", 0.01)):
        train_crf(notes(10), folder / name, feature_set="plain", iterations=20, gaussian=gaussian)
    return [str(folder / "tight"), str(folder / "loose")]


def test_trained_models_are_averaged(models):
    average = Average(model=models)
    assert average.labels == {"PATIENT", "DATE"}
    found = [[(s.start, s.end, s.label) for s in spans] for spans in average.detect(notes(5))]
    assert found == [[(s.start, s.end, s.label) for s in note.spans] for note in notes(5)]
    alone = [[(s.start, s.end) for s in spans] for spans in Crf(model=models[0]).detect(notes(5))]
    assert [[(s.start, s.end) for s in spans] for spans in Average(model=models[0]).detect(notes(5))] == alone
    assert not any(Average(model=models, bias=50.0).detect(notes(5)))
    check_detector(average, [note for note in sample_documents() if len(note.text) < 5_000])


@pytest.fixture(scope="module")
def one_label_each(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    for label in ("PATIENT", "DATE"):
        marked = [replace(n, spans=tuple(s for s in n.spans if s.label == label)) for n in notes(10)]
        train_crf(marked, folder / label, feature_set="plain", iterations=20)
    return [str(folder / label) for label in ("PATIENT", "DATE")]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from([*(note.text for note in notes(5)), "Well.", "Mei on 4/3/2019"]), min_size=1))
def test_models_with_different_labels_find_what_each_finds_alone(one_label_each, texts):
    note = Document("1", "\n".join(texts))
    average = Average(model=one_label_each)
    covered = {at for span in average.detect([note])[0] for at in range(span.start, span.end)}
    for model in one_label_each:
        for span in Average(model=model).detect([note])[0]:
            assert covered >= set(range(span.start, span.end))


def test_labels_of_models_without_weight_are_not_found(one_label_each):
    [found] = Average(model=one_label_each, weights=[1, 0]).detect(notes(1))
    assert {span.label for span in found} == {"PATIENT"}


def test_there_must_be_models(tmp_path):
    with pytest.raises(UsageError, match="name those"):
        Average().detect(notes(1))


def test_networks_and_a_crf_are_averaged(models):
    labels = Average(model=[models[0], "conv-en"]).labels
    assert {"PATIENT", "DATE", "HOSPITAL"} <= labels
    [found] = Average(model=["conv-en"]).detect([Document("1", "Seen by Dr. Okafor on 3/4/2019.")])
    assert [(span.label, span.source) for span in found] == [("DOCTOR", "average"), ("DATE", "average")]
