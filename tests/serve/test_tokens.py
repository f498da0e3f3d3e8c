import json
import stat
from datetime import UTC, datetime, timedelta

import pytest

from plainsight.errors import UsageError
from plainsight.serve.tokens import Tokens

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tokens.json"


def new(tokens, name="ward", **options):
    return tokens.new(name, **{"scope": "notes", "expires": None, "now": NOW, **options})


def test_a_token_is_known_and_never_stored(file):
    text = new(Tokens(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert text.split("_", 2)[2] not in file.read_text()
    tokens = Tokens(file)
    assert tokens.find(text, NOW).name == "ward"
    for wrong in ("", "x", text + "x", text[:-1], text.replace("plainsight", "other"), "plainsight_é_é"):
        assert tokens.find(wrong, NOW) is None
    assert list(file.parent.iterdir()) == [file]


def test_a_token_ends_and_is_revoked(file):
    tokens, running = Tokens(file), Tokens(file)
    short = new(tokens, expires=NOW + timedelta(days=1))
    long = new(tokens)
    assert running.find(short, NOW)
    assert running.find(short, NOW + timedelta(days=1)) is None
    tokens.revoke(long.split("_")[1])
    assert running.find(long, NOW) is None  # it reads the file again
    with pytest.raises(UsageError, match="no token"):
        tokens.revoke("abc")


def test_a_file_that_cannot_be_trusted_lets_nobody_in(file):
    text = new(Tokens(file))
    tokens = Tokens(file)
    good = file.read_bytes()
    for wrong in (b"", b"[]", json.dumps({"tokens": [{"id": 1}]}).encode()):
        file.write_bytes(wrong)
        assert tokens.find(text, NOW) is None
        with pytest.raises(UsageError, match="not a file of tokens"):
            Tokens(file)
    file.write_bytes(good)
    file.chmod(0o666)
    assert tokens.find(text, NOW) is None
    file.unlink()
    assert tokens.find(text, NOW) is None
