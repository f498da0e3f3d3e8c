"""Times of day: found, replaced, and only where a policy wants them."""

import pytest

from plainsight.config import load_policy
from plainsight.detect.times import Times
from plainsight.document import Document
from plainsight.errors import PolicyError
from plainsight.labels import GROUPS
from plainsight.pipeline import Pipeline

POLICY = """
name = "times"
labels = "all+time"
detectors = ["patterns", "times"]

[replace]
default = "surrogate"
"""


def found(text: str) -> list[str]:
    [spans] = Times().detect([Document("1", text)])
    assert all(span.label == "TIME" for span in spans)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Seen at 14:05, again 08:15:30.", ["14:05", "08:15:30"]),
        ("meds 2:05 pm and 11 AM, home by 5 pm.", ["2:05 pm", "11 AM", "5 pm"]),
        ("at 10:30 a.m. or 10:30a.m.", ["10:30 a.m.", "10:30a.m."]),
        ("called 1405 hrs, back 0700h", ["1405", "0700"]),
        ("at 9:30, until 7:00, @7:15", ["9:30", "7:00", "7:15"]),
        ("12/04/2019 07:10 and 2019-03-04T02:10:00", ["07:10", "02:10:00"]),
        ("ANA 1:40, dilution 1:10, ratio 3:1, 24:10, BP 120/80, dose 10 mg", []),
        ("in 1405 and 99:99, 1.14:05", []),
    ],
)
def test_shapes_of_times(text, times):
    assert found(text) == times


def test_a_long_text_takes_no_time():
    assert len(found("14:05 " * 50_000)) == 50_000
    assert found("1" * 200_000) == []


@pytest.fixture
def policy(tmp_path):
    (tmp_path / "times.toml").write_text(POLICY)
    return load_policy(tmp_path / "times.toml")


def test_a_patients_times_move_alike(policy):
    texts = ("Fell at 14:05 on 3/4/2019, seen 14:35.", "Died 2:05 pm; family called at 3 PM.")
    notes = [Document(str(n), text, patient_id="p") for n, text in enumerate(texts)]
    made = [item.text for item in Pipeline(policy, key=b"k" * 32).deidentify(notes)]
    first, second, *_ = found(made[0])
    third, fourth = found(made[1])

    def minutes(time: str) -> int:
        hour, minute = map(int, time.removesuffix(" pm").split(":"))
        return 60 * hour + minute

    assert minutes(second) - minutes(first) == 30
    moved = minutes(first) - (14 * 60 + 5)
    assert 17 <= abs(moved) <= 113
    assert (minutes(third) - minutes(first)) % 720 == 0
    assert fourth.endswith("PM")
    assert "3/4/2019" not in made[0]
    other = [Document("2", texts[0], patient_id="q")]
    assert found(next(iter(Pipeline(policy, key=b"k" * 32).deidentify(other))).text)[0] != first


def test_no_shipped_policy_has_times():
    for name in ("fast", "balanced", "best", "redact", "safe-harbor"):
        shipped = load_policy(name)
        assert "TIME" not in shipped.labels
        assert "TIME" not in shipped.operations
        assert "TIME" not in shipped.to_toml()
    assert [name for name, labels in GROUPS.items() if "TIME" in labels] == ["all+time"]


def test_the_policy_decides_what_becomes_of_times(tmp_path, policy):
    assert policy.to_toml() == load_again(tmp_path, policy.to_toml()).to_toml()
    kept = load_again(tmp_path, POLICY + 'TIME = "keep"\n')
    [note] = Pipeline(kept, key=b"k" * 32).deidentify([Document("1", "Seen at 14:05 on 3/4/2019.")])
    assert "14:05" in note.text
    with pytest.raises(PolicyError, match="unknown label 'TIMES'; did you mean 'TIME'"):
        load_again(tmp_path, POLICY + 'TIMES = "keep"\n')


def load_again(folder, text):
    (folder / "again.toml").write_text(text)
    return load_policy(folder / "again.toml")
