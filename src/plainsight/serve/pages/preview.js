// The note with surrogates, beside the note, as the marks are now.

import { get } from "./api.js";
import { NoteView } from "./note_view.js";

/** Keeps a preview of one note up to date. */
export class Preview {
  constructor(box, { categoryOf, onready, onchoose }) {
    this.view = new NoteView(box, { categoryOf, name: "preview" });
    this.box = box;
    this.onready = onready;
    this.of = new Map();
    this.asked = 0;
    box.addEventListener("click", (event) => {
      const mark = event.target.closest("mark");
      if (mark) onchoose(this.standsFor.get(mark.dataset.span));
    });
  }

  /** Ask for the preview of a note soon; only the last of several quick calls is asked. */
  want(id, { again = true } = {}) {
    if (!again && this.id === id) return;
    this.id = id;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#load(id), 250);
  }

  async #load(id) {
    const asked = ++this.asked;
    let answer;
    try {
      answer = await get(`/api/notes/${id}/preview`);
    } catch {
      return;
    }
    if (asked !== this.asked || id !== this.id) return;
    this.of = new Map(); // span of the note -> its surrogate
    this.standsFor = new Map(); // span of the preview -> span of the note
    const spans = answer.spans.map((span, index) => {
      this.standsFor.set(String(index), span.of);
      return { ...span, id: index };
    });
    if (answer.text !== this.view.text) this.view.setText(answer.text);
    this.view.setSpans(spans);
    for (const span of spans) this.of.set(span.of, { text: this.view.slice(span.start, span.end), span });
    this.onready();
  }

  /** What stands for a span; null when it is not known. */
  surrogate(id) {
    return this.of.get(id)?.text ?? null;
  }

  /** Show which surrogate belongs to the current span. */
  choose(id) {
    const found = this.of.get(id);
    this.view.setCurrent(found ? found.span.id : null);
    if (found && this.box.offsetParent) this.view.reveal(found.span.start);
  }

  /** Forget the note. */
  clear() {
    this.id = null;
    this.of = new Map();
    this.view.setText("");
  }
}
