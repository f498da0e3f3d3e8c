"""The docs are true: their examples run, their links lead somewhere.

Every ``sh``, ``python`` and ``toml`` block of the README and the docs runs here, page by page, in a folder
with small invented files. A block that cannot run has ``<!-- not run: why -->`` above it.
"""

import doctest
import json
import re
import shlex
import shutil
import subprocess
from ast import literal_eval
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import pytest
from typer.testing import CliRunner

import plainsight
from plainsight.cli import app
from plainsight.config import load_policy
from plainsight.formats.inline import parse

ROOT = Path(__file__).parents[1]
REPOSITORY = "https://github.com/plainsight/plainsight/blob/main/"
RAW = "https://raw.githubusercontent.com/plainsight/plainsight/main/"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
PACKAGE = Path(plainsight.__file__).parent
NEEDS = {
    "plainsight.lab": "torch",
    "plainsight.cli.lab": "torch",
    "plainsight.interop.presidio": "presidio_analyzer",
    "plainsight.interop.spacy_docs": "spacy",
    "plainsight.serve": "fastapi",
}
MODULES = [
    module.name
    for module in walk_packages([str(PACKAGE)], "plainsight.", onerror=lambda name: None)
    if not module.name.endswith("__main__")
    and all(find_spec(need) for start, need in NEEDS.items() if module.name.startswith(start))
]
MOST_NOT_RUN = 0.4


def source(name):
    path = PACKAGE.joinpath(*name.split(".")[1:])
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")


# --- links ------------------------------------------------------------------------------------------------


def name_of(page):
    return str(page.relative_to(ROOT))


def anchors(page):
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text(encoding="utf-8")):
        for prefix in (REPOSITORY, RAW):
            if target.startswith(prefix):
                path = ROOT / target.removeprefix(prefix)
                break
        else:
            if re.match(r"\w+:", target):
                continue
            path = page.parent / target if target else page
        assert path.exists(), target
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{target}#{anchor}"


# --- examples ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    not_run: str


def blocks(page):
    text = page.read_text(encoding="utf-8")
    fence = re.compile(
        r"(?:<!-- not run: (?P<why>.+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S
    )
    for match in fence.finditer(text):
        line = text.count("\n", 0, match.start("text")) + 1
        yield Block(page, line, match["language"], match["text"], match["why"] or "")


BLOCKS = {
    page: [block for block in blocks(page) if block.language in ("sh", "python", "toml")]
    for page in PAGES
    if "lab-notes" not in page.parts
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the examples speak of, and the way to run commands in it."""
    notes = [
        {
            "id": "1",
            "patient_id": "p1",
            "text": "Mr. John Smith, MRN 4471-882, seen by Dr. Okafor on 3/4/2019.",
        },
        {"id": "2", "patient_id": "p1", "text": "J. Smith called from 617-555-0123. BP 120/80, no tremor."},
        {
            "id": "3",
            "patient_id": "p2",
            "text": "Ms. Rosa Delgado, 54, lives in Boston, MA 02118. Dr. Okafor agrees.",
        },
    ]
    lines = [json.dumps(note) for note in notes]
    for name in ("notes.jsonl", "part-1.jsonl", "part-2.jsonl"):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "notes").mkdir()
    for note in notes:
        (tmp_path / "notes" / f"{note['id']}.txt").write_text(note["text"], encoding="utf-8")
    table = ["NOTE_ID,PAT_ID,NOTE_TEXT", *(f'{n["id"]},{n["patient_id"]},"{n["text"]}"' for n in notes)]
    (tmp_path / "notes.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
    (tmp_path / "records.jsonl").write_text(
        '{"patient_id": "p1", "names": ["John Smith"]}\n', encoding="utf-8"
    )
    (tmp_path / "our-policy.toml").write_text(
        'extends = "balanced"\n[replace]\nSTATE = "keep"\n', encoding="utf-8"
    )
    (tmp_path / "gold").mkdir()
    marked = "Mr. {{PATIENT|John Smith}} saw Dr. {{DOCTOR|Okafor}} on {{DATE|3/4/2019}}. BP 120/80.\n"
    (tmp_path / "gold" / "a.txt").write_text(marked, encoding="utf-8")
    text, spans = parse(marked)
    found = {"id": "a", "text": text, "spans": [span.to_json() for span in spans][:2]}
    for name in ("found.jsonl", "other.jsonl"):
        (tmp_path / name).write_text(json.dumps(found) + "\n", encoding="utf-8")
    for name in ("benchmarks", "corpus", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PLAINSIGHT_KEY", raising=False)
    rows = "--text-column NOTE_TEXT --id-column NOTE_ID --patient-column PAT_ID --policy examples/keep.toml"
    (tmp_path / "keep.toml").write_text(
        'labels = "all"\ndetectors = ["patterns"]\n[replace]\ndefault = "keep"\n', encoding="utf-8"
    )
    plainsight_command(f"deidentify notes.csv -o notes.parquet {rows.replace('examples/', '')}")
    return tmp_path


def plainsight_command(arguments):
    result = CliRunner().invoke(app, shlex.split(arguments, comments=True))
    assert result.exit_code == 0, f"plainsight {arguments}\n{result.output}\n{result.exception!r}"


def run_shell(text):
    """Run a block of commands: plainsight in this process, others by the shell."""
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["plainsight"] or ">" in words:
            subprocess.run(["bash", "-euc", line], check=True)
            continue
        if "-o" in words:
            output = Path(words[words.index("-o") + 1])
            if output.is_dir():
                shutil.rmtree(output)
            for ending in ("", ".manifest.json", ".quarantine.jsonl"):
                output.with_name(output.name + ending).unlink(missing_ok=True)
        plainsight_command(line.removeprefix("plainsight "))


def run_python(text, names):
    """Run a block of Python; where a comment under a call says what it returns, hold it to that."""
    exec(text, names)  # the docs are ours
    for call, result in re.findall(r"^(\S.+)\n# ([\"'].+)$", text, re.MULTILINE):
        assert eval(call, names) == literal_eval(result)


RUN = [page for page in BLOCKS if BLOCKS[page]]
LONG = {"docs/evaluation.md", "docs/how-to/cluster.md", "docs/how-to/data-engineer.md", "docs/surrogates.md"}
WEIGHED = [pytest.param(page, marks=[pytest.mark.server] * (name_of(page) in LONG)) for page in RUN]


@pytest.mark.parametrize("page", WEIGHED, ids=map(name_of, RUN))
def test_examples_run(page, folder):
    text = page.read_text(encoding="utf-8")
    if "key new project.key" not in text:
        plainsight_command("key new project.key")
    names: dict[str, object] = {}
    for block in BLOCKS[page]:
        if block.not_run or "<!-- test command -->" in text.partition(block.text)[0][-40:]:
            continue
        try:
            if block.language == "sh":
                run_shell(block.text)
            elif block.language == "python":
                run_python(block.text, names)
            else:
                (folder / "example.toml").write_text(block.text, encoding="utf-8")
                load_policy(folder / "example.toml")
        except (AssertionError, Exception) as error:
            raise AssertionError(f"{name_of(page)}:{block.line}: {error}") from error


def test_few_examples_are_not_run():
    blocks = [block for page in BLOCKS.values() for block in page]
    marked = [block for block in blocks if block.not_run]
    assert len(marked) <= MOST_NOT_RUN * len(blocks), [
        f"{name_of(block.page)}:{block.line}" for block in marked
    ]


# --- docstrings and data ----------------------------------------------------------------------------------


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
