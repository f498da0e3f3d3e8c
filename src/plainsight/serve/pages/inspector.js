// What the right side says about the place that is chosen: a span, a likely miss, selected text, or the whole note.

import { button, el, keycap, put } from "./dom.js";
import { counts, isDoubtful, labelName, percent, statusName } from "./spans.js";

/** Draws the inspector; `actions` are the functions of the review page. */
export class Inspector {
  constructor(box, { actions, categoryOf }) {
    this.box = box;
    this.actions = actions;
    this.categoryOf = categoryOf;
  }

  /** Show a span. */
  span(span, text, { surrogate, edge: moving }) {
    const { actions } = this;
    const rejected = span.status === "rejected";
    put(this.box,
      this.#head(span.label, text, statusName(span.status), isDoubtful(span)),
      el("div", { class: "actions" },
        rejected
          ? button({ text: "Restore", drawing: "restore", key: "R", onclick: () => actions.restore() })
          : button({ text: "Accept", drawing: "check", key: "A", kind: "good", pressed: span.status === "accepted", onclick: () => actions.accept() }),
        button({ text: span.status === "added" ? "Remove" : "Reject", drawing: "cross", key: "X", kind: "bad", pressed: rejected, onclick: () => actions.reject() }),
        button({ text: "Label", drawing: "tag", key: "T", onclick: () => actions.label() })),
      fact("Edges", el("div", { class: "edges" },
        edge("Start", moving === "start", () => actions.move(-1, 0), () => actions.move(1, 0)),
        edge("End", moving === "end", () => actions.move(0, -1), () => actions.move(0, 1)),
        button({ text: "Split", drawing: "split", key: "S", kind: "small", onclick: () => actions.split() }))),
      fact("Surrogate", surrogate === null ? el("span", { class: "soft" }, counts(span) ? "…" : "stays as it is") : el("q", { class: "surrogate" }, surrogate)),
      span.status !== "added" && fact("Score", el("div", { class: "score" }, meter(span.score), el("span", { class: "figure" }, span.score.toFixed(2)))),
      span.status !== "added" && span.source && fact("Found by", span.source),
      span.claims?.length > 0 && fact("Claims", el("table", { class: "claims" },
        el("thead", { class: "unseen" }, el("tr", {}, ["Label", "Score", "By"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, span.claims.map((claim) => el("tr", {},
          el("td", {}, dot(this.categoryOf(claim.label)), labelName(claim.label)),
          el("td", { class: "figure" }, claim.score.toFixed(2)), el("td", { class: "soft clip" }, claim.source)))))),
      fact("All alike", el("div", { class: "alike" },
        [["accept", "Accept all", "shift+A"], ["reject", "Reject all", "shift+X"], ["label", "Label all", "shift+T"]].map(([what, words, key]) => (
          button({ text: words, key: key.split("+").map((name) => (name === "shift" ? "⇧" : name)), kind: "small", onclick: () => actions.alike(what) }))))));
  }

  /** Show a likely miss. */
  miss(miss, text) {
    const { actions } = this;
    put(this.box,
      this.#head(miss.label, text, miss.label ? "perhaps missed" : "in no list of words", true),
      el("div", { class: "actions" },
        button({ text: miss.label ? "Add" : "Add as…", drawing: "check", key: "A", kind: "good", onclick: () => actions.accept() }),
        button({ text: "Dismiss", drawing: "cross", key: "X", onclick: () => actions.reject() }),
        miss.label && button({ text: "Label", drawing: "tag", key: "T", onclick: () => actions.label() })),
      miss.label && fact("Probability", el("div", { class: "score" }, meter(miss.probability), el("span", { class: "figure" }, percent(miss.probability)))),
      fact("All alike", el("div", { class: "alike" },
        button({ text: "Add all", key: ["⇧", "A"], kind: "small", onclick: () => actions.alike("add") }))));
  }

  /** Show selected text and the labels to add it with. */
  selection(text, labels) {
    const { actions } = this;
    put(this.box,
      el("div", { class: "head" }, el("span", { class: "kind soft" }, "Selected text"), el("q", { class: "excerpt" }, text)),
      fact("Add as", el("div", { class: "quick" }, labels.map((label, index) => button({
        text: labelName(label), key: String(index + 1), kind: "small", onclick: () => actions.add(label),
      })))),
      el("div", { class: "actions" },
        button({ text: "Other label", drawing: "tag", key: "T", onclick: () => actions.label() }),
        button({ text: "Add all alike", key: ["⇧", "A"], onclick: () => actions.alike("add") })));
  }

  /** Show the note as a whole. */
  note(note, doubtful) {
    const by = new Map();
    for (const span of note.spans.filter(counts)) {
      const category = this.categoryOf(span.label);
      by.set(category, (by.get(category) ?? 0) + 1);
    }
    const most = Math.max(1, ...by.values());
    const status = (name) => note.spans.filter((span) => span.status === name).length;
    put(this.box,
      el("div", { class: "head" }, el("span", { class: "kind soft" }, "This note"), el("strong", { class: "big" }, note.title),
        note.patient && el("span", { class: "soft" }, `patient ${note.patient}`)),
      fact("In doubt", el("span", {}, el("strong", { class: "figure" }, String(doubtful)), " places left ", keycap("J"), keycap("K"))),
      fact("Confidence", el("div", { class: "score" }, meter(note.confidence ?? 0), el("span", { class: "figure" }, percent(note.confidence)))),
      fact("Marks", el("div", { class: "tally" }, [...by].sort((a, b) => b[1] - a[1]).map(([category, count]) => el("div", { class: "tally-row" },
        dot(category), el("span", {}, category.toLowerCase()), meter(count / most, category), el("span", { class: "figure" }, String(count)))))),
      fact("Decided", el("span", { class: "soft" },
        `${status("accepted")} accepted · ${status("rejected")} rejected · ${status("added")} added · ${status("changed")} changed`)));
  }

  /** Show nothing. */
  clear() {
    put(this.box);
  }

  #head(label, text, state, doubtful) {
    return el("div", { class: "head" },
      el("div", { class: "head-row" },
        el("span", { class: "chip", "data-category": this.categoryOf(label) }, label ? labelName(label) : "rare word"),
        el("span", { class: "soft" }, state, doubtful && el("span", { class: "badge" }, "doubtful"))),
      el("q", { class: "excerpt" }, text));
  }
}

const fact = (name, ...content) => el("section", { class: "fact" }, el("h2", {}, name), content);

const dot = (category) => el("span", { class: "dot", "data-category": category });

const meter = (share, category = null) => el("span", { class: "meter", "data-category": category, vars: { "--share": String(Math.min(1, Math.max(0, share))) } });

const edge = (name, moving, left, right) => el("div", { class: `edge ${moving ? "moving" : ""}`, title: moving ? "Shift with an arrow key moves this edge; E changes to the other" : null, role: "group", "aria-label": name },
  button({ drawing: "previous", title: `${name} a word to the left`, kind: "small", onclick: left }),
  el("span", {}, name.toLowerCase(), moving && keycap("⇧")),
  button({ drawing: "next", title: `${name} a word to the right`, kind: "small", onclick: right }));
