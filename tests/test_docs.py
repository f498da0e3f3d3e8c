"""The docs tell the truth: their examples run, their links lead somewhere."""

import doctest
import json
import re
from ast import literal_eval
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import plainsight
from plainsight.formats.inline import parse

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
PACKAGE = Path(plainsight.__file__).parent
MODULES = [
    module.name
    for module in walk_packages([str(PACKAGE)], "plainsight.")
    if not module.name.endswith("__main__")
]


def source(name):
    path = PACKAGE.joinpath(*name.split(".")[1:])
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")


def test_the_readme_example_gives_what_it_says():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(import plainsight.+?)\n\npipeline", readme, re.DOTALL)
    said = re.findall(r"^(plainsight.+)\n# (.+)$", example, re.MULTILINE)
    names: dict[str, object] = {}
    exec(example, names)  # the README is ours
    assert len(said) == 2
    for call, result in said:
        assert eval(call, names) == literal_eval(result)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", [name for name in MODULES if ">>>" in source(name)])
def test_docstring_examples_run(name):
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_public_names_exist(name):
    module = import_module(name)
    for public in getattr(module, "__all__", ()):
        assert hasattr(module, public), public


def test_the_bundled_patients_are_those_of_the_corpus():
    demo = ROOT / "src" / "plainsight" / "data" / "demo" / "notes.jsonl"
    bundled = {note["id"]: note["text"] for note in map(json.loads, demo.read_text("utf-8").splitlines())}
    files = (ROOT / "corpus" / "longitudinal").glob("*.txt")
    assert bundled == {path.stem: parse(path.read_text("utf-8"))[0] for path in files}
