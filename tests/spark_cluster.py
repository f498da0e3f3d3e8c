"""A real Spark of one master and workers on the loopback, from the pyspark package."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
DEADLINE = 400  # seconds for what takes a few on a calm machine
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # most of a short test is Java that starts


def until(what, condition, seconds=DEADLINE):
    """Wait for a condition and return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"no {what} after {seconds} seconds"
        time.sleep(0.1)
    return value


def descendants(pid):
    """Return the running processes that descend from one, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = parent, command_line(folder.name)
        except (OSError, ValueError):
            continue  # it has ended
    below, known = {}, {pid}
    while new := {child for child, (parent, _) in found.items() if parent in known} - known:
        known |= new
        below |= {child: found[child][1] for child in new}
    # Java never asks for the exit code of the shell that started it, so that one stays for ever, ended
    return {child: words for child, words in below.items() if words}


def command_line(pid):
    """Return the words of a process; "" for one that has ended and waits to be asked for its exit code."""
    return Path("/proc", str(pid), "cmdline").read_bytes().replace(b"\0", b" ").decode()


def runs(pid, words):
    """Whether a process still runs; its number may be another's by now."""
    try:
        return bool(words) and command_line(pid) == words
    except OSError:
        return False


@contextmanager
def started(words, **options):
    """Start a command; end it and all that it started, whatever happens."""
    run = subprocess.Popen(words, start_new_session=True, **options)
    try:
        yield run
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        run.communicate(timeout=DEADLINE)


def finished(words, **options):
    """Run a command to its end, within the deadline; return its exit code and what it said."""
    with started(words, stderr=subprocess.PIPE, **options) as run:
        _, said = run.communicate(timeout=DEADLINE)
    return run.returncode, said.decode()


class Cluster:
    """A master, and workers of one core each."""

    def __init__(self, folder):
        self.folder = folder
        settings = folder / "conf"
        settings.mkdir()
        (settings / "spark-defaults.conf").write_text(
            "spark.executor.memory 512m\n"
            "spark.driver.memory 512m\n"
            "spark.driver.host 127.0.0.1\n"
            "spark.driver.bindAddress 127.0.0.1\n"
            "spark.ui.enabled false\n"
            f"spark.driver.extraJavaOptions {QUICK_START}\n"
            f"spark.executor.extraJavaOptions {QUICK_START}\n"
            f"spark.local.dir {folder / 'scratch'}\n"
        )
        source = str(Path(__file__).parents[1] / "src")
        self.environment = os.environ | {
            "SPARK_HOME": str(HOME),
            "SPARK_CONF_DIR": str(settings),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")])),
        }
        self._processes = []
        try:
            master = self._start("master", "master.Master", "--host", "127.0.0.1", "--port", "0")
            self.url = until("master", lambda: re.search(r"spark://[\d.]+:[1-9]\d+", self.log(master)))[0]
            self.workers = [*map(self._known, [self._start_worker(), self._start_worker()])]
        except BaseException:
            self.stop()
            raise

    def _start(self, name, kind, *arguments):
        number = len(self._processes)
        with (self.folder / f"{number}-{name}.log").open("wb") as log:
            command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", *arguments]
            started = subprocess.Popen(
                [*command, "--webui-port", "0"],
                env=self.environment,
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._processes.append((started, Path(log.name)))
        return started

    def add_worker(self):
        """Start a worker and wait until the master knows it."""
        return self._known(self._start_worker())

    def _start_worker(self):
        size = ["--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--work-dir"]
        return self._start("worker", "worker.Worker", *size, str(self.folder / "work"), self.url)

    def _known(self, worker):
        until("worker", lambda: "Successfully registered" in self.log(worker))
        return worker

    def log(self, process):
        return next(path.read_text() for one, path in self._processes if one is process)

    def lose(self, worker):
        """Kill a worker, its executor and what runs in it, as a power cut does."""
        below = descendants(worker.pid)
        for pid in (worker.pid, *below):
            os.kill(pid, signal.SIGKILL)
        worker.wait(DEADLINE)

    def executors(self):
        """Return the processes of executors, on all workers."""
        return {
            pid: command
            for worker in self.workers
            if worker.poll() is None
            for pid, command in descendants(worker.pid).items()
        }

    def all_logs(self):
        """Return everything that Spark wrote to logs, of executors as well."""
        files = [*self.folder.glob("*.log"), *(self.folder / "work").rglob("std*")]
        return b"".join(path.read_bytes() for path in files)

    def stop(self):
        for process, _ in self._processes:
            for pid in (process.pid, *descendants(process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait(DEADLINE)
