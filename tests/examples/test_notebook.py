"""The example notebook runs from top to bottom, and holds no output."""

import ast
import json
from pathlib import Path

import pytest

pytest.importorskip("pandas")

NOTEBOOK = Path(__file__).parents[2] / "examples" / "plainsight.ipynb"


def run(source, names):
    """Run a cell; return the value of its last line, as a notebook shows it."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        exec(source, names)
        return None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_runs():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell.get("outputs") for cell in cells)
    names: dict[str, object] = {}
    shown = [value._repr_html_() for source in code if (value := run(source, names)) is not None]
    found, clean, table, spans = shown
    assert "Okafor" in found
    assert "PATIENT" in found
    assert "Smith" in spans
    for released in (clean, table):
        assert not any(name in released for name in ("Smith", "Okafor", "4471-882", "Delgado", "3/4/2019"))
