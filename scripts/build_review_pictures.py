"""Take the pictures of the review app for the docs: ``python scripts/build_review_pictures.py``.

Imports the bundled example patients into a project, lets two scripted readers read a part of the notes, and
takes a picture of each page, light and dark, with Chromium. The picture of a retraining is of the notes of an
invented hospital. Needs the extras `serve`, `dev` and `train`, and from Debian: chromium, fonts-inter,
fonts-noto-core (so that the pictures look the same everywhere).
"""

from __future__ import annotations

import argparse
import base64
import io
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import BrowserContext, Page, sync_playwright

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.review.learning import Learner
from plainsight.review.project import Project
from plainsight.run.keys import VARIABLE

ROOT = Path(__file__).parent.parent
NOTES = ROOT / "corpus" / "longitudinal"
TARGET = ROOT / "docs" / "figures" / "review"
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip
PASSWORD = "a password for pictures"
LARGEST = 150_000
READ = 22  # notes that both readers finish
SLIPS = 0.002  # how often a reader errs at a mark


def make_project(folder: Path, policy: str) -> None:
    """Make a project in which two people have read a part of the notes, as its gold marks say, or nearly."""
    gold = {path.stem: parse(path.read_text(encoding="utf-8")) for path in sorted(NOTES.glob("*.txt"))}
    chance = random.Random(7)
    now = [1_793_000_000.0]
    with Project.create(
        folder,
        policy=policy,
        key=bytes(range(32)),
        name="Cardiology, ward 4",
        readers=2,
        audit=0.7,
        clock=lambda: now[0],
    ) as project:
        project.import_notes(
            Document(name, text, patient_id=name.partition("-")[0]) for name, (text, _) in gold.items()
        )
        for name, role in (("ada", "admin"), ("edith", "reviewer"), ("grace", "reviewer")):
            project.users.add(name, role, PASSWORD, by="ada")
        _, items = project.queue.page("grace", limit=READ)
        for item in items:
            for reader in ("grace", "edith"):
                now[0] += chance.uniform(2000, 9000)
                read(project, item.id, reader, gold[item.title][1], chance)


def make_learned(folder: Path, policy: str) -> None:
    """Make a project whose notes are read, and which has learned from them; nobody has accepted the model."""
    notes = list(SimulatedSite(seed=5, patients=40, census=0).notes(200))
    with Project.create(
        folder, policy=policy, key=bytes(range(32)), name="An invented hospital", audit=50
    ) as project:
        project.import_notes(replace(note, spans=()) for note in notes)
        project.users.add("ada", "admin", PASSWORD, by="ada")
        gold = {note.id: note.spans for note in notes}
        for note in project.notes():
            read(project, note.id, "grace", gold[note.title], random.Random(note.id), slips=0)
        learner = Learner(project)
        learner.start(by="ada")
        learner.wait()


def read(
    project: Project, note: int, reader: str, gold: tuple, chance: random.Random, slips: float = SLIPS
) -> None:
    """Read one note: accept what the gold marks say, reject or add the rest; now and then overlook one."""
    reading = project.reading(note, reader)
    wanted = {(span.start, span.end): span.label for span in gold if span.label in project.labels}
    edits = []
    marks = reading.marks.marks
    for mark in marks:
        label = wanted.pop((mark.start, mark.end), None)
        if label is None or chance.random() < slips:
            edits.append({"do": "reject", "span": mark.id})
        else:
            change = {"do": "label", "label": label} if label != mark.label else {"do": "accept"}
            edits.append({**change, "span": mark.id})
    for (start, end), label in wanted.items():
        if chance.random() > slips:
            edits.append({"do": "add", "start": start, "end": end, "label": label})
    if edits:
        reading = project.edit(note, reader, edits, reading.revision)
    project.finish(note, reader, chance.uniform(35, 120), revision=reading.revision)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Yield the address of the project's server."""
    command = [sys.executable, "-m", "plainsight", "review", str(folder), "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        link = re.search(r"http://\S+?(?=/start)", process.stdout.readline())
        yield link.group()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def take_pictures(context: BrowserContext, scheme: str, names: Iterable[str]) -> None:
    """Take pictures in one colour scheme."""
    page = context.new_page()
    for name in names:
        path, prepare = PICTURES[name]
        page.goto(path)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_load_state("networkidle")
        if prepare:
            prepare(page)
        page.mouse.move(640, 790)
        page.wait_for_timeout(500)
        save(page.screenshot(), TARGET / f"{name}-{scheme}.png")


def save(png: bytes, path: Path) -> None:
    """Write a picture with as many colours as 150 kB allow."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in (256, 128, 96, 64, 48):
        small = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
        if path.stat().st_size < LARGEST:
            break
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {colours} colours")


def decide(page: Page) -> None:
    """Accept a mark and go on to others."""
    page.wait_for_selector("mark.span")
    for key in ("ArrowRight", "a", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        page.wait_for_timeout(200)


def beside(page: Page) -> None:
    """Show the surrogates beside the note."""
    page.wait_for_selector("mark.span")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("p")
    page.wait_for_selector(".beside mark")


def after(page: Page) -> None:
    """Hide the surrogates again, and show the keys."""
    page.wait_for_selector("mark.span")
    page.keyboard.press("p")
    page.keyboard.press("?")


def side(page: Page) -> None:
    """Decide one difference."""
    if page.locator(".difference").count():
        page.keyboard.press("1")


PICTURES = {
    "login": ("/login", None),
    "review": ("/", decide),
    "preview": ("/", beside),
    "keys": ("/", after),
    "claims": ("/claims", None),
    "adjudicate": ("/adjudicate", side),
    "search": ("/search?q=Maldonado&where=inputs", None),
    "dashboard": ("/dashboard", None),
    "learning": ("/learning", None),
    "releases": ("/releases", None),
    "users": ("/users", None),
}


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--only", help="take only pictures whose names hold this")
    options = parser.parse_args()
    TARGET.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        wanted = [name for name in PICTURES if not options.only or options.only in name]
        for make in (make_project, make_learned):
            names = [name for name in wanted if (name == "learning") == (make is make_learned)]
            if not names:
                continue
            project = Path(scratch, make.__name__)
            make(project, options.policy)
            os.environ[VARIABLE] = base64.b64encode(bytes(range(32))).decode()
            with served(project) as address:
                for scheme in ("light", "dark"):
                    context = browser.new_context(
                        base_url=address, color_scheme=scheme, viewport={"width": 1280, "height": 800}
                    )
                    context.request.post("/api/login", data={"name": "ada", "password": PASSWORD})
                    take_pictures(context, scheme, names)
                    context.close()
        browser.close()


if __name__ == "__main__":
    main()
