from pathlib import Path
from typing import ClassVar

import pytest

from plainsight import registry
from plainsight.config import Choice, Policy, built_in_policies, differences, load_policy, parent_of
from plainsight.errors import PolicyError
from plainsight.labels import GROUPS, LABELS


def write(folder: Path, content: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(content)
    return path


@pytest.mark.parametrize("name", ["fast", "balanced", "best", "redact", "safe-harbor"])
def test_built_in_policies_load_and_write_themselves_back(name, tmp_path):
    policy = load_policy(name)
    assert policy.name == name
    assert policy.description == built_in_policies()[name]
    assert set(policy.operations) == set(LABELS)
    assert load_policy(write(tmp_path, policy.to_toml())) == policy


def test_safe_harbor_keeps_years_and_touches_no_provider():
    policy = load_policy("safe-harbor")
    assert policy.labels == GROUPS["safe-harbor"]
    assert policy.operations["DATE"].name == "mask"
    assert dict(policy.operations["AGE"].options) == {"ages": "keep"}


def test_providers_stay_or_go_as_the_policy_says(tmp_path):
    assert load_policy("balanced").providers == "replace"
    assert load_policy("safe-harbor").providers == "keep"
    assert load_policy(write(tmp_path, 'extends = "fast"\nlabels = "A"')).providers == "keep"
    policy = load_policy(write(tmp_path, 'extends = "safe-harbor"\nproviders = "replace"'))
    assert policy.labels == GROUPS["safe-harbor"] | {"DOCTOR", "HOSPITAL"}
    assert load_policy(write(tmp_path, policy.to_toml())) == policy
    assert load_policy(write(tmp_path, 'extends = "fast"\nproviders = "keep"')).labels == GROUPS["all"]


def test_a_policy_adds_detectors_to_those_it_extends_and_thresholds_stay(tmp_path):
    parent = load_policy("balanced")
    policy = load_policy(write(tmp_path, 'extends = "balanced"\ndetectors = ["patterns", "convolution"]'))
    assert policy.detectors == (*parent.detectors, Choice("convolution"))
    assert policy.thresholds == parent.thresholds
    assert policy.precedence == parent.precedence


def test_a_category_routes_all_its_labels_but_those_with_routes_of_their_own(tmp_path):
    routes = 'NAME = ["convolution"]\nUSERNAME = ["patterns", "convolution"]'
    policy = load_policy(write(tmp_path, f'extends = "fast"\n[combine.routes]\n{routes}'))
    assert policy.routes == {
        "PATIENT": {"convolution"},
        "DOCTOR": {"convolution"},
        "USERNAME": {"convolution", "patterns"},
    }


def test_only_without_leaves_detectors_out_with_all_their_settings(tmp_path):
    (tmp_path / "house.toml").write_text(
        'extends = "balanced"\n[combine.routes]\nDATE = ["patterns", "cascade"]\nZIP = ["patient"]\n'
        "[combine.thresholds]\npatterns = 0.9\ncascade = 0.5"
    )
    policy = load_policy(write(tmp_path, 'extends = "house.toml"\nwithout = ["cascade", "patient"]'))
    assert [choice.name for choice in policy.detectors] == ["patterns"]
    assert policy.thresholds == {"patterns": 0.9}
    assert policy.routes == {"DATE": {"patterns"}}
    assert policy.calibration is None


def test_what_was_left_out_can_be_added_again(tmp_path):
    policy = load_policy(write(tmp_path, 'extends = "balanced"\ndetectors = ["convolution"]'))
    assert policy.detectors[-1] == Choice("convolution")  # without fast's options for it


def test_differences_name_each_setting_once(tmp_path):
    path = write(
        tmp_path, 'extends = "fast"\n[combine.thresholds]\npatterns = 0.95\n[replace]\nDATE = "keep"'
    )
    parent = parent_of(path)
    assert parent == load_policy("fast")
    assert differences(parent, load_policy(path)) == [
        "combine.thresholds.patterns: - -> 0.95",
        'replace.DATE: - -> "keep"',
    ]
    assert parent_of("fast") is None


def test_a_policy_extends_another_and_categories_cover_their_labels(tmp_path):
    path = write(
        tmp_path,
        """
        extends = "fast"
        labels = ["DATE", "PATIENT", "DOCTOR", "AGE"]
        [combine]
        vote = 2
        precedence = ["convolution", "patterns"]
        routes = { DATE = ["patterns"] }
        thresholds = { convolution = 0.9 }
        [replace]
        NAME = { operation = "redact", text = "<\\"name\\">" }
        DATE = "keep"
        [output]
        keep_meta = ["site"]
        """,
    )
    policy = load_policy(path)
    assert policy.name == "mine"
    assert policy.group is None
    assert policy.vote == 2
    assert policy.routes == {"DATE": frozenset({"patterns"})}
    assert policy.thresholds["convolution"] == 0.9
    assert policy.operations["DOCTOR"].options == {"text": '<"name">'}
    assert policy.operations["DATE"].name == "keep"
    assert policy.operations["AGE"].name == "surrogate"
    assert policy.propagate is True
    assert load_policy(write(tmp_path, policy.to_toml())) == policy


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('detectors = ["patterns"]\nlabls = "all"', "unknown key 'labls'; did you mean 'labels'"),
        ('detectors = ["paterns"]', "unknown detector 'paterns'; did you mean 'patterns'"),
        ("", "detectors is empty"),
        ('detectors = ["patterns", "patterns"]', "names one twice"),
        ('detectors = ["patterns"]\nwithout = ["patterns"]', "of a policy that this one extends"),
        ('extends = "fast"\nwithout = ["cascad"]', "without: no detector 'cascad'"),
        ('detectors = "patterns"', "list of names"),
        ('detectors = ["patterns"]\n[detector.crf]\nx = 1', "unknown key 'crf'"),
        ('detectors = ["patient"]\n[detector.patient]\ncensos = "x"', "did you mean 'census'"),
        ('extends = "fast"\nlabels = "safeharbor"', "did you mean 'safe-harbor'"),
        ('extends = "fast"\nlabels = ["DTE"]', "did you mean 'DATE'"),
        ('extends = "fast"\nlabels = []', "labels is empty"),
        ('extends = "fast"\n[combine]\nvot = 1', "did you mean 'vote'"),
        ('extends = "fast"\n[combine]\nvote = 9', "from 1 to the 3 detectors"),
        ('extends = "fast"\n[combine]\nvote = true', "whole number"),
        ('extends = "fast"\n[combine]\npropagate = 1', "true or false"),
        ('extends = "fast"\nproviders = "kep"', "providers cannot be 'kep'; did you mean 'keep'"),
        ('extends = "fast"\nproviders = true', "providers is a string"),
        ('extends = "fast"\n[combine]\nguard = "off"', "combine.guard is true or false"),
        ('extends = "fast"\n[combine]\nprecedence = "x"', "list of names"),
        ('extends = "fast"\n[combine]\nprecedence = ["patern"]', "did you mean 'patterns'"),
        ('extends = "fast"\n[combine.routes]\nDATE = []', "would never be found"),
        ('extends = "fast"\n[combine.thresholds]\npatern = 0.5', "did you mean 'patterns'"),
        ('extends = "fast"\n[combine.thresholds]\npatterns = 5', "a number from 0 to 1"),
        ('extends = "fast"\n[combine.calibration]\nslope = 0', "a slope above 0"),
        ('extends = "fast"\n[combine.calibration]\noffset = "x"', "numbers offset and slope"),
        ('extends = "fast"\n[combine.calibration]\nfactor = 1', "numbers offset and slope"),
        ('extends = "fast"\n[combine.routes]\nDATE = ["charlm"]', "no detector 'charlm'"),
        ('extends = "fast"\n[combine.routes]\nDATES = ["patterns"]', "did you mean 'DATE'"),
        ('extends = "fast"\n[replace]\nPATEINT = "keep"', "did you mean 'PATIENT'"),
        ('extends = "fast"\n[replace]\nDATE = "maks"', "did you mean 'mask'"),
        ('extends = "fast"\n[replace]\nDATE = 3', "is a string"),
        ('extends = "fast"\n[replace]\nDATE = { operation = "redact", txt = "" }', "did you mean 'text'"),
        (
            'extends = "fast"\n[replace]\nDATE = { operation = "redact", text = "{name}" }',
            "no placeholder but {label}",
        ),
        (
            'extends = "fast"\n[replace]\nDATE = { operation = "redact", key = "abc" }',
            "replace.DATE: a secret key does not belong in a policy",
        ),
        ('extends = "fast"\n[output]\nkeepmeta = []', "did you mean 'keep_meta'"),
        ('extends = "fats"', "unknown policy 'fats'; did you mean 'fast'"),
        ("extends = 3", "extends is a string"),
        ('extends = "fast"\ncombine = 3', "combine is a table"),
        ("a = = 1", "not valid TOML"),
    ],
)
def test_a_wrong_policy_is_refused_and_says_what_is_near(tmp_path, content, message):
    with pytest.raises(PolicyError) as caught:
        load_policy(write(tmp_path, content))
    assert message in str(caught.value)


class Shift:
    """An operation that only some labels can have."""

    name: ClassVar[str] = "shift"
    labels: ClassVar[frozenset[str]] = frozenset({"DATE", "AGE"})

    def replace(self, documents):
        """Return nothing of note."""
        return [["" for _ in document.spans] for document in documents]


@pytest.mark.parametrize(
    ("replace", "refused"),
    [
        ('DATE = "shift"\nAGE = "shift"', None),
        ('PATIENT = "shift"', "PATIENT"),
        ('NAME = "shift"', "PATIENT"),
        ('default = "shift"', "PATIENT"),
        ('CONTACT = "shift"', "PHONE"),
    ],
)
def test_an_operation_that_a_label_cannot_have_is_refused(tmp_path, monkeypatch, replace, refused):
    operations = {**registry.BUILT_IN["operations"], "shift": f"{__name__}:Shift"}
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "operations": operations})
    path = write(tmp_path, f'extends = "fast"\n[replace]\n{replace}')
    if refused is None:
        assert load_policy(path).operations["DATE"].name == "shift"
        return
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    assert f"operation 'shift' cannot replace {refused}, only AGE, DATE" in str(caught.value)


def test_policies_that_are_not_there(tmp_path):
    with pytest.raises(PolicyError, match="no policy file"):
        load_policy(tmp_path / "none.toml")
    with pytest.raises(PolicyError, match="unknown policy 'balancd'; did you mean 'balanced'"):
        load_policy("balancd")


def test_a_policy_finds_the_one_beside_it(tmp_path):
    (tmp_path / "base.toml").write_text('extends = "fast"\n[combine]\nvote = 2\n')
    assert load_policy(write(tmp_path, 'extends = "base.toml"')).vote == 2


def test_a_circle_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(f'extends = "{path}"')
    with pytest.raises(PolicyError, match="circle"):
        load_policy(path)


def test_a_policy_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(PolicyError, match="cannot be read"):
        load_policy(path)


def test_a_policy_is_frozen():
    policy: Policy = load_policy("fast")
    with pytest.raises(AttributeError):
        policy.vote = 2  # type: ignore[misc]


def test_paths_in_options_start_at_the_policy(tmp_path, monkeypatch):
    (tmp_path / "site" / "own").mkdir(parents=True)
    (tmp_path / "site" / "own" / "locale.toml").write_text('extends = "en_US"\n')
    path = tmp_path / "site" / "site.toml"
    path.write_text('extends = "fast"\n[detector.patterns]\nlocale = "./own"\n')
    monkeypatch.chdir(tmp_path)
    [patterns] = [choice for choice in load_policy("site/site.toml").detectors if choice.name == "patterns"]
    assert Path(patterns.options["locale"]).resolve() == tmp_path / "site" / "own"
    path.write_text('extends = "fast"\n[detector.patterns]\nlocale = "./other"\n')
    with pytest.raises(PolicyError, match=r"no locale at \./other"):
        load_policy(path)


def test_a_detector_without_its_method_is_refused(tmp_path, monkeypatch):
    empty = type("Empty", (), {"name": "empty", "labels": frozenset({"DATE"})})
    monkeypatch.setattr(registry, "resolve", lambda *_: empty)
    with pytest.raises(PolicyError, match="'empty' has no method detect"):
        load_policy(write(tmp_path, 'detectors = ["empty"]'))
