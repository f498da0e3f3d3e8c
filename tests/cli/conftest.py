import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from plainsight import cli


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


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
