r"""Race other systems against our policies: the same notes, one core each, one after the other.

    python benchmarks/peers/run.py --work /tmp/race [--hand-written FOLDER] [--queries FILE.jsonl] \
        [--docs docs/explanation/peers.md] [--systems fast balanced presidio] [--install-only] [--again]

Makes a virtual environment for each system in ``--work`` and installs the packages that its adapter
names (``adapters/``). Then each system reads:

- notes of about 500 words with gold spans, made with ``plainsight synth`` and a fixed seed. The first
  ``--scored`` come from ``benchmarks/unseen``, from which no network of ours has learned, and are scored.
  Further ones, from ``corpus``, are only timed: as many as a system reads in ``--seconds``;
- ``--hand-written``: a folder of notes in inline markup, by default `benchmarks/blind`;
- ``--queries``: short texts as JSON lines with spans, in the form of ASQ-PHI.

A system that cannot be installed or run is reported with the reason, and the others go on. Results
are kept in ``--work`` as JSON, one file a system: a second call with the same settings measures what is
missing, and ``--again`` measures anew.
``--docs`` writes tables and chart into a page, between its markers.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import figures
from notes import of_one_length, synthesised, write_texts

from plainsight.document import Document
from plainsight.evaluate.read_notes import read_notes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BLIND = ROOT / "benchmarks" / "blind" / "notes"

SYSTEMS = {
    "fast": ("plainsight_policy", "fast"),
    "balanced": ("plainsight_policy", "balanced"),
    "best": ("plainsight_policy", "best"),
    "presidio": ("presidio", "small"),
    "presidio-patterns": ("presidio", "blank"),
    "philter-lite": ("philter_lite", ""),
    "philter": ("philter", ""),
    "scrubadub": ("scrubadub", ""),
    "openmed": ("openmed", ""),
    "datafog": ("datafog", ""),
}
"""Each system's adapter and variant."""

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)


def load_adapter(name: str) -> ModuleType:
    """Return an adapter, which imports its system only when loading it."""
    spec = importlib.util.spec_from_file_location(f"adapter_{name}", HERE / "adapters" / f"{name}.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"no adapter {name}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def environment(name: str, packages: Sequence[str] | None, work: Path) -> Path:
    """Return the Python of a system's environment, after making it and installing the packages that it lacks.

    A package may be followed by options of pip: ``philter-ucsf==1.0.3 --no-deps``.
    """
    if packages is None:
        return Path(sys.executable)
    folder = work / "environments" / name
    python, done = folder / "bin" / "python", folder / "installed.json"
    if done.exists() and json.loads(done.read_text(encoding="utf-8")) == list(packages):
        return python
    if not python.exists():
        venv.create(folder, with_pip=True)
    plain = [package for package in packages if " " not in package]
    for arguments in (*(package.split() for package in packages if " " in package), plain):
        if arguments:
            subprocess.run(
                [python, "-m", "pip", "install", "--quiet", *arguments],
                check=True,
                capture_output=True,
                text=True,
            )
    done.write_text(json.dumps(list(packages)), encoding="utf-8")
    return python


def measure(name: str, sets: Path, work: Path, *, seconds: float, limit: float) -> dict[str, Any]:
    """Run a system in a process of its own; return its figures and marks, or why there are none."""
    adapter, variant = SYSTEMS[name]
    module = load_adapter(adapter)
    result: dict[str, Any] = {
        "title": module.TITLES[variant],
        "leaves": module.LEAVES,
        "ours": module.PACKAGES is None,
    }
    out = work / "results" / f"{name}.marks.json"
    out.unlink(missing_ok=True)
    try:
        python = environment(adapter, module.PACKAGES, work)
        subprocess.run(
            [python, HERE / "child.py", module.__file__, variant, sets, out, str(seconds)],
            check=True, capture_output=True, text=True, timeout=limit,
            env={**os.environ, **ONE_THREAD, **({} if result["ours"] else {"PYTHONPATH": ""})},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        result["failure"] = f"not done after {limit:.0f} s"
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:] or [f"exit code {error.returncode}"]
        step = "cannot be installed" if "pip" in map(str, error.cmd) else "fails"
        result["failure"] = f"{step}: {last[0][:200]}"
    if out.exists():
        result |= json.loads(out.read_text(encoding="utf-8"))
    return result


def prepare(asked: argparse.Namespace) -> tuple[Path, dict[str, list[Document]]]:
    """Make and read the notes; return the file that names them for `child.py`, and the gold notes."""
    work: Path = asked.work
    key = f"{asked.scored}-{asked.timed}-{asked.seed}"
    timed = work / f"timed-{key}.jsonl"
    sources = synthesised(
        ROOT / "benchmarks" / "unseen", work, sources=max(48, asked.scored), seed=asked.seed
    )
    gold = {"notes": of_one_length(sources, asked.scored)}
    if not timed.exists():
        more = synthesised(ROOT / "corpus", work, sources=max(50, asked.timed // 3), seed=asked.seed)
        write_texts(timed, [*gold["notes"], *of_one_length(more, asked.timed)])
    others = {}
    for name, path, format in (("hand", asked.hand_written, "inline"), ("queries", asked.queries, "jsonl")):  # noqa: A001
        if path is not None:
            every = read_notes(path, format=format)
            gold[name] = every[:: -(-len(every) // asked.most) if asked.most else 1]
            others[name] = str(work / f"{name}.jsonl")
            write_texts(Path(others[name]), gold[name])
    sets = work / "sets.json"
    sets.write_text(
        json.dumps({"timed": str(timed), "scored": asked.scored, "others": others}), encoding="utf-8"
    )
    return sets, gold


def with_figures(result: dict[str, Any], gold: dict[str, list[Document]]) -> dict[str, Any]:
    """Return a result with its scores, without its marks."""
    found = {
        name: (figures.query_figures if name == "queries" else figures.accuracy)(
            figures.pairs(gold[name], marks)
        )
        for name, marks in result.get("marks", {}).items()
        if name in gold
    }
    return {key: value for key, value in result.items() if key != "marks"} | {"figures": found}


def report(results: dict[str, dict[str, Any]], gold: dict[str, list[Document]], machine: str) -> str:
    """Return the tables as Markdown."""
    texts = [figures.verdict(results), machine, figures.main_table(results)]
    if "hand" in gold:
        texts += [f"{len(gold['hand'])} hand-written notes of about 235 words, from `benchmarks/blind`:",
                  figures.accuracy_table(results, "hand")]  # fmt: skip
    if "queries" in gold:
        texts += [f"{len(gold['queries'])} short queries of ASQ-PHI; ages, years and jobs count for nobody:",
                  figures.accuracy_table(results, "queries")]  # fmt: skip
    if failed := figures.failures(results):
        texts += ["Not measured, or not on every set:", failed]
    return "\n\n".join([*texts, figures.leaves_table(results)])


def machine(asked: argparse.Namespace) -> str:
    """Say where and on what the race was run."""
    names = Path("/proc/cpuinfo")
    lines = names.read_text(encoding="utf-8").splitlines() if names.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return (
        f"Run on {time.strftime('%Y-%m-%d')}, one core of {model or platform.machine()}, Python "
        f"{platform.python_version()}. Scored: {asked.scored} made notes. Timed: up to {asked.timed} "
        f"more, as far as {asked.seconds:g} s of processor time reach."
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for environments, notes and results")
    parser.add_argument("--hand-written", type=Path, metavar="FOLDER", default=BLIND)
    parser.add_argument("--queries", type=Path, metavar="FILE")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--scored", type=int, default=60, help="made notes that every system reads")
    parser.add_argument("--timed", type=int, default=2500, help="further made notes for fast systems")
    parser.add_argument("--most", type=int, help="read about so many of each other set, evenly spread")
    parser.add_argument(
        "--seconds", type=float, default=12.0, help="time on made notes, if --scored take less"
    )
    parser.add_argument("--limit", type=float, default=150.0, help="wall-clock seconds for one system")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--docs", type=Path, help="page to write the tables and the chart into")
    parser.add_argument("--install-only", action="store_true")
    parser.add_argument("--again", action="store_true", help="measure again what is measured already")
    asked = parser.parse_args(arguments)
    (asked.work / "results").mkdir(parents=True, exist_ok=True)
    asked.work = asked.work.resolve()

    sets, gold = prepare(asked)
    results = {}
    for name in asked.systems:
        began = time.monotonic()
        if asked.install_only:
            try:
                module = load_adapter(SYSTEMS[name][0])
                environment(SYSTEMS[name][0], module.PACKAGES, asked.work)
                state = "installed"
            except subprocess.CalledProcessError as error:
                state = f"cannot be installed: {(error.stderr or '').strip()[-200:]}"
        else:
            cache = asked.work / "results" / f"{name}.json"
            settings = [asked.scored, asked.timed, asked.seconds, asked.seed, asked.most, *sorted(gold)]
            kept = json.loads(cache.read_text(encoding="utf-8")) if cache.exists() else {}
            if asked.again or kept.get("settings") != settings:
                measured = measure(name, sets, asked.work, seconds=asked.seconds, limit=asked.limit)
                cache.write_text(
                    json.dumps(with_figures(measured, gold) | {"settings": settings}, indent=1),
                    encoding="utf-8",
                )
            results[name] = json.loads(cache.read_text(encoding="utf-8"))
            state = results[name].get("failure", "done")
        print(f"{name}: {state}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    if asked.install_only:
        return
    written = report(results, gold, machine(asked))
    print(written)
    if asked.docs is not None:
        figures.put_between(asked.docs, "race", written)
        picture = asked.docs.parents[1] / "figures" / "peers.svg"
        picture.write_text(figures.chart(results), encoding="utf-8")


if __name__ == "__main__":
    main()
