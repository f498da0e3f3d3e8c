"""Several processes make of a stream what one makes of it, and one note cannot stop the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.pipeline import Pipeline, Replaced
from plainsight.run.processes import Limits, spread

RULES = """
labels = "all"
detectors = ["patterns", "trouble"]
replace.default = "redact"
"""

ENTRY_POINTS = """
[plainsight.detectors]
trouble = trouble_plugin:Trouble
unusable = trouble_plugin:Unusable
"""

TROUBLE = """
import os, resource, signal, time
from pathlib import Path
import plainsight

class Trouble:
    name = "trouble"
    labels = frozenset({"IDNUM"})

    def detect(self, documents):
        for document in documents:
            text = document.text
            if text.startswith("HANG"):
                time.sleep(60)
            elif text.startswith("WAIT"):
                time.sleep(1)
            elif text.startswith("LOOP"):
                while True:
                    pass
            elif text.startswith("EAT"):
                eaten = []
                while True:
                    eaten.append(bytes(1 << 20))
            elif text.startswith("CRASH"):
                os.kill(os.getpid(), signal.SIGSEGV)
            elif text.startswith("KILLED ONCE"):
                once = Path(text.split()[2])
                if not once.exists():
                    once.touch()
                    os.kill(os.getpid(), signal.SIGKILL)
            elif text.startswith("CORE"):
                if resource.getrlimit(resource.RLIMIT_CORE)[0] > 1:
                    raise RuntimeError
            elif text.startswith("WHO"):
                Path(text.split()[1], str(os.getpid())).touch()
                if "HANG" in text:
                    time.sleep(60)
            elif text.startswith("WAIT"):
                time.sleep(1)
        return [[] for _ in documents]

class Unusable(Trouble):
    name = "unusable"

    def detect(self, documents):
        raise plainsight.UsageError("a package is missing")
"""


@pytest.fixture
def plugins(tmp_path, monkeypatch) -> Path:
    """A folder with a plugin package: a detector that makes the trouble a note asks for."""
    folder = tmp_path / "plugins"
    about = folder / "trouble-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: trouble\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (folder / "trouble_plugin.py").write_text(TROUBLE)
    (folder / "rules.toml").write_text(RULES)
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.fixture
def pipeline(plugins) -> Pipeline:
    return Pipeline(load_policy(plugins / "rules.toml"))


def notes() -> list[Document | SetAside]:
    filler = "The patient sleeps well and eats well.\n" * 800  # so that there are several batches
    made: list[Document | SetAside] = [
        Document(
            f"{number}", f"MRN 44718829, seen on 3/{number + 1}/2019.\n{filler}", patient_id=str(number // 2)
        )
        for number in range(8)
    ]
    made.insert(3, SetAside("torn", "cannot be read"))
    return made


def done(pipeline, texts, *, processes=1, **limits):
    """Return what became of notes that are all of one patient."""
    given = [Document(str(number), text, patient_id="p") for number, text in enumerate(texts)]
    chosen = Limits(**limits) if limits else None
    return list(spread(pipeline, "with_originals", given, processes=processes, limits=chosen))


def test_the_result_is_the_same_and_in_order(plugins):
    (plugins / "surrogates.toml").write_text(RULES.replace("redact", "surrogate"))
    pipeline = Pipeline(load_policy(plugins / "surrogates.toml"))  # without a key: workers must share it
    one, two = (
        list(spread(pipeline, "with_originals", notes(), processes=count, limits=limits))
        for count, limits in [(1, None), (2, Limits())]
    )
    assert one == two
    assert isinstance(one[3], SetAside)
    texts = [item.document.text for item in one if isinstance(item, Replaced)]
    assert len(texts) == 8
    assert not any("44718829" in text for text in texts)


def test_settings_that_cannot_be_are_told(plugins):
    (plugins / "hash.toml").write_text(RULES.replace("redact", "hash"))
    pipeline = Pipeline(load_policy(plugins / "hash.toml"), key=b"short")
    with pytest.raises(UsageError, match="at least 32 bytes"):
        list(spread(pipeline, "with_originals", notes(), processes=2))


def test_a_detector_that_cannot_run_is_told(plugins):
    (plugins / "unusable.toml").write_text(RULES.replace("trouble", "unusable"))
    with pytest.raises(UsageError, match="a package is missing"):
        list(spread(Pipeline(load_policy(plugins / "unusable.toml")), "detect", notes(), processes=2))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("HANG", "took longer than 0.5 seconds"),
        ("LOOP", "took longer than 0.5 seconds"),
        ("CRASH", "ended the process that worked on it (signal SIGSEGV)"),
        pytest.param(
            "EAT",
            "needs more memory than it may use",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory"),
        ),
    ],
)
def test_one_note_cannot_stop_the_others(pipeline, text, reason):
    good = ["Seen by Dr. Okafor on 3/4/2019.", "MRN 44718829. Seen on 3/9/2019."]
    seconds = 10 if text == "EAT" else 0.5
    *before, aside, after = done(pipeline, [good[0], text, good[1]], seconds=seconds, megabytes=300)
    assert aside == SetAside("1", reason)
    expected = [item.document.text for item in done(pipeline, good)]
    assert [item.document.text for item in (*before, after)] == expected  # they still agree


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux says how long another process used a processor"
)
def test_a_note_that_waits_for_a_processor_is_not_set_aside(pipeline):
    assert isinstance(done(pipeline, ["WAIT. Seen on 3/4/2019."], seconds=0.5)[0], Replaced)


def test_a_worker_that_somebody_kills_is_replaced(pipeline, tmp_path):
    texts = ["Seen on 3/4/2019.", f"KILLED ONCE {tmp_path / 'once'}", "Seen on 3/9/2019."]
    made = done(pipeline, texts, processes=2, seconds=30)
    assert [type(item) for item in made] == [Replaced] * 3
    assert (tmp_path / "once").exists()


def test_no_core_dumps(pipeline):
    assert isinstance(done(pipeline, ["CORE"], seconds=30)[0], Replaced)


def test_a_stream_that_is_left_leaves_no_process(pipeline, tmp_path):
    stream = spread(pipeline, "detect", [Document("1", f"WHO {tmp_path}")] * 3, processes=2)
    next(stream)
    assert (workers := running(tmp_path))
    stream.close()
    assert ended(workers)


RUN = """
import sys
sys.path.insert(0, {plugins!r})
from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.pipeline import Pipeline
from plainsight.run.processes import spread
notes = [Document(str(i), "WHO {tmp} HANG " + "Well. " * 30_000) for i in range(4)]
for _ in spread(Pipeline(load_policy({plugins!r} + "/rules.toml")), "detect", notes, processes=2):
    pass
print("done")
"""


@pytest.mark.parametrize("killed", ["parent", "loader"])
def test_kill_9_leaves_no_process(plugins, tmp_path, killed):
    run = subprocess.Popen(
        [sys.executable, "-c", RUN.format(plugins=str(plugins), tmp=tmp_path)],
        stdout=subprocess.DEVNULL,
    )
    until(lambda: len(running(tmp_path)) == 2)
    workers = running(tmp_path)
    [loader] = {parent_of(worker) for worker in workers}
    os.kill(run.pid if killed == "parent" else loader, signal.SIGKILL)
    assert ended(workers)
    if killed == "parent":
        run.wait()
        assert ended([loader])
    else:  # another one is started
        until(lambda: set(running(tmp_path)) - set(workers))
        run.kill()
        run.wait()


def running(folder: Path) -> list[int]:
    """Return the workers that left their process id in a folder."""
    return [int(path.name) for path in folder.iterdir() if path.name.isdigit() and is_running(int(path.name))]


def is_running(process: int) -> bool:
    status = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True)
    return bool(status.stdout.strip()) and not status.stdout.startswith("Z")


def parent_of(process: int) -> int:
    asked = ["ps", "-o", "ppid=", "-p", str(process)]
    return int(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)


def ended(processes: list[int]) -> bool:
    until(lambda: not any(map(is_running, processes)))
    return True


def until(true) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_no_command_leaves_a_core_dump():
    code = (
        "import resource, sys; sys.argv = ['plainsight', '--version']\n"
        "from plainsight.cli import main\n"
        "try:\n    main()\nfinally:\n    print(resource.getrlimit(resource.RLIMIT_CORE))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] in ("(1, 1)", "(0, 0)")
