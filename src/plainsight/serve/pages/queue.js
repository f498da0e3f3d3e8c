// The queue at the left, as in a mail client. Only the rows in view are in the page, so 100,000 notes scroll as fast as ten.

import { get } from "./api.js";
import { el, put } from "./dom.js";
import { percent } from "./spans.js";

const ROW = 58;
const PAGE = 60;

/** The list of notes. */
export class Queue {
  constructor(box, { labels, onopen, canDisagree }) {
    this.onopen = onopen;
    this.current = null;
    this.filters = { order: "doubt", state: "todo", label: "", ...JSON.parse(sessionStorage.getItem("queue") ?? "{}") };
    this.tabs = el("div", { class: "tabs", role: "group", "aria-label": "Which notes" });
    this.states = [["todo", "To do"], ["done", "Done"], ["all", "All"], ...(canDisagree ? [["disagree", "Disagree"]] : [])];
    const order = el("select", { "aria-label": "Order", onchange: () => this.set({ order: order.value }) },
      [["doubt", "Most doubtful"], ["random", "Random order"], ["position", "As imported"]].map(([value, text]) => el("option", { value }, text)));
    const label = el("select", { "aria-label": "Only notes with", onchange: () => this.set({ label: label.value }) },
      el("option", { value: "" }, "Any label"), labels.map(({ name }) => el("option", { value: name }, name)));
    order.value = this.filters.order;
    label.value = this.filters.label;
    this.space = el("ol", { class: "rows", "aria-label": "Notes" });
    this.scroller = el("div", { class: "queue-scroller", tabindex: "-1", onscroll: () => this.#draw() }, this.space);
    this.count = el("p", { class: "queue-count soft" });
    put(box, this.tabs, el("div", { class: "queue-filters" }, order, label), this.scroller, this.count);
    new ResizeObserver(() => this.#draw()).observe(this.scroller);
  }

  /** Change order or filter and load again. */
  async set(filters) {
    Object.assign(this.filters, filters);
    sessionStorage.setItem("queue", JSON.stringify(this.filters));
    this.scroller.scrollTop = 0;
    await this.load();
  }

  /** Load from the server again; keeps the place. */
  async load() {
    this.pages = new Map();
    put(this.tabs, this.states.map(([value, text]) => el("button", {
      type: "button", "aria-pressed": String(this.filters.state === value), onclick: () => this.set({ state: value }),
    }, text)));
    const first = Math.floor(this.scroller.scrollTop / ROW / PAGE);
    await this.#page(first);
  }

  #page(number) {
    const known = this.pages.get(number);
    if (known) return known;
    const pages = this.pages;
    const asked = get("/api/queue", { ...this.filters, offset: number * PAGE, limit: PAGE }).then((answer) => {
      if (pages !== this.pages) return;
      pages.set(number, answer.notes);
      this.total = answer.total;
      this.count.textContent = `${answer.total.toLocaleString("en")} ${answer.total === 1 ? "note" : "notes"}`;
      this.#draw();
    }).catch(() => pages.delete(number));
    this.pages.set(number, asked);
    return asked;
  }

  #draw() {
    if (this.total === undefined) return;
    this.space.style.setProperty("height", `${this.total * ROW}px`);
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 4);
    const last = Math.min(this.total, first + Math.ceil(this.scroller.clientHeight / ROW) + 8);
    const rows = [];
    for (let index = first; index < last; index++) {
      const page = this.#page(Math.floor(index / PAGE));
      const note = Array.isArray(page) ? page[index % PAGE] : null;
      if (note) rows.push(this.#row(note, index));
    }
    const focused = this.space.contains(document.activeElement) ? document.activeElement.dataset.note : null;
    this.space.replaceChildren(...rows);
    if (focused) this.space.querySelector(`[data-note="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #row(note, index) {
    const here = note.id === this.current;
    return el("li", { class: "row", vars: { "--at": `${index * ROW}px` } },
      el("a", {
        href: `/?note=${note.id}`, "aria-current": here ? "true" : null, "data-note": String(note.id),
        onclick: (event) => {
          if (event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          this.onopen(note.id);
        },
      },
      el("span", { class: "row-top" }, el("span", { class: `state ${note.state}` }), el("span", { class: "clip title" }, note.title),
        el("span", { class: "doubt", vars: { "--share": String(Math.min(1, note.doubt ?? 0)) }, title: `doubt ${percent(note.doubt)}` },
          el("span", { class: "unseen" }, `doubt ${percent(note.doubt)}`))),
      el("span", { class: "row-bottom soft" }, `${note.words.toLocaleString("en")} words · ${note.marks} marks`,
        note.changed ? ` · ${note.changed} changed` : "", el("span", { class: "unseen" }, note.state === "done" ? ", done" : ", to do"))));
  }

  /** Mark the note that is open. */
  show(id) {
    this.current = id;
    this.#draw();
    const row = this.space.querySelector("[aria-current]");
    if (row) return;
    for (const [number, page] of this.pages ?? []) {
      const index = Array.isArray(page) ? page.findIndex((note) => note.id === id) : -1;
      if (index >= 0) this.scroller.scrollTop = (number * PAGE + index) * ROW - this.scroller.clientHeight / 3;
    }
  }

  /** Change what a row says, without loading. */
  update(id, fields) {
    for (const page of this.pages.values()) {
      const note = Array.isArray(page) && page.find((one) => one.id === id);
      if (note) Object.assign(note, fields);
    }
    this.#draw();
  }

  /** The first note of the queue, or null. */
  async first() {
    await this.#page(0);
    const page = this.pages.get(0);
    return Array.isArray(page) ? page[0]?.id ?? null : null;
  }
}
