import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from plainsight import cli, registry
from plainsight.document import Document


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def plainsight(monkeypatch, capsys) -> Callable[..., Result]:
    """Run the command line in this process, through the same door as a shell does."""

    def call(*arguments: object) -> Result:
        monkeypatch.setattr("sys.argv", ["plainsight", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "200")
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        code = stopped.value.code
        return Result(code if isinstance(code, int) else 0 if code is None else 1, captured.out, captured.err)

    return call


@pytest.fixture
def jsonl() -> Callable[..., Path]:
    def write(path: Path, *records: object) -> Path:
        path.write_text("".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in records))
        return path

    return write


class Stamp:
    """A keyed operation, the simplest there is: what it gives depends on key, label and original."""

    name: ClassVar[str] = "stamp"

    consistency: ClassVar[str] = "patient"

    def __init__(self, *, key: bytes = b"") -> None:
        self.key = key

    def with_key(self, key: bytes) -> "Stamp":
        return Stamp(key=key)

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return a short digest for each span."""
        return [[self._stamp(d.text[s.start : s.end]) for s in d.spans] for d in documents]

    def _stamp(self, original: str) -> str:
        return "~" + hmac.digest(self.key, original.encode(), "sha256")[:3].hex()


@pytest.fixture
def stamp(monkeypatch, tmp_path) -> Path:
    """Register a keyed operation; return a policy that uses it for everything."""
    operations = {**registry.BUILT_IN["operations"], "stamp": "conftest:Stamp"}
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "operations": operations})
    resolve = registry.resolve
    monkeypatch.setattr(
        registry, "resolve", lambda kind, name: Stamp if name == "stamp" else resolve(kind, name)
    )
    (tmp_path / "policy").mkdir()
    path = tmp_path / "policy" / "stamp.toml"
    path.write_text('extends = "fast"\n[replace]\ndefault = "stamp"\n')
    return path
