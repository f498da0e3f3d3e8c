import numpy as np
import pytest

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.formats.inline import parse
from plainsight.lab.detect.average import Average, SharedTags
from plainsight.lab.detect.crf import Crf
from plainsight.lab.train.crf import train_crf
from plainsight.testing import check_detector, sample_documents

TOKENS = [(0, 2), (3, 6)]


def test_models_agree_by_the_mean_of_logarithms():
    one, two = ["O", "B-DATE", "I-DATE"], ["O", "B-DATE", "I-DATE", "E-DATE", "S-DATE"]
    together = SharedTags([one, two])
    assert together.tags == one
    # B and S begin, I and E go on: 0.5 and 0.2 + 0.6; the square root of 0.5 * 0.8
    said = [np.array([[0.5, 0.5, 0.0]]), np.array([[0.2, 0.2, 0.0, 0.0, 0.6]])]
    scores = together.scores(said)
    assert np.allclose(np.exp(scores[0]), [(0.5 * 0.2) ** 0.5, (0.5 * 0.8) ** 0.5, 1e-5])
    [span] = together.spans(TOKENS[:1], said)
    assert (span.start, span.end, span.label, span.source) == (0, 2, "DATE", "average")
    assert not together.spans(TOKENS[:1], said, bias=2.0)


def test_weights_decide_and_what_is_illegal_is_not_chosen():
    tags = ["O", "B-AGE", "I-AGE"]
    yes, no = np.array([[0.1, 0.9, 0.0]]), np.array([[0.9, 0.1, 0.0]])
    assert SharedTags([tags, tags], [3, 1]).spans(TOKENS[:1], [yes, no])
    assert not SharedTags([tags, tags], [1, 3]).spans(TOKENS[:1], [yes, no])
    # the second token likes to go on, so the first must begin although it is rather outside
    row = np.array([[0.55, 0.45, 0.0], [0.05, 0.0, 0.95]])
    assert [(s.start, s.end) for s in SharedTags([tags]).spans(TOKENS, [row])] == [(0, 6)]
    with pytest.raises(UsageError, match="its weight"):
        SharedTags([tags], [1, 2]).scores([yes])


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


def test_there_must_be_models(tmp_path):
    with pytest.raises(UsageError, match="name those"):
        Average().detect(notes(1))


def test_networks_and_a_crf_are_averaged(models):
    labels = Average(model=[models[0], "conv-en"]).labels
    assert {"PATIENT", "DATE", "HOSPITAL"} <= labels
    [found] = Average(model=["conv-en"]).detect([Document("1", "Seen by Dr. Okafor on 3/4/2019.")])
    assert [(span.label, span.source) for span in found] == [("DOCTOR", "average"), ("DATE", "average")]
