"""A real Spark of one master and workers on the loopback, from the pyspark package."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
DEADLINE = 900  # seconds for what takes a few on a calm machine


def until(what, condition, seconds=DEADLINE):
    """Wait for a condition and return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"no {what} after {seconds} seconds"
        time.sleep(0.1)
    return value


def descendants(pid):
    """Return the processes that descend from one, with their command lines."""
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
    return below


def command_line(pid):
    """Return the words of a process; "" for one that has ended and waits to be asked for its exit code."""
    return Path("/proc", str(pid), "cmdline").read_bytes().replace(b"\0", b" ").decode()


def runs(pid, words):
    """Whether a process still runs; its number may be another's by now."""
    try:
        return bool(words) and command_line(pid) == words
    except OSError:
        return False


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
            f"spark.local.dir {folder / 'scratch'}\n"
        )
        source = str(Path(__file__).parents[1] / "src")
        self.environment = os.environ | {
            "SPARK_HOME": str(HOME),
            "SPARK_CONF_DIR": str(settings),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")])),
        }
        self._processes = []
        master = self._start("master", "master.Master", "--host", "127.0.0.1", "--port", "0")
        self.url = until("master", lambda: re.search(r"spark://[\d.]+:[1-9]\d+", self.log(master)))[0]
        self.workers = [self.add_worker(), self.add_worker()]

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
        size = (
            "--cores",
            "1",
            "--memory",
            "1g",
            "--host",
            "127.0.0.1",
            "--work-dir",
            str(self.folder / "work"),
        )
        worker = self._start("worker", "worker.Worker", *size, self.url)
        until("worker", lambda: "Successfully registered" in self.log(worker))
        return worker

    def log(self, process):
        return next(path.read_text() for one, path in self._processes if one is process)

    def lose(self, worker):
        """Kill a worker, its executor and what runs in it, as a power cut does."""
        below = descendants(worker.pid)
        for pid in (worker.pid, *below):
            os.kill(pid, signal.SIGKILL)
        worker.wait()

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
        for process, _ in reversed(self._processes):
            if process.poll() is None:
                process.terminate()
        for process, _ in self._processes:
            process.wait()
