"""Every page: accessible (axe), light and dark, on a tablet, without an error; and a very large note."""

from functools import cache
from importlib.resources import files

import pytest
from reviewing import keys, note, saved

pytestmark = pytest.mark.server

PAGES = [
    "/?note=1",
    "/claims",
    "/adjudicate",
    "/search?q=Okafor",
    "/dashboard",
    "/learning",
    "/releases",
    "/users",
]
TEXT = (
    "{{PATIENT|Ann Lee}} 😀 saw {{DOCTOR|Dr. Okafor}} on {{DATE|3/4/2019}} "
    "at {{HOSPITAL|St. Mary}}, {{PHONE|555-0199}}.\n"
)


@pytest.fixture(scope="module")
def server(serve):
    notes = [note("first", TEXT * 6, patient="p1", scores=(0.5, 0.9)), note("second", TEXT), large()]
    return serve(notes, [("ada", "admin")])


def large():
    """Return a note of 10,000 words and 1,000 marks."""
    line = "The patient {{PATIENT|Zoe\u0301 Müller}} was seen again 😀 and is well today,\n"
    return note("large", (line * 1000).rstrip())


@cache
def axe():
    return (files("axe_playwright_python") / "axe.min.js").read_text()


def violations(page):
    page.evaluate(axe())
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(server, visit, scheme):
    page = visit(server, "/login", color_scheme=scheme)
    assert violations(page) == []
    page = visit(server, "/", as_="ada", color_scheme=scheme)
    for path in PAGES:
        page.goto(path)
        page.wait_for_selector("html[data-ready]")
        assert page.locator("h1").first.text_content()
        assert (path, violations(page)) == (path, [])
    page.goto(PAGES[0])
    page.wait_for_selector("mark.span")
    keys(page, "j", "p")
    page.wait_for_selector(".beside mark")
    assert violations(page) == []
    keys(page, "?")
    assert violations(page) == []
    keys(page, "Escape", "t")
    assert violations(page) == []


def test_the_theme_can_be_chosen(server, visit):
    page = visit(server, as_="ada", color_scheme="light")
    paper = "() => getComputedStyle(document.body).color"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(paper)
    assert light != dark
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(paper) == dark


OVER_THE_EDGE = """() => {
    const right = (one) => one.getBoundingClientRect().right;
    return [...document.querySelectorAll(".card :is(input, select, textarea, svg, p)")]
    .filter((one) => !one.closest(".scroll-x"))
    .filter((one) => right(one) > right(one.closest(".card")) - 15)
    .map((one) => one.outerHTML.slice(0, 100)); }"""
"""What reaches into the margin of its card."""


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180), (1024, 768)])
def test_nothing_is_cut_off(server, visit, size):
    page = visit(
        server, "/", as_="ada", viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 1200
    )
    for path in PAGES:
        page.goto(path)
        page.wait_for_selector("html[data-ready]")
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, path
        assert page.evaluate(OVER_THE_EDGE) == [], path
    page.goto(PAGES[0])
    page.locator("mark.span").first.click()
    assert page.locator(".inspector").get_by_role("button", name="Accept", exact=False).first.is_visible()


def test_an_edit_of_a_large_note_draws_one_line_again(server, visit):
    page = visit(server, "/?note=3", as_="ada")
    page.wait_for_selector("mark.span")
    assert page.locator(".scroller:not(.beside) .line").count() == 1000
    page.evaluate(
        """() => {
            window.drawn = new Set();
            new MutationObserver((changes) => {
                for (const { target } of changes) drawn.add(target.dataset.line);
            }).observe(document.querySelector(".note-text"), { childList: true, subtree: true });
        }"""
    )
    keys(page, "ArrowRight", "ArrowRight", "ArrowRight", "x", "ArrowRight", "Shift+ArrowRight")
    saved(page)
    assert page.evaluate("() => [...drawn]") == ["2", "3"]


def test_small_shares_are_written_as_people_read_them(server, visit):
    page = visit(server, "/login")
    shares = "async () => { const { share } = await import('/assets/charts.js'); return VALUES.map(share); }"
    values = "[0, 0.00001, 0.0042, 0.05, 0.5, 1, null]"
    written = ["0 %", "<0.01 %", "0.42 %", "5 %", "50 %", "100 %", "–"]
    assert page.evaluate(shares.replace("VALUES", values)) == written
