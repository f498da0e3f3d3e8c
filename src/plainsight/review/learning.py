"""Retrain on a project's corrections: in the background, judged on notes held back, used when accepted.

The finished notes become one round of the site loop (`plainsight.site`), in a site of its own inside the
project's folder, and ``plainsight site learn`` learns from them in a process of its own. Notes of the audit
sample are held back; where fewer than `LEAST_HELD` of them are finished, other notes are held back instead.
The project's policy changes only when a person accepts the new model. Then all notes are read again with it
(`plainsight.review.rereading`), in the background; nothing is released before that has ended.
"""

from __future__ import annotations

import atexit
import base64
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.config import load_policy
from plainsight.document import Span
from plainsight.errors import PlainsightError, UsageError
from plainsight.review import rereading
from plainsight.review.notes import DONE, Note
from plainsight.review.project import Project
from plainsight.run.keys import VARIABLE
from plainsight.run.processes import LIMITS, Limits
from plainsight.site.choose import AUDIT, Candidate
from plainsight.site.corrections import begin_round, correct
from plainsight.site.folder import Site, new_site, write_private
from plainsight.site.learned import use_model, with_corrections

NONE, RUNNING, READY, FAILED = "none", "running", "ready", "failed"
"""The first states: nothing learned, learning, a better model waits, it stopped or is no better."""

REREADING, ACCEPTED = "rereading", "accepted"
"""The states after accepting: the notes are read again with the new model, and all is done."""

LEAST_HELD = 10
"""Notes that judge a model at least, as for a site."""

LEAST_LESSONS = 10
"""Notes to learn from at least."""

_HELD_BACK = 5  # every fifth note is held back where the audit sample is too small
_STAGES: Mapping[str, float] = {
    "reading the corrected notes": 0.05,
    "reading notes of our corpus": 0.15,
    "learning": 0.4,
    "judging": 0.7,
}
"""What the command says on its way, and how far it is then."""

_FIGURES = ("recall", "precision", "f1", "leaks")


def _command(site: Path) -> list[str]:
    return [sys.executable, "-m", "plainsight", "site", "learn", str(site), "--json"]


class Learner:
    """What learns in the background for a project. One process at a time; `close` ends it."""

    def __init__(
        self,
        project: Project,
        *,
        command: Callable[[Path], Sequence[str]] = _command,
        limits: Limits | None = LIMITS,
    ) -> None:
        self.project = project
        self._command = command
        self._limits = limits
        self._folder = project.folder.path / "learning"
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._reading: threading.Thread | None = None
        self._cancelled = False

    def status(self) -> dict[str, Any]:
        """Return the state, how far it is, and the figures before and after."""
        file, reading = self._folder / "state.json", self._is_reading()
        if not file.is_file():
            return {"state": NONE, "progress": 0.0}
        state: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if state["state"] == RUNNING and self._process is None:
            return {**state, "state": FAILED, "message": "it was interrupted: start it again"}
        if state["state"] == REREADING and not reading:
            return {"message": "it was interrupted: go on", **state}
        return state

    def _is_reading(self) -> bool:
        return self._reading is not None and self._reading.is_alive()

    def start(self, *, by: str) -> dict[str, Any]:
        """Begin to learn from all notes that are finished; refuse if there are too few, or if it runs."""
        with self._lock:
            if self._process is not None:
                raise UsageError("it learns already")
            if rereading.is_unfinished(self.project):
                raise UsageError("the notes are still to be read with the model that was accepted")
            lessons, held = self._parts()
            site = self._site(lessons, held)
            self._cancelled = False
            environment = os.environ | {VARIABLE: base64.b64encode(self.project.secret).decode()}
            self._process = subprocess.Popen(
                self._command(site.folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
            )
            about = {"notes": len(lessons), "held_back": len(held)}
            self._write(RUNNING, progress=0.0, step="starting", **about)
            self._thread = threading.Thread(target=self._follow, args=(about,), daemon=True)
            self._thread.start()
            atexit.register(self.close)
        self.project.log(by, f"learn from {len(lessons)} notes")
        return self.status()

    def wait(self, seconds: float | None = None) -> dict[str, Any]:
        """Wait until the learning, or the reading with the new model, has ended; return the status then."""
        for thread in (self._thread, self._reading):
            if thread is not None:
                thread.join(seconds)
        return self.status()

    def cancel(self, *, by: str) -> dict[str, Any]:
        """Stop the learning that runs; nothing changes."""
        with self._lock:
            process = self._process
            if process is None:
                raise UsageError("nothing is learning")
            self._cancelled = True
            process.terminate()
        self.project.log(by, "stop learning")
        return self.wait(30)

    def close(self) -> None:
        """Stop what runs, as when the program ends."""
        self._cancelled = True
        process = self._process
        if process is not None:
            process.terminate()
        self.wait(30)

    def accept(self, *, by: str) -> dict[str, Any]:
        """Use the new model from now on, and begin to read all notes again; or go on where that stopped."""
        with self._lock:
            state = self.status()
            if state["state"] not in (READY, REREADING) or self._is_reading():
                raise UsageError("there is no new model to accept")
            if state["state"] == READY:
                self._use(state, by)
                state |= {"state": REREADING, "progress": 0.0}
            state.pop("message", None)
            self._write(**state)
            self._cancelled = False
            self._reading = threading.Thread(target=self._read_again, args=(state,), daemon=True)
            self._reading.start()
            atexit.register(self.close)
        return self.status()

    # --- the parts --------------------------------------------------------------------------------------

    def _use(self, state: dict[str, Any], by: str) -> None:
        """Give the project the model that it learned; from now on its notes wait to be read again."""
        models = self.project.folder.path / "models"
        models.mkdir(mode=0o700, exist_ok=True)
        number = 1 + max((int(path.name) for path in models.iterdir() if path.name.isdigit()), default=0)
        folder = models / f"{number:03}"
        shutil.copytree(self._folder / "site" / "models" / state["model"], folder)
        base = load_policy(self._base())
        rereading.begin(self.project)
        self.project.use_policy(with_corrections(base, folder.absolute()), by=by)
        write_private(models / "current", f"{folder.name}\n".encode())
        self.project.log(by, f"accept model {folder.name}")

    def _read_again(self, state: dict[str, Any]) -> None:
        """Read the notes again, and write down how far it is."""
        try:
            with closing(rereading.read_again(self.project, limits=self._limits)) as steps:
                for done, notes in steps:
                    self._write(**state | {"progress": round(done / notes, 3)})
                    if self._cancelled:
                        return
            self._write(**state | {"state": ACCEPTED, "progress": 1.0})
        except PlainsightError as error:
            self._write(**state | {"message": str(error)})

    def _parts(self) -> tuple[list[Note], list[Note]]:
        """Return the notes to learn from, and those held back to judge by."""
        done = list(self.project.notes(state=DONE))
        held = [note for note in done if note.is_audit]
        if len(held) < LEAST_HELD:
            order = sorted(done, key=lambda note: self.project.folder.digest("held back", note.title))
            held = order[: max(LEAST_HELD, len(order) // _HELD_BACK)]
        kept = {note.id for note in held}
        lessons = [note for note in done if note.id not in kept and not note.is_audit]
        if len(lessons) < LEAST_LESSONS:
            needed = LEAST_LESSONS + LEAST_HELD
            raise UsageError(
                f"{len(done)} notes are finished, and {len(lessons)} of them could be learned from: "
                f"finish at least {needed}, without the audit sample"
            )
        return lessons, held

    def _site(self, lessons: Sequence[Note], held: Sequence[Note]) -> Site:
        """Make a site anew whose one round are the corrections, with the model that is used now."""
        folder = self._folder / "site"
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if folder.exists():
            shutil.rmtree(folder)
        site = new_site(folder, policy=self._base(), secret=self.project.secret)
        models = self.project.folder.path / "models"
        if (models / "current").is_file():
            name = (models / "current").read_text(encoding="utf-8").strip()
            shutil.copytree(models / Path(name).name, site.models / "000")
            use_model(site, "000")
        chosen, right = [], []
        for note, why in [*((note, "finished") for note in lessons), *((note, AUDIT) for note in held)]:
            document, spans = self.project.document(note.id), self.project.final_spans(note.id)
            if spans is None:
                continue  # reopened since
            chosen.append((Candidate(document, ()), why))
            right.append(replace(document, spans=_plain(spans)))
        begin_round(site, chosen, strategy="review", notes=len(chosen))
        correct(site, right)
        return site

    def _base(self) -> str:
        """Return the policy that the project had before it learned anything."""
        base = self._folder / "base.toml"
        if not base.is_file():
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_private(base, self.project.policy.to_toml().encode())
        return str(base)

    def _follow(self, about: Mapping[str, Any]) -> None:
        """Read what the command says until it ends, and write down what came of it."""
        process = self._process
        assert process is not None
        assert process.stderr is not None
        assert process.stdout is not None
        last = ""
        for line in process.stderr:
            last = line.strip() or last
            step = last.removesuffix(" ...")
            if step in _STAGES:
                self._write(RUNNING, progress=_STAGES[step], step=step, **about)
        said = process.stdout.read()
        code = process.wait()
        try:
            if self._cancelled:
                self._write(NONE, message="it was stopped; nothing has changed", **about)
            elif code:
                self._write(FAILED, message=last.removeprefix("plainsight: "), **about)
            else:
                self._judge(json.loads(said), about)
        except (ValueError, KeyError):
            self._write(FAILED, message="it ended without a result", **about)
        finally:
            self._process = None

    def _judge(self, learned: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        figures = {"before": _shown(learned["before"]), "after": _shown(learned["after"])}
        if learned["kept"]:
            model = f"{learned['round']:03}"
            self._write(READY, progress=1.0, step="", model=model, **figures, **about)
        else:
            message = f"the new model is not better and cannot be used: {learned['reason']}"
            self._write(FAILED, message=message, **figures, **about)

    def _write(self, state: str, **values: Any) -> None:
        data = json.dumps({"state": state, "progress": 0.0, **values}).encode()
        write_private(self._folder / "state.json", data)


def _shown(audit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of exact spans, and the identifying words that leak."""
    strict, token = audit["strict"], audit["token"]
    values = (strict["recall"], strict["precision"], strict["f"], token["missed"])
    return dict(zip(_FIGURES, values, strict=True)) | {"notes": audit["notes"]}


def _plain(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(Span(span.start, span.end, span.label) for span in spans)
