"""All measures together, added over patients."""

from plainsight.document import Document
from plainsight.evaluate.surrogates.measure import MEASURES, measure
from plainsight.evaluate.surrogates.pairs import Count, exact, pair_up
from plainsight.formats.inline import parse


def document(name, patient, marked):
    text, spans = parse(marked)
    return Document(name, text, spans, patient_id=patient)


def test_measures_add_up_over_patients():
    notes = [
        exact(document("1", "p", "{{PATIENT|Ann Lee}} {{DATE|3/4/2019}}"), ["Eva Ray", "3/14/2019"]),
        exact(document("2", "p", "{{PATIENT|Ann Lee}} {{DATE|3/5/2019}}"), ["Ida Ray", "3/16/2019"]),
        exact(document("3", "q", "{{PATIENT|Ann Lee}}"), ["Karl Ray"]),
    ]
    told = measure(notes)
    assert (told.notes, told.patients, told.identifiers) == (3, 2, 5)
    assert {name: count for name, count in told.counts.items() if count.of} == {
        "people_within_note": Count(0, 3),
        "people_across_notes": Count(1, 2),  # p's Ann Lee has two names
        "gender_clashes": Count(1, 2),  # q's became a man
        "date_formats": Count(0, 2),
        "date_intervals": Count(1, 1),  # +10 and +11 days
        "date_shifts": Count(1, 2),
        "date_order": Count(0, 1),
        "impossible_dates": Count(0, 2),
        "scrambles": Count(0, 5),
        "tags": Count(0, 5),
        "originals_left": Count(0, 4),  # one name for each patient, two dates
        "collapsed": Count(0, 2),
        "safe_harbor_left": Count(0, 5),
    }
    assert told.per_100("date_shifts") == 20
    assert told.by_patient["q"]["gender_clashes"] == Count(1, 1)


def test_json_has_every_measure_and_no_text():
    gold, released = (
        document("1", None, "{{PATIENT|Ann Pinkham}} in Boston"),
        Document("1", "Eva Ray in Dover"),
    )
    told = measure(pair_up([gold], [released])).to_json()
    assert set(told["measures"]) == set(MEASURES)
    assert told["measures"]["places"] == {"count": 0, "of": 0, "share": None}
    assert told["text_outside_spans_changed"] == ["1"]
    assert not {"Pinkham", "Eva", "Boston"} & set(str(told).replace("'", " ").split())
