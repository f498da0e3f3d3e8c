"""The tidy table: one row a figure."""

import pytest
from marked_pairs import pair

from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.tidy import Row, tidy

NOTES = (
    pair("{{PATIENT|Ann Roe}} now", "{{DOCTOR|Ann}} Roe now", name="a", note_type="letter"),
    pair("aged {{AGE|70}}", "aged {{AGE|70}}", name="b", note_type="letter"),
    pair("well", "well", name="c"),
)


def test_rows():
    rows = list(tidy(Evaluation(NOTES)))
    keys = [row[:3] for row in rows]
    assert len(set(keys)) == len(keys)
    by_key = {row[:3]: row[3:] for row in rows}
    for expected in (
        # tokens: gold Ann Roe 70, found Ann 70
        Row("all", "micro", "binary-token", 3, 2, 1.0, 2 / 3, 0.8),
        # over the notes for which it is defined: precision 1 and 1, recall 1/2 and 1, F 2/3 and 1
        Row("all", "macro mean", "binary-token", None, None, 1.0, 0.75, 5 / 6),
        Row("label", "PATIENT", "token", 2, 0, None, 0.0, 0.0),
        Row("label", "PATIENT", "binary-token", 2, 0, None, 0.5, None),
        Row("label", "DOCTOR", "binary-token", 0, 1, 1.0, None, None),
        Row("group", "A", "strict", 2, 1, 1.0, 0.5, 2 / 3),
        Row("category", "AGE", "token", 1, 1, 1.0, 1.0, 1.0),
        Row("note_type", "letter", "binary-token", 3, 2, 1.0, 2 / 3, 0.8),
        Row("note_type", "unknown", "binary-token", 0, 0, None, None, None),
        Row("note", "c", "binary-token", 0, 0, None, None, None),
        # the script's: undefined is 0
        Row("i2b2-2014", "micro", "Strict", None, None, 0.5, 0.5, 0.5),
        Row("i2b2-2014", "macro", "Strict", None, None, 1 / 3, 1 / 3, 1 / 3),
        Row("meddocan", "micro", "NER", None, None, 0.5, 0.5, 0.5),
        # Roe leaks
        *(
            Row(level, name, part, *[None] * 5, value)
            for level, name, part, value in (
                ("leaks", "leaked", "", 1),
                ("leaks", "clean_share", "", 2 / 3),
                ("error", "type", "", 1),
                ("error", "missing", "PATIENT", 0),
                ("confusion", "DOCTOR", "PATIENT", 1),
                ("misses", "coverage", "0", 1.0),
                ("misses by note type", "identifiers", "letter", 2),
                # F over phrases is 0 and 1, both as sure: the imperfect comes first
                ("confidence", "perfect_prefix", "", 0),
                ("confidence", "spearman", "", None),
                ("likely misses", "listed", "", 1),  # Roe tells 18.6 bits
                # Ann Roe now aged 70 well: P P O O A O, D O O O A O: agreed 4; by chance O 3*4 + A 1 = 13/36
                ("agreement", "kappa", "", (24 - 13) / (36 - 13)),
            )
        ),
    ):
        assert by_key[expected[:3]] == pytest.approx(expected[3:])
