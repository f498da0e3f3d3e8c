from importlib.metadata import EntryPoint
from typing import get_args

import pytest

from plainsight import registry
from plainsight.errors import PluginError


@pytest.mark.parametrize("kind", sorted({*get_args(registry.Kind)} - {"feature_sets", "trainers"}))
def test_every_built_in_resolves_to_a_class_of_its_name(kind):
    for name in registry.BUILT_IN[kind]:
        found = registry.resolve(kind, name)
        assert found.name == name
        assert found.__doc__


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(PluginError, match="unknown detector 'patern'; did you mean 'patterns'"):
        registry.resolve("detectors", "patern")
    with pytest.raises(PluginError, match=r"known: .*keep, mask, .*redact"):
        registry.resolve("operations", "zzz")


def test_an_unknown_option_is_answered_with_the_nearest():
    with pytest.raises(PluginError, match="operation 'redact' has no option 'txt'; did you mean 'text'"):
        registry.create("operations", "redact", txt="X")
    assert registry.create("operations", "redact", text="X")


def _with_entry_points(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [p for p in points if p.group == group])


def test_third_parties_cannot_take_a_built_in_name(monkeypatch):
    _with_entry_points(monkeypatch, EntryPoint("patterns", "thief:Thief", "plainsight.detectors"))
    assert registry.plugins("detectors")["patterns"].package == "plainsight"
    assert [plugin.target for plugin in registry.shadowed("detectors")] == ["thief:Thief"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no.such.module:X", "cannot be loaded"),
        ("plainsight.errors:NoSuchThing", "cannot be loaded"),
        ("plainsight.errors:suggest", "is not a class"),
        ("plainsight.detect.patterns:Patterns", "calls itself 'patterns'"),
    ],
)
def test_a_broken_plugin_costs_only_those_who_name_it(monkeypatch, target, message):
    _with_entry_points(monkeypatch, EntryPoint("badge", target, "plainsight.detectors"))
    assert "badge" in registry.names("detectors")
    assert registry.resolve("detectors", "patterns")
    with pytest.raises(PluginError, match=message):
        registry.resolve("detectors", "badge")
