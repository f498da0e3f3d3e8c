// The keys of the review page.

/** Hold a key until the next note is open, so that it never acts on the note that was just finished. */
function inTurn(review, act) {
  return function run(event) {
    return review.leaving ? void review.leaving.then(() => run(event)) : act(event);
  };
}

/** Add them. */
export function reviewKeys(page, review) {
  const keys = {
    add: (heading, rows) => page.add(heading, rows.map(([combos, what, act, ...rest]) => [combos, what, inTurn(review, act), ...rest])),
  };
  keys.add("Read", [
    ["j", "Next place in doubt", () => review.doubtful(1)],
    ["k", "Previous place in doubt", () => review.doubtful(-1)],
    ["arrowright", "Next mark", () => review.neighbour(1)],
    ["arrowleft", "Previous mark", () => review.neighbour(-1)],
    ["n", "Next note", () => review.go(1)],
    ["b", "Note before", () => review.go(-1)],
    [["d", "ctrl+enter"], "Done, next note (again: open it)", () => review.finish()],
    ["escape", "Leave the mark or the words", () => review.clear()],
  ]);
  keys.add("Decide", [
    ["a", "Accept; a likely miss: add", () => review.accept()],
    [["x", "delete"], "Reject, remove, dismiss", () => review.reject()],
    ["backspace", "", () => review.reject()],
    ["r", "Restore as it was found", () => review.restore()],
    [["t", "enter"], "Label: choose from all", () => (review.cursor ? void review.label() : false)],
    ["1", "One of the labels used last", () => review.digit(1), { shown: ["1", "…", "9"] }],
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => [String(number), "", () => review.digit(number)]),
    ["u", "Undo", () => review.undo()],
    ["ctrl+z", "", () => review.undo()],
    ["shift+u", "Redo", () => review.redo()],
    [["ctrl+shift+z", "ctrl+y"], "", () => review.redo()],
  ]);
  keys.add("Edges", [
    ["shift+arrowright", "Edge (or choice) a word to the right", () => review.nudge(1)],
    ["shift+arrowleft", "Edge (or choice) a word to the left", () => review.nudge(-1)],
    ["ctrl+shift+arrowright", "The same by one character", () => review.nudge(1, "character")],
    ["ctrl+shift+arrowleft", "", () => review.nudge(-1, "character")],
    ["e", "Other edge; with words chosen: fit the mark to them", () => review.fit()],
    ["s", "Split", () => review.split()],
  ]);
  keys.add("Add", [
    ["v", "Choose words; ← → ↑ ↓ move, ⇧ ← ⇧ → widen", () => review.words()],
    ["arrowdown", "", () => review.line(1)],
    ["arrowup", "", () => review.line(-1)],
  ]);
  keys.add("All alike", [
    ["shift+a", "Accept or add all alike", () => review.alike("accept")],
    ["shift+x", "Reject all alike", () => review.alike("reject")],
    ["shift+t", "Label all alike", () => review.alike("label")],
  ]);
  keys.add("View", [
    ["p", "Surrogates beside the note", () => review.togglePreview()],
    ["o", "Reading or fixed-width typeface", () => review.frame.toggleType()],
    ["q", "Show or hide the queue", () => review.frame.toggleQueue()],
  ]);
}
