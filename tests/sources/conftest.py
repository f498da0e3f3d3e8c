"""Pipelines for the tests of sources: the quick detectors with other operations."""

import pytest

import plainsight

KEY = b"a secret of at least thirty-two bytes"
_POLICIES = {
    "fast": "",
    "redact": '[replace]\ndefault = "redact"\n',
    "safe-harbor": 'labels = "safe-harbor"\n[replace]\nDATE = "mask"\nLOCATION = "mask"\n',
}


@pytest.fixture(scope="session")
def load(tmp_path_factory):
    """Return pipelines by the name of their policy, each loaded once."""
    loaded = {}

    def get(name):
        if name not in loaded:
            path = tmp_path_factory.mktemp("policies") / f"{name}.toml"
            path.write_text(f'extends = "fast"\n{_POLICIES[name]}')
            loaded[name] = plainsight.load(path, key=KEY)
        return loaded[name]

    return get


@pytest.fixture(scope="session")
def pipeline(load):
    return load("fast")
