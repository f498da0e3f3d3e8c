"""What the tests of the pages share: notes, the server, keys."""

import re
import signal
import subprocess
import sys

from plainsight.document import Document, Span
from plainsight.formats.inline import parse

PASSWORD = "a long enough password"
LINK = re.compile(r"(http://\S+)/start\?token=(\S+)")


def note(name, marked, *, patient=None, scores=()):
    """Return a note from inline markup; ``scores`` are those of its first spans, the others are sure."""
    text, spans = parse(marked)
    all_scores = [*scores, *[0.99] * len(spans)]
    scored = [
        Span(span.start, span.end, span.label, score, "convolution")
        for span, score in zip(spans, all_scores, strict=False)
    ]
    return Document(name, text, tuple(scored), patient_id=patient)


class Server:
    """The review app of a project, started by the command line."""

    def __init__(self, folder):
        self.folder = folder
        self.start()

    def start(self, port=0):
        command = [
            sys.executable,
            "-m",
            "plainsight",
            "review",
            self.folder,
            "--no-browser",
            "--port",
            str(port),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        found = LINK.search(self.process.stdout.readline())
        self.address, self.token = found.groups()
        self.port = int(self.address.rsplit(":", 1)[1])

    def kill(self):
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)  # it finishes what the browser asked for
        self.process.stdout.close()


def keys(page, *names):
    """Press keys, one after another."""
    for name in names:
        page.keyboard.press(name)


def saved(page):
    """Wait until everything is saved."""
    page.wait_for_selector(".saved[data-state=saved]")


def answer(page, path):
    """Ask the API as the person who is signed in."""
    got = page.context.request.get(path)
    assert got.ok, got.status
    return got.json()


def marks(page, number):
    """Return the marks of a note at the server: text, label, status."""
    note_ = answer(page, f"/api/notes/{number}")
    return [
        (note_["text"][span["start"] : span["end"]], span["label"], span["status"]) for span in note_["spans"]
    ]
