"""Tables of summed weights against sums written out feature by feature."""

import numpy as np
import pytest

from plainsight.document import Document, Span
from plainsight.lab.detect.crf import tables
from plainsight.lab.detect.crf.channels import FEATURE_SETS
from plainsight.lab.detect.crf.digests import DIGEST, digest, mixed, narrowed, widened, word_digest
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.tables import Emissions, Weights
from plainsight.lab.train.packing import Packed, pack, places_of

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


def written_out(channels, note):
    """Yield every token's features, with the names that training gives them."""
    for place in range(len(note.tokens)):
        yield [
            f"{channel.name}{offset:+d} {feature}"
            for channel in channels
            for offset in channel.offsets
            if 0 <= place + offset < len(note.tokens)
            for feature in channel.features(channel.values(note)[place + offset])
        ]


@pytest.fixture(params=["plainsight", "few", "carafe-all", "dernoncourt"])
def model(request):
    """Return channels, the weights of half of the features by name, and the packed arrays."""
    channels, rng = FEATURE_SETS[request.param], np.random.default_rng(0)
    names = sorted({name for note in notes() for row in written_out(channels, note) for name in row})
    values = rng.normal(size=(len(names), LABELS)) * (rng.random(len(names)) < 0.5)[:, None]
    digests, places = places_of(names, channels)
    rows = np.repeat(np.arange(len(names)), LABELS)
    tags = np.tile(np.arange(LABELS), len(names))
    packed = Packed(digests, rows, np.array(places)[rows], tags, values.ravel())
    arrays, _ = pack(packed, labels=LABELS, smallest=0.0, exact=True)
    return channels, dict(zip(names, values, strict=True)), arrays


def test_scores_are_the_sums_of_all_features_weights(model):
    channels, weights, arrays = model
    made = Weights(arrays["digests"], arrays["starts"], arrays["cells"], arrays["values"])
    emissions = Emissions(channels, made, LABELS)
    for _ in range(2):  # new values, then known ones
        for note, scores in zip(notes(), emissions(notes()), strict=True):
            assert scores.shape == (len(note.tokens), LABELS)
            for names, row in zip(written_out(channels, note), scores, strict=True):
                assert row == pytest.approx(sum(weights[name] for name in names), abs=1e-4)


def test_scores_do_not_depend_on_the_notes_beside(model):
    channels, _, arrays = model
    made = Weights(arrays["digests"], arrays["starts"], arrays["cells"], arrays["values"])
    together = Emissions(channels, made, LABELS)(notes() * 40)
    for number, note in enumerate(notes()):
        [alone] = Emissions(channels, made, LABELS)([note])
        assert (alone == together[number]).all()
        assert (alone == together[number - len(TEXTS)]).all()


def test_tables_forget_and_learn_again(model, monkeypatch):
    channels, _, arrays = model
    made = Weights(arrays["digests"], arrays["starts"], arrays["cells"], arrays["values"])
    emissions = Emissions(channels, made, LABELS)
    first = [scores.copy() for scores in emissions(notes())]
    monkeypatch.setattr(tables, "_MOST", 3)
    for _ in range(3):
        for one, two in zip(first, emissions(notes()), strict=True):
            assert (one == two).all()


def test_no_notes_and_no_features():
    nothing = np.zeros(0)
    made = Weights(
        nothing.astype(np.uint8), np.zeros(1, np.int32), nothing.astype(np.uint16), nothing.astype(np.float32)
    )
    emissions = Emissions(FEATURE_SETS["plainsight"], made, LABELS)
    assert emissions([]) == []
    assert all((scores == 0).all() for scores in emissions(notes()))


def test_digests_are_stored_in_six_bytes_and_tell_channels_and_order_apart():
    every = np.array(sorted({digest("word", f"w={n}") for n in range(1000)}), dtype=np.uint64)
    assert len(every) == 1000
    assert int(every.max()) < 256**DIGEST
    assert (widened(narrowed(every)) == every).all()
    one, two = (np.array([word_digest(word)], dtype=np.uint64) for word in ("ann", "ito"))
    pairs = [mixed("pair", one, two), mixed("pair", two, one), mixed("around", one, two)]
    assert len({int(pair[0]) for pair in pairs}) == 3
    assert int(max(pair[0] for pair in pairs)) < 256**DIGEST
