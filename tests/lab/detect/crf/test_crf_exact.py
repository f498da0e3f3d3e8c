"""The decoder against CRFsuite's own on the same weights: tags, probabilities, the record's probability."""

from pathlib import Path

import numpy as np
import pytest

from plainsight import registry
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.detect.crf import NEEDS, Crf
from plainsight.lab.detect.crf.feature_sets import feature_set as set_by_name
from plainsight.lab.detect.crf.notes import Note, read_notes
from plainsight.lab.detect.crf.weights import Weights, digests_of, key_at, pack
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE, decode, encode

pycrfsuite = pytest.importorskip("pycrfsuite")

CORPUS = Path(__file__).parents[4] / "corpus"
NOTES = [
    Document(path.stem, *parse(path.read_text(encoding="utf-8")))
    for path in sorted((CORPUS / "nursing").glob("*.txt"))[:8]
]
LEARNT, UNSEEN = NOTES[:4], NOTES[4:]
ODD = [
    Document("empty", ""),
    Document("blank", " \n\t\n"),
    Document("one token", "Okonkwo"),
    Document("two tokens", "Dr. "),
    Document("unknown", "Ξενία Παπαδοπούλου 東京 zzyzx\x00 \ud83d 99999999999"),
]


def notes_of(documents, feature_set) -> list[Note]:
    claims = [[] for _ in documents]
    if any(template.name == "claim" for template in set_by_name(feature_set).templates):
        for name in NEEDS:
            for said, spans in zip(claims, registry.create("detectors", name).detect(documents), strict=True):
                said += spans
    chosen = set_by_name(feature_set)
    return read_notes(documents, claims, tokens=chosen.tokens)


def items(note: Note, feature_set: str) -> list[list[str]]:
    """Write out every token's features, one by one: the plain reading of what templates are."""
    read = [(template, template.values(note)) for template in set_by_name(feature_set).templates]
    made = []
    for place in range(len(note.tokens)):
        names = []
        for template, values in read:
            for offset in template.offsets:
                if 0 <= place + offset < len(values):
                    names += [
                        f"{template.name}{offset:+d} {f}" for f in template.features(values[place + offset])
                    ]
        made.append([name.encode("utf-8", "replace").decode().replace("\x00", "?") for name in names])
    return made


@pytest.fixture(scope="module", params=["plain", "carafe-all", "mask", "plainsight", "few"])
def trained(request, tmp_path_factory):
    """Return CRFsuite's tagger and our detector with the same weights, and the feature set."""
    feature_set, folder = request.param, tmp_path_factory.mktemp("exact")
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params={"c2": 0.1, "max_iterations": 25}, verbose=False)
    for note in notes_of(LEARNT, feature_set):
        trainer.append(items(note, feature_set), encode(note.document.spans, note.tokens))
    trainer.train(str(folder / "crfsuite"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "crfsuite"))
    info = tagger.info()
    tags = sorted(info.labels, key=lambda tag: (tag != OUTSIDE, tag))
    slots = [(name.partition(" ")[0], name.partition(" ")[2]) for name, _ in info.state_features]
    weights = Weights(
        np.concatenate([key_at(digests_of(slot[:-2], [f]), int(slot[-2:])) for slot, f in slots]),
        np.array([tags.index(tag) for _, tag in info.state_features]),
        np.array(list(info.state_features.values())),
    )
    arrays, scale = pack(weights, smallest=0.0, exact=True)
    transitions = np.zeros((len(tags), len(tags)), dtype=np.float32)
    for (one, two), weight in info.transitions.items():
        transitions[tags.index(one), tags.index(two)] = weight
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    chosen = set_by_name(feature_set)
    manifest = {
        "tags": tags,
        "labels": labels,
        "feature_set": feature_set,
        "edition": chosen.edition,
        "tokens": chosen.tokens,
        "bias": 0.0,
        "scale": scale,
    }
    save_model(folder / "ours", kind="crf", manifest=manifest, arrays={**arrays, "transitions": transitions})
    return tagger, Crf(model=str(folder / "ours")), feature_set


def test_tags_probabilities_and_record_agree_with_crfsuite(trained):
    tagger, crf, feature_set = trained
    documents = [*NOTES, *ODD[:4]]
    notes = notes_of(documents, feature_set)
    confidence = crf.confidence(documents)
    for note, solved, sure in zip(notes, crf.solve(documents), confidence, strict=True):
        [scores], [marginal], [path] = solved.scores, solved.marginals, solved.paths
        ours = [crf.tags[label] for label in path]
        if not note.tokens:
            assert (ours, sure) == ([], 0.0)
            continue
        tagger.set(items(note, feature_set))
        theirs = tagger.tag()
        assert ours == theirs
        for place, tag in enumerate(crf.tags):
            wanted = [tagger.marginal(tag, t) for t in range(len(theirs))]
            assert np.abs(marginal.probabilities[:, place] - wanted).max() < 1e-4
        log = np.log(tagger.probability(theirs))
        assert sure == pytest.approx(log, abs=1e-3, rel=1e-4)
        gold = encode(note.document.spans, note.tokens)
        if set(gold) <= set(crf.tags):
            chain, line = crf.chain, np.array([crf.tags.index(tag) for tag in gold])
            log = np.log(tagger.probability(gold))
            if np.isfinite(log):
                assert chain.log_score(scores, line) - marginal.log_z == pytest.approx(
                    log, abs=2e-3, rel=1e-4
                )


def test_spans_are_those_of_the_tags(trained):
    tagger, crf, feature_set = trained
    for note, spans in zip(notes_of(NOTES, feature_set), crf.detect(NOTES), strict=True):
        tagger.set(items(note, feature_set))
        wanted = decode(tagger.tag(), note.tokens, source="crf")
        assert [(s.start, s.end, s.label) for s in spans] == [(s.start, s.end, s.label) for s in wanted]
        tags = tagger.labels()
        for span in spans:
            inside = [
                t for t, (start, end) in enumerate(note.tokens) if span.start <= start and end <= span.end
            ]
            sure = min(sum(tagger.marginal(tag, t) for tag in tags if tag != OUTSIDE) for t in inside)
            assert span.score == pytest.approx(sure, abs=1e-4)


def test_together_alone_and_in_any_order_are_the_same(trained):
    _, crf, _ = trained
    documents = [*ODD, *NOTES]
    together = crf.detect(documents)
    assert together == [crf.detect([document])[0] for document in documents]
    assert together[::-1] == crf.detect(documents[::-1])
    assert crf.detect([]) == []


def test_a_lower_bias_finds_more(trained):
    _, crf, _ = trained
    covered = None
    for bias in (3.0, 1.0, 0.0, -1.0, -3.0, -6.0):
        found = Crf(model=crf.model, bias=bias).detect(UNSEEN)
        places = {
            (number, place)
            for number, spans in enumerate(found)
            for span in spans
            for place in range(span.start, span.end)
        }
        if covered is not None:
            assert len(places) >= len(covered)
        covered = places
    assert len(covered) > sum(len(document.text) for document in UNSEEN) / 4


def test_odd_notes_have_spans_inside_their_text(trained):
    _, crf, _ = trained
    for document, spans in zip(ODD, Crf(model=crf.model, bias=-20.0).detect(ODD), strict=True):
        assert all(span.end <= len(document.text) for span in spans)
        assert bool(spans) == bool(document.text.strip())
