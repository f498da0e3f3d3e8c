"""Pipelines for the tests of sources: rules and the record find what the record says, and load at once."""

import pytest

import plainsight

KEY = b"a secret of at least thirty-two bytes"
_POLICIES = {
    "surrogate": '[replace]\ndefault = "surrogate"\n',
    "redact": '[replace]\ndefault = "redact"\n',
    "safe-harbor": 'labels = "safe-harbor"\n[replace]\ndefault = "surrogate"\nDATE = "mask"\n'
    'LOCATION = "mask"\n',
}


@pytest.fixture(scope="session")
def load(tmp_path_factory):
    """Return pipelines by the name of their policy, each loaded once."""
    loaded = {}

    def get(name):
        if name not in loaded:
            path = tmp_path_factory.mktemp("policies") / f"{name}.toml"
            path.write_text(f'detectors = ["patterns", "patient"]\n{_POLICIES[name]}')
            loaded[name] = plainsight.load(path, key=KEY)
        return loaded[name]

    return get


@pytest.fixture(scope="session")
def pipeline(load):
    return load("surrogate")
