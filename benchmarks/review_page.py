"""How long the review page works for one key in a very large note: ``python benchmarks/review_page.py``.

A note of 12,000 words with 1,000 marks is edited in Chromium by keys. For each key it prints the time from
the key to the next picture (the browser's event timing, which includes waiting for a processor) and the time
that the page's main thread worked. Needs Debian's chromium and the extras `serve` and `dev`.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from plainsight.document import Document, Span
from plainsight.review.project import Project

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
KEYS = {
    "next mark": "ArrowRight",
    "accept": "a",
    "next mark ": "ArrowRight",
    "reject": "x",
    "next mark  ": "ArrowRight",
    "extend": "Shift+ArrowRight",
    "shrink": "Shift+ArrowLeft",
    "label": "2",
    "undo": "u",
    "choose words": "v",
    "add": "3",
}


def large_note() -> Document:
    """Return a note of 12,000 words with 1,000 marks."""
    before, name, after = "Today ", "Zoe\u0301 Müller 😀", " was seen and is very well again,\n"
    spans, text = [], ""
    for _ in range(1000):
        start = len(text) + len(before)
        spans.append(Span(start, start + len(name), "PATIENT", 0.99, "convolution"))
        text += before + name + after
    return Document("large", text, tuple(spans))


def measure(address: str, rounds: int) -> dict[str, dict[str, float]]:
    """Press the keys and return what each cost, in milliseconds."""
    cost: dict[str, dict[str, list[float]]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(120_000)
        page.goto(address)
        page.wait_for_selector("mark.span")
        print(page.evaluate("() => `${document.querySelectorAll('mark').length} marks drawn`"))
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.evaluate(
            """() => {
                window.longest = 0;
                new PerformanceObserver((list) => {
                    for (const { name, duration } of list.getEntries()) {
                        if (name === "keydown") longest = Math.max(longest, duration);
                    }
                }).observe({ type: "event", durationThreshold: 16 });
            }"""
        )
        for _ in range(rounds):
            for name, key in KEYS.items():
                page.wait_for_selector(".saved[data-state=saved]")
                page.wait_for_timeout(600)
                page.evaluate("() => { longest = 0; }")
                before = work(tools)
                page.keyboard.press(key)
                page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
                worked = work(tools) - before
                page.wait_for_timeout(300)
                row = cost.setdefault(name.strip(), {"to the next picture": [], "main thread": []})
                row["to the next picture"].append(page.evaluate("() => longest") or 16)
                row["main thread"].append(worked)
        browser.close()
    return {
        name: {kind: round(statistics.median(values), 1) for kind, values in row.items()}
        for name, row in cost.items()
    }


def work(tools: object) -> float:
    """Return how many milliseconds the main thread has worked."""
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return 1000 * next(one["value"] for one in metrics if one["name"] == "TaskDuration")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        folder = Path(scratch, "ward")
        policy = Path(scratch, "rules.toml")
        policy.write_text('detectors = ["patterns"]\n[replace]\ndefault = "surrogate"\n')
        with Project.create(folder, policy=policy) as project:
            project.import_notes([large_note()], marked=True)
        command = [sys.executable, "-m", "plainsight", "review", folder, "--no-browser", "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            link = re.search(r"http://\S+", server.stdout.readline()).group()
            found = measure(link, options.rounds)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)
    for name, row in found.items():
        print(f"{name:14}" + "".join(f"  {kind}: {value:6.1f} ms" for kind, value in row.items()))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
