import numpy as np

from plainsight.document import Document
from plainsight.evaluate.read_notes import coarsened
from plainsight.formats.inline import parse
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.feature_sets import feature_set as set_by_name
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.train.crf import train_crf
from plainsight.lab.train.crf.prior import of_claims
from plainsight.lab.train.crf.slots import training_data

TEMPLATES = set_by_name("plainsight").templates


def test_weights_are_drawn_towards_what_is_known(notes):
    documents = notes(2)
    read = read_notes(documents, [document.spans for document in documents])
    prior = of_claims(["CITY", "DATE"], TEMPLATES, 3.0)
    data = training_data(read, TEMPLATES, tags=prior.tags)
    likelihood = prior.likelihood(data, gaussian=10.0, sequences=None)
    loss, gradient = likelihood(likelihood.centre)
    nearer, _ = likelihood(likelihood.centre - 1e-6 * gradient)
    assert nearer < loss
    away, _ = likelihood(likelihood.centre + 1.0)
    assert away > loss
    # No rule has claimed anything under these names: all weights of the prior stay as they are.
    assert (prior.rest(data).values == 3.0).all()
    assert len(prior.rest(data).values) == len(prior.weights.values)
    assert np.array_equal(np.unique(prior.weights.tags), [1, 2, 3, 4])


def test_rules_are_trusted_where_the_notes_say_nothing(notes, tmp_path):
    # The notes have a telephone, but none that a rule would find.
    taught = [*notes(3), Document("t", *parse("Beeper {{PHONE|ops blue}} as always."))]
    unlike = Document("new", "Call (617) 555-0142 or write.")
    found = {}
    for trust in (0.0, 8.0):
        folder = tmp_path / str(trust)
        manifest = train_crf(taught, folder, trust=trust, iterations=30)
        assert manifest["training"]["trust"] == trust
        [spans] = Crf(model=str(folder)).detect([unlike])
        found[trust] = {(span.start, span.end) for span in spans if span.label == "PHONE"}
        assert {span.label for span in spans} <= {"PATIENT", "DATE", "CITY", "DOCTOR", "PHONE"}
    assert (5, 19) in found[8.0]
    assert (5, 19) not in found[0.0]


def test_what_claims_come_to_is_trusted_most_where_it_is_looked_at():
    prior = of_claims(["CITY", "DATE"], set_by_name("few").templates, 8.0)
    assert np.unique(prior.weights.values).tolist() == [2.0, 6.0]
    begins = [tag[0] != "I" for tag in prior.tags]
    assert (prior.transitions[:, begins] == 0.0).all()
    assert prior.transitions[0, prior.tags.index("I-CITY")] < 0.0
    assert prior.transitions[prior.tags.index("B-CITY"), prior.tags.index("I-CITY")] == 0.0


def test_a_claim_speaks_for_what_the_notes_call_it(notes, tmp_path):
    def fitted(label, folder):
        taught = [*notes(3), Document("t", *parse(f"Known as {{{{{label}|blue}}}} as always."))]
        for_eight = [coarsened(note, "i2b2-2006") for note in taught] if label == "IDNUM" else taught
        train_crf(for_eight, folder, iterations=30)
        [spans] = Crf(model=str(folder)).detect([Document("new", "His SSN is 521-04-9938, he said.")])
        return {(span.start, span.end, span.label) for span in spans}

    assert (11, 22, "IDNUM") in fitted("IDNUM", tmp_path / "few")
    # notes that mark cities as such tell numbers apart, too: that they lack one says nothing of it
    assert not fitted("ZIP", tmp_path / "ours")


def test_notes_with_labels_of_nobody_else_teach_too(tmp_path):
    documents = [Document(str(n), *parse(f"Seen in {{{{BED|bed {n}}}}} again.")) for n in range(10, 16)]
    manifest = train_crf(documents, tmp_path / "model", iterations=10, bias=0.0)
    assert manifest["labels"] == ["BED"]
