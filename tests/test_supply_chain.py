"""What ships is named: dependencies with ranges, lists and weights with origin, licence and checksum."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from plainsight.model import bundled_models
from plainsight.shipped import PACKAGE, folder_checksums

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, folder], cwd=ROOT, check=True, capture_output=True)
    [path] = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_has_a_bill_of_materials(wheel):
    [name] = [name for name in wheel.namelist() if ".dist-info/sboms/" in name]
    bill = json.loads(wheel.read(name))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert {f"pypi:{requirement}" for requirement in PROJECT["dependencies"]} <= set(parts)
    assert {f"model:{model}" for model in bundled_models()} <= set(parts)
    data = {ref.removeprefix("data:"): part for ref, part in parts.items() if part["type"] == "data"}
    own = {
        folder: digest for folder, digest in folder_checksums().items() if not folder.startswith("models/")
    }
    assert {folder: part["hashes"][0]["content"] for folder, part in data.items()} == own
    assert all(part["licenses"] for ref, part in parts.items() if not ref.startswith("pypi:"))


def test_the_wheel_has_every_licence_file(wheel):
    licences = {name.partition("/licenses/")[2] for name in wheel.namelist() if "/licenses/" in name}
    sources = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "src" / "plainsight").rglob("source.toml")
    }
    assert licences == {"LICENSE", "NOTICE", *sources}


def test_every_dependency_has_a_range():
    for requirement in PROJECT["dependencies"]:
        assert ">=" in requirement
        assert "<" in requirement.partition(">=")[2] or requirement.startswith("cryptography"), requirement


def test_the_licence_expression_and_the_notice_cover_what_ships():
    written = " ".join(
        [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("source.toml")]
        + [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("models/*/manifest.json")]
    )
    spdx = {"CC BY-SA 4.0": "CC-BY-SA-4.0", "CC BY 4.0": "CC-BY-4.0", "CC0": "CC0-1.0", "MIT": "MIT"}
    for name, identifier in spdx.items():
        assert name in written
        assert identifier in PROJECT["license"].split(" AND ")
        assert name in NOTICE
    for path in sorted((PACKAGE / "data").rglob("source.toml")):
        for entry in re.findall(r'^\["?([\w.]+)"?\]\n(?:.+\n)*?licence = ".*CC BY', path.read_text(), re.M):
            assert entry.partition(".")[0] in NOTICE, f"{path}: {entry}"
    for source in ("ACI-BENCH", "MTS-Dialog", "MTSamples", "gte-small"):
        assert source in written
        assert source in NOTICE


def test_ci_installs_pinned_versions():
    path = ROOT / ".ci" / "constraints.txt"
    if not path.exists():
        pytest.skip("a source distribution has no .ci")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.+!]+", line) for line in lines)  # no addresses, no options
    pinned = dict(line.split("==") for line in lines)
    for text in PROJECT["dependencies"]:
        wanted = Requirement(text)
        version = pinned.get(canonicalize_name(wanted.name))
        assert version in wanted.specifier if version else False, f"{text}: run scripts/build_constraints.py"
    assert "PIP_CONSTRAINT" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
