// The review page: what every key and button does to a note. What it shows: reader.js.

import { get } from "./api.js";
import { say, toast } from "./dom.js";
import { choose, chooseLabel } from "./menu.js";
import { lastWord, nextWord, stepCharacter, stepWord, tidy } from "./points.js";
import { Reader } from "./reader.js";
import { reviewKeys } from "./review_keys.js";
import { counts, isDoubtful, labelName } from "./spans.js";

/** Everything that a person can do to a note. */
export class Review extends Reader {
  constructor(me, keys, top) {
    super(me, top);
    reviewKeys(keys, this);
  }

  #edit(...edits) {
    return this.saver.edit(edits);
  }

  #current(kind = "span") {
    const found = this.cursor && this.cursor.kind !== "text" ? this.find(this.cursor.id) : null;
    return found?.kind === kind ? found : null;
  }

  #decide(edit) { // decide the current place, then go on to the next one in doubt
    const span = this.#current();
    const wasDoubtful = isDoubtful(span);
    const at = span.start;
    this.#edit({ ...edit, span: span.id });
    if (!wasDoubtful) return;
    const next = this.places().find((place) => place.start > at);
    if (next) this.doubtful(1);
  }

  accept() {
    if (this.cursor?.kind === "text") return this.label();
    const miss = this.#current("miss");
    if (miss) return miss.label ? this.add(miss.label, miss) : this.label();
    const span = this.#current();
    if (!span) return undefined;
    return this.#decide({ do: span.status === "rejected" ? "restore" : "accept" });
  }

  reject() {
    const miss = this.#current("miss");
    if (miss) {
      const at = miss.start;
      this.#edit({ do: "dismiss", miss: miss.miss });
      this.cursor = { kind: "none", start: at, end: at };
      if (this.places().some((place) => place.start > at)) this.doubtful(1);
      else this.clear();
      return;
    }
    const span = this.#current();
    if (span) this.#decide({ do: span.status === "added" ? "remove" : "reject" });
  }

  restore() {
    const span = this.#current();
    if (span && span.status !== "found" && span.status !== "added") this.#edit({ do: "restore", span: span.id });
  }

  /** Add a range under a label; without a range, what is selected. */
  add(label, range = this.cursor) {
    if (!range) return;
    this.remember(label);
    const { start, end } = range;
    getSelection()?.removeAllRanges();
    this.cursor = null;
    this.#edit({ do: "add", start, end, label });
    const made = this.note.spans.find((span) => span.start === start && span.end === end && span.label === label);
    if (range.kind === "miss" && this.places().some((place) => place.start > start)) {
      this.cursor = { kind: "none", start, end };
      this.doubtful(1);
    } else if (made) this.goTo(made.id);
  }

  /** Give the current span, miss or selection another label. */
  async label() {
    const range = this.cursor;
    if (!range || !this.note) return;
    const found = range.kind === "text" ? null : this.find(range.id);
    const label = await this.#askLabel(found ? "Label" : "Add as", range, found?.label);
    if (label) this.giveLabel(label, range);
  }

  async #askLabel(title, range, now = null) {
    this.keepText = true; // the dialog takes the focus; the chosen words stay
    const label = await chooseLabel(this.labels, { title, subtitle: this.view.slice(range.start, range.end), now, recent: this.quickLabels() });
    this.keepText = false;
    return label;
  }

  giveLabel(label, range = this.cursor) {
    if (!range) return;
    if (range.kind === "text") return void this.add(label, range);
    const found = this.find(range.id);
    if (found?.kind === "miss") return void this.add(label, found);
    if (!found) return;
    this.remember(label);
    this.#edit(found.label === label ? { do: "accept", span: found.id } : { do: "label", span: found.id, label });
  }

  /** Digits give the labels used last. */
  digit(number) {
    const label = this.quickLabels()[number - 1];
    if (!label || !this.cursor) return false;
    this.giveLabel(label);
    return true;
  }

  otherEdge() {
    if (!this.#current()) return;
    this.edge = this.edge === "end" ? "start" : "end";
    this.follow();
    say(`The ${this.edge} moves now`);
  }

  /** Move the chosen edge by words or characters; with chosen words, widen or narrow them. */
  nudge(direction, step = "word") {
    if (this.cursor?.kind === "text") return void this.moveWord(direction, true);
    this.move(...(this.edge === "start" ? [direction, 0] : [0, direction]), step);
  }

  /** Move start and end of the current span by one step each. */
  move(start, end, step = "word") {
    const span = this.#current();
    if (!span) return;
    const { points, text } = this.view;
    const by = step === "word" ? stepWord : stepCharacter;
    let [from, to] = [points.toUnit(span.start), points.toUnit(span.end)];
    if (start) from = start > 0 ? (step === "word" ? nextWord(text, from) : by(text, from, 1)) : by(text, from, -1);
    if (end) to = end > 0 ? by(text, to, 1) : (step === "word" ? lastWord(text, to) : by(text, to, -1));
    if (from >= to) return;
    this.moveTo({ start: points.toPoint(from), end: points.toPoint(to) }, span);
  }

  /** Make the span that the chosen words touch exactly those words. */
  fit() {
    if (this.cursor?.kind !== "text") return void this.otherEdge();
    const { start, end } = this.cursor;
    const span = this.note.spans.find((one) => counts(one) && one.start < end && start < one.end);
    if (!span) return void toast("The selected text touches no mark. T adds one.");
    this.goTo(span.id);
    this.moveTo({ start, end }, span);
  }

  tentative(range) { // while a grip is dragged
    this.view.setSpans(this.note.spans.map((span) => (span.id === this.cursor.id ? { ...span, ...range } : span)), this.misses);
  }

  moveTo({ start, end }, from) {
    const { points, text } = this.view;
    const tidied = tidy(text, points.toUnit(start), points.toUnit(end));
    const range = tidied && { start: points.toPoint(tidied.from), end: points.toPoint(tidied.to) };
    if (!range || (range.start === from.start && range.end === from.end)) return void this.spansChanged();
    Object.assign(this.cursor, range);
    this.#edit({ do: "move", span: this.cursor.id, ...range });
    this.view.reveal(range.start);
  }

  async split() {
    const chosen = this.cursor?.kind === "text" ? this.cursor : null;
    const span = chosen ? this.note.spans.find((one) => counts(one) && one.start <= chosen.start && chosen.end <= one.end) : this.#current();
    if (!span) return;
    const { points, text } = this.view;
    const [from, to] = [points.toUnit(span.start), points.toUnit(span.end)];
    const places = [];
    for (let at = stepWord(text, from, 1); at < to; at = stepWord(text, at, 1)) places.push(nextWord(text, stepWord(text, at, -1)));
    const inside = [...new Set(places)].filter((at) => at > from && at < to);
    let at = inside[0];
    if (chosen) at = points.toUnit(chosen.start > span.start ? chosen.start : chosen.end);
    else if (!inside.length) return void toast("One word cannot be split. Select a part of it first.");
    else if (inside.length > 1) {
      at = await choose({ title: "Split before", items: inside.map((place) => ({ value: place, text: `${text.slice(from, place)} │ ${text.slice(place, to)}`, search: "" })) });
    }
    if (at === null || at === undefined) return;
    this.goTo(span.id);
    this.#edit({ do: "split", span: span.id, at: points.toPoint(at) });
  }

  /** Do the same to all alike: in this note, this patient, or the project. */
  async alike(what) {
    const range = this.cursor;
    if (!range || !this.note) return;
    const found = range.kind === "text" ? null : this.find(range.id);
    const doing = found?.kind === "span" ? what : "add";
    let label = found?.label ?? null;
    if (doing === "label" || label === null) label = await this.#askLabel(doing === "label" ? "Label all alike" : "Add all alike as", range, label);
    if (!label) return;
    const words = { add: "Add all alike", accept: "Accept all alike", reject: "Reject all alike", label: `Label all alike ${labelName(label)}` };
    this.keepText = true;
    const where = await choose({ title: words[doing], subtitle: this.view.slice(range.start, range.end), items: [
      { value: "note", text: "In this note", search: "" },
      { value: "patient", text: "In all notes of this patient", search: "", disabled: !this.note.patient },
      { value: "project", text: "In the whole project", search: "" },
    ] });
    this.keepText = false;
    if (!where) return;
    const target = found?.kind === "span" ? { span: found.id } : { start: range.start, end: range.end };
    const answer = await this.#edit({ do: "alike", ...target, what: doing, label, where });
    if (!answer) return;
    if (where !== "note") this.queue.load();
    const others = answer.notes_changed ?? 1;
    toast(`${words[doing]}: ${others} ${others === 1 ? "note" : "notes"} changed.`);
    if (range.kind === "text") this.clear();
  }

  undo() {
    if (this.note?.can_undo) this.saver.undo();
  }

  redo() {
    if (this.note?.can_redo) this.saver.redo();
  }

  // ---- from note to note ---------------------------------------------------------------------------------------

  /** Say that the note is read, and open the next one. Keys wait until it is there: see review_keys.js. */
  async finish() {
    if (!this.note) return;
    let arrived;
    this.leaving = new Promise((resolve) => { arrived = resolve; });
    try {
      await this.#finish();
    } finally {
      this.leaving = null;
      arrived();
    }
  }

  async #finish() {
    const { note } = this;
    const answer = await this.saver.done(note.state !== "done");
    if (!answer) return;
    this.frame.state(answer.state);
    this.queue.update(note.id, { state: answer.state });
    const me = await get("/api/me").catch(() => null);
    if (me) this.top.progress(me.project.done, me.project.notes);
    await this.queue.load();
    toast(answer.state === "done" ? `${note.title} is done.` : `${note.title} is open again.`);
    if (answer.state !== "done") return;
    const next = answer.next ?? (await this.queue.first());
    if (next === null || next === note.id) this.nothing("All notes of this list are done.");
    else await this.open(next);
  }

  go(direction) {
    const id = direction > 0 ? this.note?.next : this.note?.previous;
    if (id === null || id === undefined) toast(direction > 0 ? "This is the last note." : "This is the first note.");
    else this.open(id);
  }

  togglePreview() {
    if (this.frame.togglePreview()) this.preview.want(this.note?.id, { again: true });
    this.grips.place();
  }
}
