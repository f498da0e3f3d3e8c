#!/usr/bin/env python3
"""Run the command line over thousands of odd and damaged inputs, and check what it leaves behind.

    python benchmarks/fuzz.py                       # 10,000 cases in two processes
    python benchmarks/fuzz.py --cases 1000
    python benchmarks/fuzz.py --only 4711           # one case again, with what it prints

A case is a file or folder of any format, whole or damaged, and a command with any policy, key, model and
settings. Each case depends on the seed and its number alone. It fails when the command ends in a traceback or
an internal error, takes more than a minute of processor time, loses a note (one neither written nor set
aside), leaves half an output or a temporary file, or repeats the text of a note in a message or a manifest.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import itertools
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_inputs import CANARY, damaged, patient, value, write_input
from plainsight import cli, model, registry
from plainsight.document import Document, SetAside
from plainsight.errors import PlainsightError
from plainsight.formats.unique import unique

SECONDS = 60  # of processor time
BY_THE_CLOCK = 900  # for a case that waits for ever; a busy machine may take long to start processes
RULES = 'labels = "all"\ndetectors = ["patterns", "patient"]\n[replace]\ndefault = "surrogate"\n'
READ_ONLY = ("rtf", "pdf", "docx")
POLICIES = ("fast", "balanced", "best", "redact", "safe-harbor")
ENCODINGS = ("utf-8", "latin-1", "utf-16", "utf-7", "idna", "rot13", "cp1252", "no-such", "hz", "\0")


class Hang(BaseException):
    """A case took too long."""


@dataclass
class Case:
    """A command line, and what is known about it."""

    number: int
    folder: Path
    format: str
    source: Path
    arguments: list[str] = field(default_factory=list)
    output: Path | None = None
    stdin: bytes = b""
    reads_plainly: bool = True  # no option changes what the reader yields
    keeps_ids: bool = True


# --- cases -----------------------------------------------------------------------------------------------


def build(number: int, seed: int, folder: Path, formats: Sequence[str] = ()) -> Case | None:
    """Return a case; None when its format cannot be written by hand."""
    random = Random(f"{seed} {number}")
    name = random.choice(formats or _of_files())
    source = write_input(random, name, folder)
    if source is None:
        return None
    case = Case(number, folder, name, source)
    command = random.choices(("deidentify", "detect", "convert"), (8, 1, 1))[0]
    written = random.choice(_of_files()) if random.random() < 0.3 else name
    written = "text" if written in READ_ONLY else written
    suffixes = registry.resolve("formats", written).suffixes
    is_folder = source.is_dir() and random.random() < 0.9
    case.output = folder / ("out" if is_folder else f"out{random.choice(suffixes)}")
    if random.random() < 0.1:
        case.output.write_text("old")
    given = ["--format", name] if random.random() < 0.85 else []
    given += ["--force"] if random.random() < 0.9 else []
    if command == "convert":
        losses = ["--allow-loss", "all"] if random.random() < 0.8 else []
        case.arguments = [command, str(source), str(case.output), "--to-format", written, *losses, *given]
        return case
    given += ["--output-format", written] if random.random() < 0.9 else []
    given += _policy(random, folder) + _reading(random, case)
    given += (
        ["--note-seconds", "0", "--note-memory", "0"] if random.random() > 0.002 else ["--processes", "2"]
    )
    given += _replacing(random, case) if command == "deidentify" else []
    given += [option for option in ("--json", "--quiet") if random.random() < 0.05]
    if random.random() < 0.03:
        case.stdin = source.read_bytes() if source.is_file() else b""
        case.output, case.reads_plainly = None, False
        case.arguments = [command, "-", *given]
    else:
        case.arguments = [command, str(source), "-o", str(case.output), *given]
    return case


@cache
def _of_files() -> list[str]:
    """Return the formats of files; databases with a schema of their own have tests of their own."""
    return [name for name in registry.names("formats") if registry.resolve("formats", name).suffixes]


def _policy(random: Random, folder: Path) -> list[str]:
    chance = random.random()
    if chance < 0.25:
        return ["-p", random.choices(POLICIES, (20, 2, 1, 2, 2))[0]]
    table = RULES
    if chance > 0.6:
        operation = random.choice(registry.names("operations"))
        table = table.replace('"surrogate"', f'"{operation}"')
        table += f'[output]\nkeep_meta = ["{random.choice(("note_type", "m", "unit", "id"))}"]\n'
        table += random.choice(("", "[combine]\nvote = 2\n", "[combine]\npropagate = false\n"))
        table += random.choice(("x = 1\n", "[a")) if random.random() < 0.05 else ""
    data = damaged(random, table.encode()) if random.random() < 0.05 else table.encode()
    (folder / "policy.toml").write_bytes(data)
    given = ["-p", str(folder / "policy.toml")]
    if random.random() < 0.01:
        given += ["--model", str(_model(random, folder))]
    return given + (["--recall", random.choice(("balanced", "high", "max"))] if random.random() < 0.1 else [])


def _model(random: Random, folder: Path) -> Path:
    """Copy a model and damage one of its files."""
    copy = folder / "model"
    shutil.copytree(Path(model.__file__).parent / "data" / "models" / "conv-en", copy)
    file = copy / random.choice(("manifest.json", "arrays.npz", "network.onnx"))
    file.write_bytes(damaged(random, file.read_bytes()))
    return copy


def _reading(random: Random, case: Case) -> list[str]:
    given = []
    if random.random() < 0.1:
        records = folder_file(case.folder / "patients.json", json.dumps([patient(random), patient(random)]))
        given += ["--patients", str(records)]
    if random.random() < 0.05:
        case.reads_plainly = False
        given += ["--encoding", random.choice(ENCODINGS).replace("\0", "x")]
    if random.random() < 0.05 and case.format in ("csv", "tsv", "parquet"):
        case.reads_plainly = False
        given += [random.choice(("--text-column", "--id-column")), random.choice(("text", "note", "id", "x"))]
    return given + (["--patient-folders"] if random.random() < 0.05 else [])


def _replacing(random: Random, case: Case) -> list[str]:
    key = case.folder / "key"
    key.write_bytes(
        b"a secret of at least thirty-two bytes" if random.random() < 0.97 else damaged(random, b"short")
    )
    given = random.choices((["--key-file", str(key)], [], ["--forget-key"]), (6, 2, 1))[0]
    if random.random() < 0.15:
        case.keeps_ids = False
        given += ["--ids", random.choice(("keyed", "numbered"))]
    given += ["--with-spans"] if random.random() < 0.1 else []
    given += ["--mapping", str(case.folder / "mapping")] if random.random() < 0.05 else []
    if random.random() < 0.05:
        state = case.folder / "state"
        if random.random() < 0.3:
            state.write_text(json.dumps(value(random)))
        given += ["--state", str(state)]
    return given + (["--neutralise-formulas"] if random.random() < 0.05 else [])


def folder_file(path: Path, content: str) -> Path:
    """Write a text file and return its path."""
    path.write_text(content, encoding="utf-8", errors="surrogatepass")
    return path


# --- running and checking --------------------------------------------------------------------------------


def run(case: Case) -> tuple[int | None, str, str]:
    """Run the command in this process; return its exit code and what it printed, also below Python."""
    out, err = case.folder / "stdout", case.folder / "stderr"
    sys.argv = ["plainsight", *case.arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(case.stdin))
    code: int | None = None
    signal.signal(signal.SIGALRM, _hang)
    signal.signal(signal.SIGPROF, _hang)
    with _redirected(1, out), _redirected(2, err):
        signal.alarm(BY_THE_CLOCK)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            cli.main()
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else int(stopped.code is not None)
        except Hang:
            print("it took too long", file=sys.stderr)
        except BaseException as error:
            print(f"{type(error).__name__} left the command line", file=sys.stderr)
        finally:
            signal.alarm(0)
            signal.setitimer(signal.ITIMER_PROF, 0)
    return code, out.read_text(errors="replace"), err.read_text(errors="replace")


def _hang(*_: object) -> None:
    raise Hang


@contextmanager
def _redirected(number: int, path: Path) -> Iterator[None]:
    """Send one of the process's streams to a file."""
    streams = (sys.stdout, sys.stderr)
    for stream in streams:
        stream.flush()
    kept = os.dup(number)
    try:
        with path.open("wb") as file:
            os.dup2(file.fileno(), number)
        yield
        for stream in streams:
            stream.flush()
    finally:
        os.dup2(kept, number)
        os.close(kept)


def problems(case: Case, code: int | None, out: str, err: str) -> Iterator[str]:
    """Yield what is wrong with the end of a case."""
    broken_off = code == 3 and case.format == "sql" and "DatabaseError" in err  # damaged in the middle
    if code not in (0, 1, 2) and not broken_off:
        yield f"exit code {code}: {err.strip()[-300:]}"
    for sign in ("Traceback", "internal error", "panicked"):
        if sign in err:
            yield f"{sign} on the screen: {err.strip()[-300:]}"
    if CANARY in err or ("--json" in case.arguments and CANARY in out):
        yield "note text in a message"
    left = [path.name for path in case.folder.rglob(".plainsight-*")] + [
        p.name for p in case.folder.glob("*.ledger")
    ]
    if left:
        yield f"left behind: {left}"
    output = case.output
    if output is None:
        return
    if code in (2, 3) and output.exists() and (not output.is_file() or output.read_bytes() != b"old"):
        yield "an output though the run was refused"
    if code in (0, 1):
        yield from _written(case, output, code)


def _written(case: Case, output: Path, code: int) -> Iterator[str]:
    manifest = Path(f"{output}.manifest.json")
    if not manifest.exists():
        yield "no manifest"
        return
    about = manifest.read_text()
    record = json.loads(about)
    if not output.exists():  # a file for one note, when there is none
        if record["notes"]:
            yield "no output"
        return
    quarantine = Path(f"{output}.quarantine.jsonl")
    aside = [json.loads(line) for line in quarantine.read_text().splitlines()] if quarantine.exists() else []
    if CANARY in about or any(CANARY in item["reason"] for item in aside):
        yield "note text in the manifest or a reason"
    if len(aside) != record["set_aside"] or bool(aside) != bool(code):
        yield f"exit code {code}, {record['set_aside']} notes set aside, {len(aside)} listed"
    for item in aside:
        if "failed with" in item["reason"]:
            yield f"a stage failed: {item['reason']}"
    if record["output_sha256"] is None:
        yield "the manifest has no checksum of the output"
    if not case.reads_plainly:
        return
    read = _items(case.format, case.source)
    if len(read) != record["notes"] + record["set_aside"]:
        yield f"{len(read)} notes, {record['notes']} written and {record['set_aside']} set aside"
    yield from _read_back(case, output, record, [item.id for item in read], [item["id"] for item in aside])


def _read_back(
    case: Case, output: Path, record: dict[str, Any], read: list[str], aside: list[str]
) -> Iterator[str]:
    """Read the output again: what is written must be there, whole."""
    given = case.arguments
    flag = "--to-format" if case.arguments[0] == "convert" else "--output-format"
    if flag not in given or not record["notes"] or output.suffix == ".html":
        return
    name = given[given.index(flag) + 1]
    items = _items(name, output)
    if any(isinstance(item, SetAside) and _not_read_again(item.reason) for item in items):
        return
    back = [item for item in items if isinstance(item, Document)]
    if len(back) != record["notes"]:
        yield f"{record['notes']} notes written, {len(back)} read back"
    elif case.keeps_ids and output.is_dir():
        endings = registry.resolve("formats", name).suffixes  # the id a.txt is in a.txt, which is read as a
        before, after = (
            [_without(one, endings) for one in ids] for ids in (read, [d.id for d in back] + aside)
        )
        if Counter(before) != Counter(after):
            yield "the ids are not those of the input"


def _without(name: str, endings: Sequence[str]) -> str:
    ending = next((ending for ending in endings if name.endswith(ending)), "")
    return name.removesuffix(ending)


def _not_read_again(reason: str) -> bool:
    """Whether a whole output is refused by its own reader: base64 in a note, a table without an id."""
    return "not plain text" in reason or "to hold the id" in reason


def _items(name: str, path: Path) -> list[Document | SetAside]:
    try:
        return list(unique(registry.create("formats", name).read(path)))
    except PlainsightError as error:
        return [SetAside("", str(error))]


def one(number: int, seed: int, formats: Sequence[str] = ()) -> tuple[str, list[str], str]:
    """Run a case; return its command, its problems and what it printed."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        drawn = itertools.count()
        draw = os.urandom
        os.urandom = lambda size: hashlib.shake_256(f"{seed} {number} {next(drawn)}".encode()).digest(size)
        try:
            case = build(number, seed, Path(name), formats)
            if case is None:
                return "nothing to read", [], ""
            code, out, err = run(case)
        finally:
            os.urandom = draw
        found = list(problems(case, code, out, err))
        return f"{case.arguments[0]} {case.format} -> {code}", found, f"{case.arguments}\n{err}"


def read_once() -> None:
    """Read what does not change once for all cases: the bundled models, and which plugins there are."""
    registry.entry_points = cache(registry.entry_points)
    from plainsight.detect.convolution import network as convolutional
    from plainsight.detect.transformer import network as transforming

    bundled = Path(model.__file__).parent / "data" / "models"

    def once(function: Any) -> Any:
        made: dict[Any, Any] = {}

        def known(what: Any, how: Any) -> Any:
            folder = getattr(what, "folder", what)
            if bundled not in folder.parents:
                return function(what, how)
            return (
                made[folder, how]
                if (folder, how) in made
                else made.setdefault((folder, how), function(what, how))
            )

        return known

    model._load = once(model._load)
    for module in (convolutional, transforming):
        module.session_of = once(module.session_of)


def in_a_process(
    numbers: range, seed: int, formats: Sequence[str], folder: Path
) -> tuple[Counter[str], list[tuple[int, str]]]:
    """Run some cases in a process of their own, and in another one after a case that ends the process."""
    results = folder / f"{numbers.start}.jsonl"
    ends: Counter[str] = Counter()
    found: list[tuple[int, str]] = []
    while numbers:
        results.write_text("")
        process = get_context("spawn").Process(target=work, args=(numbers, seed, formats, results))
        process.start()
        try:
            process.join()
        finally:
            process.kill()
        lines = [json.loads(line) for line in results.read_text().splitlines()]
        for number, end, wrong in lines:
            ends[end] += 1
            found += [(number, problem) for problem in wrong]
        numbers = numbers[len(lines) :]
        if numbers:
            found.append((numbers[0], f"the process ended with {process.exitcode}"))
            numbers = numbers[1:]
    return ends, found


def work(numbers: range, seed: int, formats: Sequence[str], results: Path) -> None:
    """Run some cases; write how each ended and its problems."""
    read_once()
    with results.open("a") as file:
        for number in numbers:
            end, wrong, _ = one(number, seed, formats)
            file.write(json.dumps([number, end, wrong]) + "\n")
            file.flush()


def main() -> None:
    """Run the fuzzer; exit with 1 if a case failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", type=int, metavar="CASE")
    parser.add_argument("--formats", nargs="*", default=(), help="only inputs of these")
    given = parser.parse_args()
    began = time.perf_counter()
    if given.only is not None:
        end, wrong, printed = one(given.only, given.seed, given.formats)
        print(ascii(printed), end, *map(ascii, wrong), sep="\n")
        sys.exit(bool(wrong))
    parts = [range(first, given.cases, given.processes) for first in range(given.processes)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.processes) as pool:
        run_part = partial(in_a_process, seed=given.seed, formats=given.formats, folder=Path(folder))
        results = list(pool.map(run_part, parts))
    ends: Counter[str] = sum((ends for ends, _ in results), Counter())
    failures = sorted(failure for _, found in results for failure in found)
    for end, count in sorted(ends.items()):
        print(f"{count:6} {end}")
    for number, problem in failures:
        print(f"case {number}: {problem!a}")
    print(f"{given.cases} cases, {len(failures)} failures, {time.perf_counter() - began:.0f} s")
    sys.exit(bool(failures))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
