"""A service with the rules of `fast`, which load quickly."""

from contextlib import ExitStack
from dataclasses import replace

import pytest


@pytest.fixture(scope="session")
def key():
    return b"a secret of at least thirty-two bytes"


@pytest.fixture(scope="session")
def rules_file(tmp_path_factory):
    """A policy without networks."""
    file = tmp_path_factory.mktemp("policy") / "rules.toml"
    file.write_text('name = "rules"\nextends = "fast"\nwithout = ["convolution"]\n', encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def service_client(rules_file, key):
    """Start services in this process, and give clients of them."""
    pytest.importorskip("fastapi")
    from starlette.testclient import TestClient

    from plainsight import load
    from plainsight.serve.service import Settings, create_app

    with ExitStack() as stack:

        def start(**settings):
            settings = {"policies": {"rules": load(rules_file)}, "key": key, **settings}
            app = create_app(Settings(**settings))
            client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
            return stack.enter_context(client)

        yield start


@pytest.fixture(scope="session")
def client(service_client):
    """A client of a service on this machine, without tokens, with a key."""
    return service_client()


@pytest.fixture
def change(client, monkeypatch):
    """Give the running service other tokens or limits for one test."""

    def with_settings(**settings):
        service = client.app.app.state.service
        monkeypatch.setattr(service, "settings", replace(service.settings, **settings))
        for name, value in settings.items():
            monkeypatch.setattr(client.app, name, value)

    return with_settings
