// Reading on the review page: open a note, go from place to place, choose words. Changing it: review.js.

import { Refused, get } from "./api.js";
import { say, toast } from "./dom.js";
import { Grips } from "./grips.js";
import { Inspector } from "./inspector.js";
import { NoteView, missId } from "./note_view.js";
import { stepWord, tidy, wordAt, wordFrom } from "./points.js";
import { Preview } from "./preview.js";
import { Queue } from "./queue.js";
import { drawFrame } from "./review_frame.js";
import { Clock, Saver } from "./saver.js";
import { may } from "./shell.js";
import { counts, doubtfulPlaces, inOrder, labelName, missName, openMisses, statusName } from "./spans.js";

/** What the review page shows, and where its keys work. `actions` of buttons are methods of the subclass. */
export class Reader {
  constructor(me, top) {
    this.me = me;
    this.top = top;
    this.labels = me.labels;
    const category = new Map(me.labels.map(({ name, category: its }) => [name, its]));
    this.categoryOf = (label) => category.get(label) ?? "OTHER";
    this.recent = JSON.parse(localStorage.getItem("labels") ?? "[]");
    this.clock = new Clock();
    this.cursor = null; // {kind: span|miss, id, start, end} or {kind: text, start, end}
    this.edge = "end"; // the edge that keys move
    this.frame = drawFrame(document.getElementById("main"), this);
    this.view = new NoteView(this.frame.note, { categoryOf: this.categoryOf });
    this.inspector = new Inspector(this.frame.inspector, { actions: this, categoryOf: this.categoryOf });
    this.preview = new Preview(this.frame.preview, { categoryOf: this.categoryOf, onready: () => this.#previewed(), onchoose: (id) => this.goTo(id) });
    this.grips = new Grips(this.view, {
      actions: this, onmove: (range) => this.tentative(range), onmoved: (range, from) => this.moveTo(range, from),
    });
    this.queue = new Queue(this.frame.queue, { labels: me.labels, onopen: (id) => this.open(id), canDisagree: may(me, "adjudicator") });
    this.frame.note.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("selectionchange", () => this.#selecting());
    this.frame.note.addEventListener("dblclick", () => this.#selecting());
    addEventListener("popstate", () => this.#fromAddress());
    addEventListener("beforeunload", (event) => this.saver && !this.saver.clean && event.preventDefault());
  }

  /** Load the queue and the first note. */
  async start() {
    await this.queue.load();
    await this.#fromAddress();
  }

  async #fromAddress() {
    const asked = new URLSearchParams(location.search).get("note");
    const id = asked ?? (await this.queue.first());
    if (id === null) this.nothing();
    else await this.open(/^\d+$/.test(id) ? Number(id) : id, { push: false });
  }

  /** Open a note. */
  async open(id, { push = true, keep = null } = {}) {
    const asked = (this.asked = id);
    if (this.saver && !this.saver.clean && !keep) await this.#settled();
    let note;
    try {
      const { order, state, label } = this.queue.filters;
      note = await get(`/api/notes/${encodeURIComponent(id)}`, { order, state, label });
    } catch (error) {
      if (!(error instanceof Refused)) toast(error.message, "bad");
      else if (error.status === 404) this.nothing("This note does not exist.");
      else toast(error.message, "bad");
      return;
    }
    if (asked !== this.asked) return;
    if (push) history.pushState(null, "", `/?note=${encodeURIComponent(id)}`);
    document.title = `${note.title} · plainsight`;
    note.spans = inOrder(note.spans);
    this.note = note;
    this.clock.take();
    if (this.saver) this.saver.closed = true;
    this.saver = new Saver(note, this.clock, {
      onspans: (named) => this.spansChanged(named), onstate: (state) => this.top.saved(state), onlost: (error) => this.#lost(error),
    });
    this.top.saved("saved");
    if (this.view.text !== note.text || !keep) this.view.setText(note.text);
    this.frame.show(note);
    if (!keep) this.frame.note.closest(".scroller").scrollTop = 0;
    this.cursor = null;
    this.spansChanged();
    this.queue.show(note.id);
    if (keep) this.goTo(keep);
    else say(`Note ${note.title}, ${this.places().length} places in doubt`);
  }

  nothing(words = "Nothing left to read here.") {
    this.note = null;
    this.saver = null;
    this.frame.nothing(words);
    this.inspector.clear();
    this.grips.follow(null);
    this.preview.clear();
  }

  #settled() {
    return new Promise((resolve) => {
      const look = () => (this.saver.clean || this.saver.closed ? resolve() : setTimeout(look, 30));
      look();
    });
  }

  async #lost(error) {
    if (error) toast(`${error.message} The note is shown as it is saved.`, "bad");
    await this.open(this.note.id, { push: false, keep: this.cursor?.id ?? "none" });
  }

  // ---- what is shown -------------------------------------------------------------------------------------------

  spansChanged(named = null) {
    const { note } = this;
    this.misses = openMisses(note.misses ?? [], note.spans);
    if (named && this.cursor?.kind === "span" && named.has(this.cursor.id)) this.cursor.id = named.get(this.cursor.id);
    this.view.setSpans(note.spans, this.misses);
    this.frame.history(note.can_undo, note.can_redo);
    if (this.cursor && this.cursor.kind !== "text" && !this.find(this.cursor.id)) this.cursor = null;
    this.follow();
    this.preview.want(note.id);
    const changed = note.spans.filter((span) => span.status !== "found").length;
    this.queue.update(note.id, { changed });
    this.frame.doubt(this.places().length);
  }

  find(id) {
    const span = this.note?.spans.find((one) => String(one.id) === String(id));
    if (span) return { kind: "span", ...span };
    const miss = this.misses?.find((one) => missId(one) === id);
    return miss ? { ...miss, kind: "miss", id } : null;
  }

  follow() {
    const { cursor, note } = this;
    const found = cursor?.kind === "text" ? cursor : cursor && this.find(cursor.id);
    this.view.setCurrent(found && found.kind !== "text" ? found.id : null);
    this.grips.follow(found ?? null);
    const text = found && this.view.slice(found.start, found.end);
    if (!found) this.inspector.note(note, this.places().length);
    else if (found.kind === "span") this.#showSpan(found);
    else if (found.kind === "miss") this.inspector.miss(found, text);
    else this.inspector.selection(text, this.quickLabels());
    this.preview.choose(found?.id ?? null);
  }

  #showSpan(span) {
    const surrogate = counts(span) ? this.preview.surrogate(span.id) : null;
    this.inspector.span(span, this.view.slice(span.start, span.end), { surrogate, edge: this.edge });
  }

  #previewed() {
    const found = this.cursor?.kind === "span" && this.find(this.cursor.id);
    if (found) this.#showSpan(found);
    this.preview.choose(this.cursor?.id ?? null);
  }

  /** The labels that digits give: those used last, then the commonest of the project. */
  quickLabels() {
    const usual = ["PATIENT", "DOCTOR", "DATE", "HOSPITAL", "CITY", "PHONE", "MEDICALRECORD", "AGE", "IDNUM"];
    const known = new Set(this.labels.map(({ name }) => name));
    return [...new Set([...this.recent, ...usual, ...known])].filter((name) => known.has(name)).slice(0, 9);
  }

  remember(label) {
    this.recent = [label, ...this.recent.filter((name) => name !== label)].slice(0, 5);
    localStorage.setItem("labels", JSON.stringify(this.recent));
  }

  // ---- where the keys work -------------------------------------------------------------------------------------

  /** Places in doubt, in the order of the text. */
  places() {
    return doubtfulPlaces(this.note?.spans ?? [], this.misses ?? []);
  }

  /** Make a span or miss the current one. */
  goTo(id) {
    const found = this.note && this.find(id);
    if (!found) return;
    getSelection()?.removeAllRanges();
    this.cursor = { kind: found.kind, id: found.id, start: found.start, end: found.end };
    this.view.reveal(found.start);
    this.follow();
    const words = this.view.slice(found.start, found.end);
    say(found.kind === "miss" ? `${missName(found)}: ${words}` : `${labelName(found.label)}: ${words}, ${statusName(found.status)}`);
  }

  /** Go to the next or previous of some places; wraps around. */
  step(places, direction, none) {
    if (!this.note) return;
    if (!places.length) {
      toast(none);
      return;
    }
    const at = this.cursor ? this.cursor.start : -1;
    const place = direction > 0
      ? places.find((one) => one.start > at) ?? places[0]
      : places.findLast((one) => one.start < (this.cursor ? at : Infinity)) ?? places.at(-1);
    this.goTo(place.kind === "miss" ? missId(place.miss) : (place.span ?? place).id);
  }

  doubtful(direction) {
    this.step(this.places(), direction, "No doubtful place left. D finishes this note.");
  }

  neighbour(direction) {
    if (this.cursor?.kind === "text") this.moveWord(direction, false);
    else this.step(this.note?.spans ?? [], direction, "This note has no marks.");
  }

  clear() {
    getSelection()?.removeAllRanges();
    this.cursor = null;
    if (this.note) this.follow();
  }

  #clicked(event) {
    if (this.view.selected()) return;
    const mark = event.target.closest("mark");
    if (mark) this.goTo(mark.dataset.span);
    else this.clear();
  }

  #selecting() {
    if (!this.note || document.querySelector("dialog[open]")) return;
    const range = this.view.selected();
    if (!range) {
      if (this.cursor?.kind === "text" && !this.keepText && getSelection()?.isCollapsed) this.clear();
      return;
    }
    const tidied = tidy(this.view.text, this.view.points.toUnit(range.start), this.view.points.toUnit(range.end));
    if (!tidied) return;
    this.cursor = { kind: "text", start: this.view.points.toPoint(tidied.from), end: this.view.points.toPoint(tidied.to) };
    clearTimeout(this.settle);
    this.settle = setTimeout(() => this.cursor?.kind === "text" && this.follow(), 60);
  }

  /** Choose words by keyboard: starts behind the current span, or at the top of what is in view. */
  words() {
    if (!this.note) return;
    const { points, text } = this.view;
    let unit = this.cursor ? points.toUnit(this.cursor.end) : 0;
    if (!this.cursor) {
      const frame = this.view.box.closest(".scroller").getBoundingClientRect();
      unit = this.view.lines.find((line) => line.element.getBoundingClientRect().bottom > frame.top + 8)?.start ?? 0;
    }
    const word = wordFrom(text, unit) ?? wordFrom(text, 0);
    if (word) this.#selectUnits(...word);
  }

  moveWord(direction, extend) {
    const { points, text } = this.view;
    let [from, to] = [points.toUnit(this.cursor.start), points.toUnit(this.cursor.end)];
    if (extend) to = direction > 0 ? stepWord(text, to, 1) : Math.max(stepWord(text, to, -1), from + 1);
    else [from, to] = wordFrom(text, direction > 0 ? to : from, direction) ?? [from, to];
    this.#selectUnits(from, Math.max(to, from + 1));
  }

  /** Move the chosen words a line up or down. */
  line(direction) {
    if (this.cursor?.kind !== "text") return false;
    const { points, lines, text } = this.view;
    const unit = points.toUnit(this.cursor.start);
    const here = this.view.lineOf(unit);
    let at = here + direction;
    while (lines[at] && !text.slice(lines[at].start, lines[at].end).trim()) at += direction;
    if (!lines[at]) return true;
    const column = Math.min(unit - lines[here].start, lines[at].end - lines[at].start);
    const word = wordAt(text, lines[at].start + column);
    const [from, to] = word ? [word.from, word.to] : wordFrom(text, lines[at].start) ?? [unit, unit + 1];
    this.#selectUnits(from, to);
    return true;
  }

  #selectUnits(from, to) {
    const { points } = this.view;
    this.#selectRange({ start: points.toPoint(from), end: points.toPoint(to) });
  }

  #selectRange({ start, end }) {
    const range = this.view.rangeOf(start, end);
    getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    this.cursor = { kind: "text", start, end };
    this.view.reveal(start);
    this.follow();
    say(this.view.slice(start, end));
  }
}
