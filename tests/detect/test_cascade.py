"""The cascade between its two ends: convolutions alone, and the transformer alone."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from plainsight.config import load_policy
from plainsight.detect.cascade import Cascade
from plainsight.detect.convolution import Convolution
from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Excerpt
from plainsight.errors import UsageError

NOTE = Document("1", "From the Ridge; saw Rose w/ Will re: Mercy plan. Hx Parkinson, takes Sinemet 25/100.")


def label_of(scores):
    """How probable the likeliest label is, whether a token begins it or goes on."""
    tags, found = Cascade().manifest["tags"], np.exp(scores)
    labels = {tag[2:] for tag in tags if tag != "O"}
    return max(sum(found[place] for place, tag in enumerate(tags) if tag[2:] == label) for label in labels)


def test_without_doubt_the_convolutions_are_right():
    _, wanted = Convolution(model="wide-en").scores(NOTE)
    np.testing.assert_array_equal(Cascade(doubt=1.0).scores(NOTE)[1], wanted)


def test_in_doubt_of_everything_the_transformer_reads_everything():
    _, wanted = Transformer().scores(NOTE)
    np.testing.assert_allclose(Cascade(doubt=0.0, share=0.0).scores(NOTE)[1], wanted, atol=1e-4)


def test_where_in_doubt_what_both_say_is_averaged():
    _, quick = Convolution(model="wide-en").scores(NOTE)
    _, both = Cascade(doubt=0.001, share=0.3).scores(NOTE)
    identifies = 1.0 - np.exp(quick[:, 0])
    doubtful = np.zeros(len(quick), bool)
    for suspect, stretch in groupby(range(len(quick)), key=lambda token: identifies[token] >= 0.001):
        tokens = list(stretch)
        doubtful[tokens] = suspect and any(
            identifies[token] <= 0.999 or label_of(quick[token]) < 0.8 for token in tokens
        )
    assert 0 < doubtful.sum() < len(doubtful)
    np.testing.assert_array_equal(both[~doubtful], quick[~doubtful])
    assert (np.abs(both[doubtful] - quick[doubtful]).max(axis=1) > 0).all()
    np.testing.assert_allclose(np.exp(both).sum(axis=1), 1.0, atol=1e-3)


@pytest.mark.parametrize("doubt", [0.0, 0.001])
def test_the_transformer_reads_only_what_is_asked_for(doubt):
    first = NOTE.text.index("Hx")
    note = Excerpt(NOTE.id, NOTE.text, asked=((0, 14), (first, len(NOTE.text))))
    _, quick = Convolution(model="wide-en").scores(NOTE)
    tokens, both = Cascade(doubt=doubt).scores(note)
    changed = [start for (start, _), old, new in zip(tokens, quick, both, strict=True) if (old != new).any()]
    assert changed
    assert all(start < 14 or start >= first for start in changed)


def test_what_it_is_may_be_in_doubt_not_where_it_begins():
    tags = Cascade().manifest["tags"]
    scores = np.full((5, len(tags)), -20.0, np.float32)
    city, state = tags.index("B-CITY"), tags.index("B-STATE")
    scores[[0, 3]] = scores[2] = np.where(np.isin(tags, ["B-CITY", "I-CITY"]), np.log(0.5), -20.0)  # a city
    scores[[1, 4]] = np.where(np.isin(tags, ["O"]), 0.0, -20.0)
    scores[2, tags.index("I-CITY")] = -20.0
    scores[2, [city, state, tags.index("B-ZIP")]] = np.log(1 / 3)
    assert Cascade(doubt=0.1)._doubtful(scores[:2]).tolist() == []
    # What stands beside it is looked at, too, but not what stands apart.
    assert Cascade(doubt=0.1)._doubtful(scores).tolist() == [2, 3]


def test_notes_are_read_together_as_one_by_one():
    notes = [Document("0", ""), NOTE, Document("2", "  "), Document("3", "Pt. of dr okafor, 3/4, w/ rose.")]
    cascade = Cascade(doubt=0.01)
    together = cascade.scores_of(notes, [()] * len(notes))
    for note, (tokens, scores) in zip(notes, together, strict=True):
        alone, wanted = cascade.scores(note)
        np.testing.assert_array_equal(tokens, alone)
        np.testing.assert_array_equal(scores, wanted)


def test_policies_say_how_much_the_transformer_reads():
    chosen = {
        name: next(choice.options for choice in load_policy(name).detectors if choice.name == "cascade")
        for name in ("balanced", "best")
    }
    assert chosen["balanced"] == {"model": ["wide-en", "gte-en"], "bias": -2.5}
    assert chosen["best"] == {"model": ["wide-en", "deep-en"], "doubt": 0.0002, "margin": 16, "bias": -4.3}


@pytest.mark.parametrize("model", ["conv-en", ["conv-en"]])
def test_one_model_is_no_cascade(model):
    with pytest.raises(UsageError, match="two models"):
        Cascade(model=model, doubt=0.0).scores(NOTE)


def test_what_a_correction_makes_clear_the_transformer_does_not_read():
    cascade = Cascade(doubt=0.001)
    clear = np.full_like(cascade.scores(NOTE)[1], -20.0)
    clear[:, cascade.manifest["tags"].index("O")] = 0.0
    [(_, scores)] = cascade.scores_of([NOTE], [()], corrected=lambda notes, scored: [clear])
    np.testing.assert_array_equal(scores, Convolution(model="wide-en").scores(NOTE)[1])
