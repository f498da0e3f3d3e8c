"""Every built-in detector, operation and format keeps its promises."""

import pytest

from plainsight import registry
from plainsight.testing import check_detector, check_format, check_operation


@pytest.mark.parametrize("name", registry.BUILT_IN["detectors"])
def test_detector(name: str) -> None:
    check_detector(registry.create("detectors", name))


@pytest.mark.parametrize("name", registry.BUILT_IN["operations"])
def test_operation(name: str) -> None:
    keyed = {"key": bytes(range(32))} if "key" in registry.options("operations", name) else {}
    check_operation(registry.create("operations", name, **keyed))


@pytest.mark.parametrize("name", registry.BUILT_IN["formats"])
def test_format(name: str) -> None:
    check_format(registry.create("formats", name))


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, known in registry.BUILT_IN.items() for name in known]
)
def test_the_registry_and_the_class_agree_on_the_name(kind: registry.Kind, name: str) -> None:
    assert registry.resolve(kind, name).name == name
