"""A PostgreSQL server of its own for tests, from the system's package; it refuses to run as root."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "hunter2/plain"


def programs():
    """Return the folder of the server's programs, or None if it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    beside = shutil.which("initdb")
    return found[-1].parent if found else Path(beside).parent if beside else None


class Server:
    """A running server."""

    def __init__(self, folder, user):
        self.folder = folder
        self._user = user
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        quoted = PASSWORD.replace("/", "%2F")
        self.url = f"postgresql+psycopg://tester:{quoted}@127.0.0.1:{self.port}/postgres"

    def call(self, program, *words):
        as_user = {"user": self._user, "group": pwd.getpwnam(self._user).pw_gid} if self._user else {}
        subprocess.run(
            [programs() / program, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **as_user,
        )

    def control(self, *words):
        """Call pg_ctl and wait."""
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = self.folder / "log"
        self.call("pg_ctl", "-D", self.folder / "data", "-l", log, "-o", settings, "-w", *words)


@contextmanager
def postgres():
    """Start a server with a new cluster in a temporary folder; stop it in the end."""
    folder = Path(tempfile.mkdtemp(prefix="plainsight-pg-"))
    user = None
    if os.geteuid() == 0:
        known = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in known else "nobody"
        shutil.chown(folder, user)
    server = Server(folder, user)
    (folder / "password").write_text(PASSWORD)
    (folder / "password").chmod(0o644)
    try:
        server.call(
            "initdb", "-D", folder / "data", "-U", "tester", "-A", "scram-sha-256", "-E", "UTF8",
            "--locale=C", "--no-sync", "--pwfile", folder / "password",
        )  # fmt: skip
        server.control("start")
        yield server
        server.control("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
