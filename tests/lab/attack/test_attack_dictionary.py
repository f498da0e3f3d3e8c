"""Dictionary attacks on hashes and numbers."""

from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.lab.attack.dictionary import digits_kept, guess_keys, hashes


def test_a_hash_without_a_key_falls_and_one_with_a_key_does_not():
    plain, keyed = hashes(digits=4, victims=50)
    assert (plain["space"], plain["victims"], plain["recovered"]) == (10_000, 50, 50)
    assert keyed["recovered"] == 0
    assert plain["hours_for_all_ssns"] > 0


def test_digits_that_stay_are_counted_by_label():
    text, spans = parse(
        "{{SSN|123-45-6789}} {{SSN|1111}} {{PHONE|555-1234}} {{PATIENT|Roe 5}} {{FAX|207-555-0134}}"
    )
    note = Document("1", text, spans)
    # 9 digits: 1, 3, 4 and 9 stay; 4 digits: the surrogate is shorter, none stays; 7 digits: all stay; of the
    # fax number five digits are those of all fictional ones, and of the other five the last stays.
    kept = digits_kept([note], [["103-40-0009", "22", "555-1234", "Adler 5", "316-555-0174"]])
    counts = [(row["label"], row["identifiers"], row["digits"], row["kept"]) for row in kept]
    assert counts == [("SSN", 2, 13, 4), ("PHONE", 1, 7, 7), ("FAX", 1, 5, 1)]
    assert kept[1]["share"] == 1.0
    wordy = Document("1", "x", (Span(0, 1, "SSN"),))
    assert digits_kept([wordy], [["y"]])[0]["share"] is None


def test_guessed_keys_hit_no_more_than_chance():
    told = {guess["kind"]: guess for guess in guess_keys(numbers=20, keys=10)}
    assert told["SSN"]["tries"] == 200
    assert told["SSN"]["hits"] == told["MEDICALRECORD"]["hits"] == 0
    assert told["IDNUM"]["hits"] <= 3  # 200 tries at one in 10,000: over three is one chance in 15 million
    assert told["IDNUM"]["expected_by_chance"] == 0.02


def test_a_key_that_is_none_is_caught():
    class Reversed:
        """A stand-in engine that ignores its key."""

        def replace(self, documents):
            return [[d.text[s.start : s.end][::-1] for s in d.spans] for d in documents]

    told = guess_keys(numbers=5, keys=3, make=lambda key, consistency: Reversed())
    assert all(guess["hits"] == guess["tries"] == 15 for guess in told)
