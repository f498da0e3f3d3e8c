"""The command ``serve`` refuses what would be unsafe, before it loads anything."""

import pytest
from typer.testing import CliRunner

pytest.importorskip("fastapi")

from plainsight.cli import app
from plainsight.errors import UsageError


def run(*arguments):
    return CliRunner().invoke(app, ["serve", *map(str, arguments)])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--host", "0.0.0.0"), "need tokens"),
        (("--host", "0.0.0.0", "--tokens", "tokens.json"), "need HTTPS"),
        (("--host", "example.org"), "need tokens"),
        (("--certificate", "a.pem"), "needs both"),
        (("--client-authority", "a.pem"), "is for HTTPS"),
        (("--certificate", "a.pem", "--certificate-key", "b.pem"), "no file at a.pem"),
        (("--tokens", "none.json"), "no tokens at none.json"),
        (("--policy", "redact", "--policy", "redact"), "the same name"),
        (("--policy", "nonsense"), "nonsense"),
    ],
)
def test_what_is_unsafe_or_wrong_is_refused(options, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = run(*options).exception
    assert isinstance(error, UsageError)
    assert reason in str(error)


def test_tokens_are_made_listed_and_revoked(tmp_path):
    file = tmp_path / "tokens.json"
    made = run("token", "new", "ward-7", "--tokens", file)
    token = made.stdout.strip()
    assert token.startswith("plainsight_")
    run("token", "new", "prometheus", "--metrics", "--days", "0", "--tokens", file)
    listed = run("token", "list", "--tokens", file).stdout.splitlines()
    assert [line.split()[1:3] for line in listed] == [["ward-7", "notes"], ["prometheus", "metrics"]]
    assert listed[1].endswith("without end")
    assert token.split("_", 2)[2] not in "".join(listed) + file.read_text()
    assert run("token", "revoke", token.split("_")[1], "--tokens", file).exit_code == 0
    assert len(run("token", "list", "--tokens", file).stdout.splitlines()) == 1
    assert isinstance(run("token", "new", "a\nb", "--tokens", file).exception, UsageError)
    assert isinstance(run("token", "revoke", "none", "--tokens", file).exception, UsageError)
