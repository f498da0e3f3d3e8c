"""A real browser on the review app, which runs as its own process, as people start it."""

import re
from pathlib import Path

import pytest
from reviewing import PASSWORD, Server

from plainsight.review.project import Project

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip
POLICY = 'detectors = ["patterns"]\n[replace]\ndefault = "surrogate"\n'


@pytest.fixture(scope="session")
def browser():
    if not CHROMIUM.exists():
        pytest.skip("chromium is not installed: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """Return a function that makes a project of notes and people and starts its server."""
    servers = []

    def start(notes=(), people=(), *, sample=0, **options):
        folder = tmp_path_factory.mktemp("review")
        (folder / "rules.toml").write_text(POLICY)
        with Project.create(folder / "ward", policy=folder / "rules.toml", **options) as project:
            project.import_notes(notes, marked=True, audit=sample)
            for name, role in people:
                project.users.add(name, role, PASSWORD, by="test")
        server = Server(folder / "ward")
        servers.append(server)
        return server

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture
def visit(browser):
    """Return a function that opens a page of a server. What the console says is an error."""
    contexts, said = [], []

    def open_(server, path="/", *, as_=None, allowed=None, **options):
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        context = browser.new_context(base_url=server.address, **options)
        contexts.append(context)
        context.set_default_timeout(60_000)  # a busy machine is slow
        if as_:
            answer = context.request.post("/api/login", data={"name": as_, "password": PASSWORD})
            assert answer.ok
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(f"{error} {error.stack}"))
        page.on(
            "console",
            lambda message: (
                said.append(message.text) if not allowed or not re.search(allowed, message.text) else None
            ),
        )
        page.goto(path)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert said == []
