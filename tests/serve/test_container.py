"""The container's files, checked without an engine: none runs where this is tested."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

pytest.importorskip("fastapi")
pytest.importorskip("yaml")

import yaml

from plainsight.cli.serve import app

ROOT = Path(__file__).parents[2]
NAMES = [
    "FROM",
    "WORKDIR",
    "COPY",
    "RUN",
    "ENV",
    "USER",
    "EXPOSE",
    "STOPSIGNAL",
    "HEALTHCHECK",
    "ENTRYPOINT",
    "CMD",
]


@pytest.fixture(scope="module")
def stages():
    """Return the instructions of each stage of the Dockerfile, as pairs."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    found = []
    for name, value in lines:
        assert name in NAMES, name
        if name == "FROM":
            found.append([])
        found[-1].append((name, value))
    return found


@pytest.fixture(scope="module")
def service():
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return {**compose["services"]["plainsight"], "all": compose}


def test_the_image_runs_as_a_user_without_rights_and_without_tools(stages):
    build, last = stages
    assert dict(build)["FROM"].endswith(" AS build")
    names = [name for name, _ in last]
    user = dict(last)["USER"]
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert not any("pip " in value or "apt" in value for name, value in last if name == "RUN")
    assert all(value.startswith("--from=build") for name, value in last if name == "COPY")
    for _, value in (*build, *last):
        assert not re.search(r"latest|curl|wget|(?i:password|token=)", value)


def test_what_it_starts_is_a_command_that_exists(stages):
    last = dict(stages[-1])
    program, command, *options = json.loads(last["ENTRYPOINT"]) + json.loads(last["CMD"])
    assert (program, command) == ("plainsight", "serve")
    known = {name for parameter in get_command(app).params for name in parameter.opts}
    given = {option for option in options if option.startswith("--")}
    assert given <= known
    # Beyond loopback, a token and HTTPS are needed, and the container listens everywhere.
    assert {"--tokens", "--certificate", "--certificate-key", "--key-file"} <= given
    assert options[options.index("--port") + 1] == last["EXPOSE"]
    check = shlex.split(last["HEALTHCHECK"].partition("CMD ")[2].strip("[]").replace(",", " "))
    assert last["EXPOSE"] in " ".join(check)


def test_compose_takes_all_rights_away(service, stages):
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["user"] == dict(stages[-1])["USER"]
    assert service["ulimits"]["core"] == 0
    assert all("noexec" in each for each in service["tmpfs"])
    assert not {"privileged", "ports", "network_mode", "pid", "ipc", "volumes", "environment"} & set(service)
    [network] = service["networks"]
    assert service["all"]["networks"][network]["internal"] is True


def test_every_secret_is_given_and_ignored_by_git(service, stages):
    wanted = {
        Path(word).name for word in json.loads(dict(stages[-1])["CMD"]) if word.startswith("/run/secrets/")
    }
    secrets = service["all"]["secrets"]
    assert wanted == set(service["secrets"]) == set(secrets)
    for name in (".gitignore", ".dockerignore"):
        if (ROOT / name).exists():
            assert re.search(r"^/?secrets/?$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert all(secret["file"].startswith("./secrets/") for secret in secrets.values())
