// Two grips at the ends of the current span, to drag them by mouse or finger, and the small bar of actions above it.

import { button, el } from "./dom.js";

/** Lies over the note and follows the current span. */
export class Grips {
  constructor(view, { onmove, onmoved, actions }) {
    this.view = view;
    this.layer = el("div", { class: "overlay", "aria-hidden": "true" });
    this.start = this.#grip("start");
    this.end = this.#grip("end");
    this.bar = el("div", { class: "float" });
    this.layer.append(this.start, this.end, this.bar);
    view.box.after(this.layer);
    this.onmove = onmove;
    this.onmoved = onmoved;
    this.actions = actions;
    new ResizeObserver(() => this.place()).observe(view.box);
  }

  /** Follow a span, a miss, or a range of selected text; null hides all. */
  follow(what) {
    this.what = what;
    this.layer.hidden = what === null;
    if (what === null) return;
    this.start.hidden = this.end.hidden = what.kind !== "span" || what.status === "rejected";
    const { actions } = this;
    const offered = what.kind === "text"
      ? [["tag", "Add with a label", actions.label]]
      : what.status === "rejected"
        ? [["restore", "Restore", actions.restore]]
        : [["check", what.kind === "miss" ? "Add" : "Accept", actions.accept], ["cross", what.kind === "miss" ? "Dismiss" : "Reject", actions.reject], ["tag", "Label", actions.label]];
    this.bar.replaceChildren(...offered.map(([drawing, title, act]) => {
      const made = button({ drawing, title, kind: "quiet", onclick: () => act() });
      made.tabIndex = -1;
      made.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the selection
      return made;
    }));
    this.place();
  }

  /** Put everything where the span is now. */
  place() {
    if (!this.what || this.layer.hidden) return;
    const rects = [...this.view.rangeOf(this.what.start, this.what.end).getClientRects()].filter((rect) => rect.width > 0);
    if (!rects.length) return;
    const origin = this.view.box.parentElement.getBoundingClientRect();
    const [first, last] = [rects[0], rects.at(-1)];
    set(this.start, first.left - origin.left, first.top - origin.top, first.height);
    set(this.end, last.right - origin.left, last.top - origin.top, last.height);
    const left = Math.min(Math.max(first.left - origin.left, 4), origin.width - 130);
    const above = { left, top: first.top - origin.top - 40 };
    const below = { left, top: last.bottom - origin.top + 8 };
    const places = [...(above.top < 2 ? [] : [above]), below, { left: origin.width - 130, top: below.top }, { left: origin.width - 130, top: above.top }];
    const free = places.find((place) => !this.#covers(place, origin));
    set(this.bar, (free ?? places[0]).left, (free ?? places[0]).top);
  }

  /** Whether the bar of actions would lie on a mark there, which could then not be clicked. */
  #covers({ left, top }, origin) {
    const [width, height] = [this.bar.offsetWidth, this.bar.offsetHeight];
    const points = [0, 0.25, 0.5, 0.75, 1].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [origin.left + left + x * width, origin.top + top + y * height]));
    return points.some(([x, y]) => document.elementsFromPoint(x, y).some((element) => element.matches("mark.span, mark.miss")));
  }

  #grip(side) {
    const grip = el("div", { class: `grip ${side}` });
    let dragging = null;
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      dragging = { start: this.what.start, end: this.what.end };
      this.layer.classList.add("dragging");
    });
    grip.addEventListener("pointermove", (event) => {
      if (!dragging) return;
      const at = this.view.pointAt(event.clientX, event.clientY);
      if (at === null) return;
      const next = side === "start" ? { start: Math.min(at, dragging.end - 1), end: dragging.end } : { start: dragging.start, end: Math.max(at, dragging.start + 1) };
      if (next.start === this.what.start && next.end === this.what.end) return;
      Object.assign(this.what, next);
      this.onmove(next);
      this.place();
    });
    const finish = () => {
      if (!dragging) return;
      const from = dragging;
      dragging = null;
      this.layer.classList.remove("dragging");
      this.onmoved({ start: this.what.start, end: this.what.end }, from);
    };
    grip.addEventListener("pointerup", finish);
    grip.addEventListener("pointercancel", finish);
    return grip;
  }
}

function set(element, left, top, height = null) {
  element.style.setProperty("left", `${Math.round(left)}px`);
  element.style.setProperty("top", `${Math.round(top)}px`);
  if (height !== null) element.style.setProperty("height", `${Math.round(height)}px`);
}
