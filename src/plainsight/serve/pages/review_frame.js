// The parts of the review page, without what they do.

import { button, el, put } from "./dom.js";
import { empty } from "./shell.js";

const NARROW = "(max-width: 1000px)";

/** Draw the page; returns its parts and what changes them. */
export function drawFrame(main, review) {
  main.className = "review";
  const queue = el("aside", { class: "queue", "aria-label": "Queue" });
  const note = el("div", { class: "reading" });
  const preview = el("div", { class: "reading" });
  const inspector = el("aside", { class: "inspector", "aria-label": "Inspector" });
  const title = el("h1", { class: "clip" });
  const about = el("span", { class: "soft clip" });
  const doubt = el("span", { class: "badge" });
  const undo = button({ drawing: "undo", title: "Undo (U)", kind: "quiet", onclick: () => review.undo() });
  const redo = button({ drawing: "redo", title: "Redo (Shift+U)", kind: "quiet", onclick: () => review.redo() });
  const toggle = button({ drawing: "columns", title: "Surrogates beside the note (P)", kind: "quiet", pressed: false, onclick: () => review.togglePreview() });
  const type = button({ drawing: "type", title: "Typeface: reading or fixed width (O)", kind: "quiet", onclick: () => frame.toggleType() });
  const list = button({ drawing: "menu", title: "Show or hide the queue (Q)", kind: "quiet", pressed: true, onclick: () => frame.toggleQueue() });
  const finish = button({ text: "Done, next", drawing: "check", key: "D", kind: "main", onclick: () => review.finish() });
  const scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Note" }, el("div", { class: "sheet" }, note));
  const beside = el("div", { class: "scroller beside", tabindex: "0", role: "region", "aria-label": "Note with surrogates" },
    el("div", { class: "sheet" }, preview));
  const nothing = el("div", { class: "nothing", hidden: true });
  const head = el("div", { class: "note-head" },
    list, el("div", { class: "note-title" }, title, about), doubt, el("span", { class: "gap" }), undo, redo, type, toggle, finish);
  const panes = el("div", { class: "panes" }, scroller, beside);
  put(main, queue, el("section", { class: "desk", "aria-label": "Note and preview" }, head, panes, nothing), inspector);
  follow(scroller, beside, note, preview);

  const store = (name, value) => localStorage.setItem(name, value ? "1" : "");
  const set = (name, on, control) => {
    main.classList.toggle(name, on);
    control?.setAttribute("aria-pressed", String(name === "no-queue" ? !on : on));
  };
  const frame = {
    queue, note, preview, inspector,
    show(shown) {
      nothing.hidden = true;
      head.hidden = panes.hidden = inspector.hidden = false;
      title.textContent = shown.title;
      about.textContent = [shown.patient && `patient ${shown.patient}`, `${shown.text.split(/\s+/).filter(Boolean).length.toLocaleString("en")} words`]
        .filter(Boolean).join(" · ");
      frame.state(shown.state);
    },
    nothing(words) {
      head.hidden = panes.hidden = inspector.hidden = true;
      nothing.hidden = false;
      put(nothing, empty(words, "Choose another list at the left, or import more notes."));
    },
    state(state) {
      finish.querySelector("span").textContent = state === "done" ? "Open again" : "Done, next";
      main.dataset.state = state;
    },
    doubt(count) {
      doubt.textContent = count ? `${count} in doubt` : "no doubt left";
      doubt.classList.toggle("calm", !count);
    },
    history(canUndo, canRedo) {
      undo.disabled = !canUndo;
      redo.disabled = !canRedo;
    },
    togglePreview() {
      const on = !main.classList.contains("with-preview");
      set("with-preview", on, toggle);
      store("preview", on);
      return on;
    },
    toggleQueue() {
      const on = !main.classList.contains("no-queue");
      set("no-queue", on, list);
      if (!matchMedia(NARROW).matches) store("no-queue", on);
    },
    toggleType() {
      const on = !main.classList.contains("fixed-width");
      set("fixed-width", on, type);
      store("fixed-width", on);
    },
  };
  set("with-preview", localStorage.getItem("preview") === "1", toggle);
  set("fixed-width", localStorage.getItem("fixed-width") === "1", type);
  set("no-queue", matchMedia(NARROW).matches || localStorage.getItem("no-queue") === "1", list);
  return frame;
}

/** Scroll the preview with the note: the same line stands at the top of both. */
function follow(from, to, note, preview) {
  let waiting = false;
  from.addEventListener("scroll", () => {
    if (waiting || !to.offsetParent) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const [a, b] = [note.children, preview.children];
      if (!a.length || !b.length) return;
      let low = 0;
      let high = a.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (a[middle].offsetTop <= from.scrollTop) low = middle;
        else high = middle - 1;
      }
      const line = a[low];
      const share = line.offsetHeight ? (from.scrollTop - line.offsetTop) / line.offsetHeight : 0;
      const other = b[Math.min(low, b.length - 1)];
      to.scrollTop = other.offsetTop + share * other.offsetHeight;
    });
  }, { passive: true });
}
