r"""Train the four published systems of ``examples/`` by the commands in their heads, and measure them.

    python benchmarks/published_systems.py --train notes/train --test notes/held-out --out systems \
        --encoders cased=bert-base-cased uncased=bert-base-uncased --beside fast balanced best

Copies each policy into ``--out`` and runs its ``plainsight train`` commands there, on the ``--train`` notes.
Then all systems, and the policies ``--beside`` them, read the ``--test`` notes. Models and findings that are
there already are kept. The table gives figures, training time, notes per second of processor time and,
against the first policy beside them, p by approximate randomisation. Notes have inline marks. ``--options``
adds options to the commands of one detector, to try it at small size: ``--options crf='--iterations 5'``.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import plainsight
from plainsight.cli import app
from plainsight.document import Document
from plainsight.evaluate.read_notes import read_notes

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SYSTEMS = ("carafe-2007", "dernoncourt-2016", "nference-2021", "mask-2020")
SECONDS = "training-seconds.json"
_COMMAND = re.compile(r"^#   plainsight (train .+)$", re.MULTILINE)


def commands(policy: str) -> list[list[str]]:
    """Return the training commands in the head of a policy whose models, or vectors for them, it uses."""
    every = [shlex.split(command) for command in _COMMAND.findall(policy)]
    settings = policy[policy.index("\nname = ") :]
    models = [command for command in every if f'"models/{Path(value(command, "--out")).name}"' in settings]
    vectors = {value(command, "--vectors") for command in models if "--vectors" in command}
    return [command for command in every if command in models or value(command, "--out") in vectors]


def value(command: Sequence[str], option: str) -> str:
    """Return what a command gives to an option."""
    return command[command.index(option) + 1]


def put(command: list[str], option: str, new: str) -> None:
    """Give another value to each use of an option."""
    for place, word in enumerate(command[:-1]):
        if word == option:
            command[place + 1] = new


def train(
    name: str,
    *,
    notes: Path,
    out: Path,
    encoders: Mapping[str, str],
    options: Mapping[str, Sequence[str]],
) -> float:
    """Train the parts of a system that are not there yet; return the seconds that all of them took."""
    policy = (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")
    (out / "models").mkdir(parents=True, exist_ok=True)
    (out / f"{name}.toml").write_text(policy, encoding="utf-8")
    log = out / SECONDS
    seconds: dict[str, float] = json.loads(log.read_text(encoding="utf-8")) if log.exists() else {}
    made = []
    for command in commands(policy):
        made.append(model := Path(value(command, "--out")).name)
        if (out / "models" / model).exists():
            continue
        put(command, "--train", str(notes))
        for option in ("--out", "--vectors"):
            if option in command:
                put(command, option, str(out / "models" / Path(value(command, option)).name))
        if "--encoder" in command:
            put(command, "--encoder", encoders[value(command, "--encoder")])
        command += options.get(command[1], ())
        print("+ plainsight", shlex.join(command), flush=True)
        began = time.monotonic()
        run([*command, "--quiet"])
        seconds[model] = time.monotonic() - began
        log.write_text(json.dumps(seconds, indent=1), encoding="utf-8")
    return sum(seconds.get(model, float("nan")) for model in made)


def measure(policies: Sequence[str], test: Path, out: Path) -> tuple[dict[str, Any], dict[str, float]]:
    """Return the comparison of policies with the first one, and the notes per second of each."""
    documents = read_notes(test, format="inline")
    found, speeds = [], {}
    for policy in policies:
        path, speeds[policy] = detect(policy, documents, out)
        found.append(str(path))
    printed = io.StringIO()
    with redirect_stdout(printed):
        run(["compare", str(test), *found, "--names", ",".join(policies), "--format", "inline", "--json"])
    return json.loads(printed.getvalue()), speeds


def detect(policy: str, documents: Sequence[Document], out: Path) -> tuple[Path, float]:
    """Write what a policy finds, unless that is there already; return the file, and the notes per second."""
    path = out / "found" / f"{Path(policy).stem}.jsonl"
    seconds = path.with_suffix(".seconds")
    if not seconds.exists():
        path.parent.mkdir(exist_ok=True)
        pipeline = plainsight.load(policy, key=bytes(32))
        list(pipeline.detect(documents[:1]))  # load the models
        began = time.process_time()
        marked = list(pipeline.detect(documents))
        took = time.process_time() - began
        with path.open("w", encoding="utf-8") as lines:
            for note in marked:
                spans = [{"start": span.start, "end": span.end, "label": span.label} for span in note.spans]
                print(json.dumps({"id": note.id, "text": note.text, "spans": spans}), file=lines)
        seconds.write_text(str(took), encoding="utf-8")
    return path, len(documents) / float(seconds.read_text(encoding="utf-8"))


def run(command: Sequence[str]) -> None:
    """Run a command of plainsight in this process."""
    app(list(command), standalone_mode=False)


def table(compared: Mapping[str, Any], speeds: Mapping[str, float], training: Mapping[str, float]) -> str:
    """Return a table with a line for each system."""
    lines = [
        "| system | token recall | precision | F | p of recall | clean notes | training, s | notes/s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, figures in compared["systems"].items():
        shares = (figures["micro"][which] for which in ("recall", "precision", "f"))
        chance = figures.get("against_first", {}).get("p_recall")
        cells = [
            Path(name).stem,
            *("n/a" if share is None else f"{share:.3f}" for share in shares),
            "" if chance is None else f"{chance:.4f}",
            f"{figures['leaks']['clean_share']:.0%}",
            f"{training[name]:.0f}" if name in training else "",
            f"{speeds[name]:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--train", type=Path, required=True, help="notes to learn from")
    parser.add_argument("--test", type=Path, required=True, help="notes to measure on")
    parser.add_argument("--out", type=Path, required=True, help="folder for policies and models")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=SYSTEMS)
    parser.add_argument("--encoders", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--options", nargs="*", default=[], metavar="DETECTOR='OPTIONS'")
    parser.add_argument(
        "--beside", nargs="*", default=["fast"], metavar="POLICY", help="the first is the baseline"
    )
    asked = parser.parse_args(arguments)
    encoders = dict(pair.split("=", 1) for pair in asked.encoders)
    options = {name: shlex.split(rest) for name, rest in (pair.split("=", 1) for pair in asked.options)}
    training = {
        str(asked.out / f"{name}.toml"): train(
            name, notes=asked.train, out=asked.out, encoders=encoders, options=options
        )
        for name in asked.systems
    }
    compared, speeds = measure([*asked.beside, *training], asked.test, asked.out)
    print(table(compared, speeds, training))


if __name__ == "__main__":
    main()
