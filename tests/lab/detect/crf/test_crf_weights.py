"""Scores of tokens against sums written out feature by feature."""

import numpy as np
import pytest

from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.crf.feature_sets import feature_set as set_by_name
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.weights import Weights, WeightTable, digests_of, key_at, pack

LABELS = 5
TEXTS = (
    "Patient: Ann Ito seen 3/4/2019.\nDr. Ito agrees.",
    "Dr. Ito saw Ann Ito.",
    "",
    "BP 120/80  pulse 70",
    "Ann",
)


def notes():
    documents = [Document(str(number), text) for number, text in enumerate(TEXTS)]
    claims = [[Span(0, 3, "DATE", 1.0, "patterns.date")] if len(text) > 5 else [] for text in TEXTS]
    return read_notes(documents, claims)


def written_out(templates, note):
    """Yield every token's features, with the names that training gives them."""
    for place in range(len(note.tokens)):
        yield [
            f"{template.name}{offset:+d} {feature}"
            for template in templates
            for offset in template.offsets
            if 0 <= place + offset < len(note.tokens)
            for feature in template.features(template.values(note)[place + offset])
        ]


def key_of(name):
    """Return the key of a feature named as in `written_out`."""
    slot, _, feature = name.partition(" ")
    return key_at(digests_of(slot[:-2], [feature]), int(slot[-2:]))


@pytest.fixture(params=["plainsight", "few", "carafe-all", "dernoncourt"])
def model(request):
    """Return templates, the weights of half of the features by name, and the table of a packed model."""
    templates, rng = set_by_name(request.param).templates, np.random.default_rng(0)
    names = sorted({name for note in notes() for row in written_out(templates, note) for name in row})
    values = rng.normal(size=(len(names), LABELS)) * (rng.random(len(names)) < 0.5)[:, None]
    keys = np.repeat(np.concatenate([key_of(name) for name in names]), LABELS)
    weights = Weights(keys, np.tile(np.arange(LABELS), len(names)), values.ravel())
    arrays, scale = pack(weights, smallest=0.0, exact=True)
    return templates, dict(zip(names, values, strict=True)), WeightTable(arrays, scale, LABELS)


def test_scores_are_the_sums_of_all_features_weights(model):
    templates, weights, table = model
    for note, scores in zip(notes(), table.scores(notes(), templates), strict=True):
        assert scores.shape == (len(note.tokens), LABELS)
        for names, row in zip(written_out(templates, note), scores, strict=True):
            assert row == pytest.approx(sum(weights[name] for name in names), abs=1e-4)


def test_scores_do_not_depend_on_the_notes_beside(model):
    templates, _, table = model
    together = table.scores(notes() * 40, templates)
    for number, note in enumerate(notes()):
        [alone] = table.scores([note], templates)
        assert (alone == together[number]).all()
        assert (alone == together[number - len(TEXTS)]).all()


def test_no_notes_and_no_features():
    nothing = Weights(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0))
    arrays, scale = pack(nothing)
    table = WeightTable(arrays, scale, LABELS)
    assert table.scores([], set_by_name("plainsight").templates) == []
    assert all((scores == 0).all() for scores in table.scores(notes(), set_by_name("plainsight").templates))


def test_a_model_of_an_older_version_is_refused():
    with pytest.raises(UsageError, match="train it again"):
        WeightTable({"digests": np.zeros(0)}, 1.0, LABELS)


def test_keys_tell_templates_features_and_offsets_apart():
    digests = np.concatenate([digests_of(name, [f"w={n}" for n in range(1000)]) for name in ("word", "wide")])
    keys = np.concatenate([key_at(digests, offset) for offset in range(-2, 3)])
    assert len(np.unique(keys)) == 10_000
