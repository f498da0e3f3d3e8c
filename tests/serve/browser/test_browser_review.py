"""One reader at work: by mouse, by keyboard only, with signs that are longer in JavaScript than in Python."""

import pytest
from reviewing import keys, marks, note, saved

pytestmark = pytest.mark.server

EMOJI = (
    "😀 Seen by {{DOCTOR|Dr. Okafor}} on {{DATE|3/4/2019}} 👩‍⚕️ with {{PATIENT|Zoe\u0301 Müller}}.\n"
    "𝔘nit 5, <b>bold</b> <script>alert(1)</script>. Ada Ray 😀 called. {{PATIENT|Zoe\u0301}} left."
)
ALIKE = (
    "{{PATIENT|Ann Lee}} came. Bob Ray asked Ann Lee of Bob Ray.\n"
    "Then {{PATIENT|Ann Lee}} left on {{DATE|May 4}}."
)
NOTES = [
    note("by mouse", EMOJI, patient="p1", scores=(0.6, 0.99, 0.5)),
    note("by keyboard", EMOJI, patient="p1", scores=(0.6, 0.99, 0.5)),
    note("alike", ALIKE, patient="p2"),
    note("more of p2", "Ann Lee and {{DATE|May 5}}; Bob Ray.", patient="p2"),
    note("other patient", "Bob Ray and {{DATE|May 6}}.", patient="p3"),
    note("undo", ALIKE, patient="p4"),
]


@pytest.fixture(scope="module")
def server(serve):
    return serve(NOTES, [("ada", "reviewer"), ("grace", "reviewer"), ("edith", "reviewer")])


def mark(page, text, nth=0):
    return page.locator(f".desk .scroller:not(.beside) mark.span:text-is('{text}')").nth(nth)


def choose_text(page, text):
    """Drag the mouse over a text of the note."""
    box = page.evaluate(
        """(text) => {
            const root = document.querySelector(".scroller:not(.beside) .note-text");
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(text);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + text.length);
                const { left, right, top, height } = range.getBoundingClientRect();
                return { left, right, y: top + height / 2 };
            }
        }""",
        text,
    )
    page.mouse.move(box["left"] + 1, box["y"])
    page.mouse.down()
    page.mouse.move(box["right"] - 1, box["y"], steps=4)
    page.mouse.up()
    page.wait_for_selector(".inspector :text('Selected text')")


def inspector(page, name):
    page.locator(".inspector").get_by_role("button", name=name).first.click()


def test_review_by_mouse(server, visit):
    page = visit(server, "/?note=1", as_="ada")
    mark(page, "Dr. Okafor").click()
    inspector(page, "Accept")
    mark(page, "3/4/2019").click()
    inspector(page, "Reject")
    choose_text(page, "Ada Ray")
    inspector(page, "patient")
    mark(page, "Zoe\u0301 Müller").click()
    inspector(page, "End a word to the left")
    mark(page, "Zoe\u0301", 1).click()
    inspector(page, "Label")
    page.locator("dialog .filter").fill("doc")
    page.locator("dialog [role=option]").first.click()
    saved(page)
    assert marks(page, 1) == [
        ("Dr. Okafor", "DOCTOR", "accepted"),
        ("3/4/2019", "DATE", "rejected"),
        ("Zoe\u0301", "PATIENT", "changed"),
        ("Ada Ray", "PATIENT", "added"),
        ("Zoe\u0301", "DOCTOR", "changed"),
    ]
    assert page.locator(".reading script, .reading b").count() == 0


def test_drag_the_end_of_a_mark(server, visit):
    page = visit(server, "/?note=1", as_="edith")
    mark(page, "Dr. Okafor").click()
    grip = page.locator(".grip.end").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=5)
    page.mouse.up()
    saved(page)
    text, label, status = marks(page, 1)[0]
    assert "Dr. Okafor".startswith(text)
    assert (len(text) < 10, label, status) == (True, "DOCTOR", "changed")


def test_review_by_keyboard_only(server, visit):
    page = visit(server, "/?note=2", as_="ada")
    keys(page, "j", "a")  # Dr. Okafor; goes on to the next in doubt
    assert "Müller" in page.locator(".inspector .excerpt").text_content()
    keys(
        page, "Shift+ArrowLeft", "e", "Shift+ArrowLeft", "Shift+ArrowRight"
    )  # the end, then the start there and back
    keys(page, "ArrowLeft", "x")  # the date
    keys(page, "ArrowRight", "ArrowRight", "t")
    page.keyboard.type("doc")
    keys(page, "Enter")
    keys(page, "ArrowLeft", "v", "ArrowDown")
    while page.locator(".inspector .excerpt").text_content() != "Ada":
        keys(page, "ArrowRight")
    keys(page, "Shift+ArrowRight", "t")
    page.keyboard.type("patient")
    keys(page, "Enter")
    saved(page)
    assert marks(page, 2) == [
        ("Dr. Okafor", "DOCTOR", "accepted"),
        ("3/4/2019", "DATE", "rejected"),
        ("Zoe\u0301", "PATIENT", "changed"),
        ("Ada Ray", "PATIENT", "added"),
        ("Zoe\u0301", "DOCTOR", "changed"),
    ]
    keys(page, "p")
    page.wait_for_selector(".beside mark")
    assert "Okafor" not in page.locator(".beside .note-text").text_content()
    keys(page, "d")
    page.wait_for_selector(".toast:has-text('by keyboard is done')")
    page.locator("h1", has_text="by keyboard").wait_for(state="detached")
    keys(page, "?")
    assert page.get_by_role("dialog").get_by_text("Next place in doubt").is_visible()
    keys(page, "Escape", "g", "c")
    page.wait_for_url("**/claims")


def test_split_by_keyboard(server, visit):
    page = visit(server, "/?note=2", as_="grace")
    mark(page, "Zoe\u0301 Müller").click()
    keys(page, "s")
    saved(page)
    assert [text for text, _, _ in marks(page, 2)][2:4] == ["Zoe\u0301", "Müller"]


def test_all_alike_in_note_patient_and_project(server, visit):
    page = visit(server, "/?note=3", as_="ada")
    choose_text(page, "Bob Ray")
    keys(page, "Shift+A")
    page.keyboard.type("patient")
    keys(page, "Enter", "1")  # in this note
    saved(page)
    assert [text for text, _, status in marks(page, 3) if status == "added"] == ["Bob Ray"] * 2
    assert [text for text, _, _ in marks(page, 4)] == ["May 5"]
    mark(page, "Ann Lee").click()
    keys(page, "Shift+X", "1")
    saved(page)
    page.wait_for_selector("mark.rejected")
    assert {status for text, _, status in marks(page, 3) if text == "Ann Lee"} == {"rejected"}
    keys(page, "Escape")
    choose_text(page, "Ann Lee")
    keys(page, "Shift+A", "Enter", "2")  # in all notes of this patient
    page.wait_for_selector(".toast:has-text('2 notes changed')")
    assert ("Ann Lee", "PATIENT", "added") in marks(page, 4)
    assert [text for text, _, _ in marks(page, 5)] == ["May 6"]
    mark(page, "Bob Ray").click()
    keys(page, "Shift+T")
    page.keyboard.type("doctor")
    keys(page, "Enter", "3")  # in the whole project
    page.wait_for_selector(".toast:has-text('Label all alike doctor')")
    assert {label for text, label, _ in marks(page, 3) if text == "Bob Ray"} == {"DOCTOR"}


def test_undo_and_redo(server, visit):
    page = visit(server, "/?note=6", as_="ada")
    keys(page, "ArrowRight", "x", "ArrowRight", "a", "3")
    saved(page)
    after = marks(page, 6)
    keys(page, "u", "u", "u")
    saved(page)
    page.wait_for_selector(".note-head button[title^=Undo]:disabled")
    assert {status for _, _, status in marks(page, 6)} == {"found"}
    keys(page, "Shift+U", "Shift+U", "Shift+U")
    page.wait_for_selector(".note-head button[title^=Redo]:disabled")
    saved(page)
    assert marks(page, 6) == after


def test_offsets_count_code_points(server, visit):
    page = visit(server, "/?note=1", as_="grace")
    found = page.evaluate(
        """async () => {
            const { Points, stepCharacter, stepWord, tidy } = await import("/assets/points.js");
            const text = "a😀e\\u0301👩‍⚕️ b";
            const points = new Points(text);
            const all = [...Array([...text].length + 1).keys()];
            return {
                length: points.length,
                there: all.map((point) => points.toPoint(points.toUnit(point))),
                inside: points.toPoint(2),
                steps: [0, 1, 3, 5].map((unit) => stepCharacter(text, unit, 1)),
                back: stepCharacter(text, 5, -1),
                word: stepWord("x 3/4", 1, 1),
                tidy: tidy(text, 2, 4),
            };
        }"""
    )
    text = "a😀e\u0301👩‍⚕️ b"
    assert found["length"] == len(text)
    assert found["there"] == list(range(len(text) + 1))
    assert found["inside"] == 1  # the middle of the emoji is its begin
    assert found["steps"] == [1, 3, 5, 10]
    assert found["back"] == 3
    assert found["word"] == 3
    assert found["tidy"] == {"from": 1, "to": 5}  # an emoji and an accent stay whole
