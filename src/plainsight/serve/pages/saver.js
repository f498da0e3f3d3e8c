// Send edits one after another, show them at once, and never lose one: what the server has not confirmed is tried again.

import { Refused, Unreachable, get, post } from "./api.js";
import { applied, settledId } from "./spans.js";

/** Seconds of real work on a note: pauses of more than a minute and time in other windows do not count. */
export class Clock {
  constructor() {
    this.last = performance.now();
    this.sum = 0;
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"]) addEventListener(kind, () => this.tick(), { passive: true });
  }

  tick() {
    const now = performance.now();
    const passed = (now - this.last) / 1000;
    if (passed < 60 && !document.hidden) this.sum += passed;
    this.last = now;
  }

  /** The seconds since the last call. */
  take() {
    this.tick();
    const seconds = Math.round(this.sum * 10) / 10;
    this.sum = 0;
    return seconds;
  }
}

/** Keeps the spans of one note the same here and at the server. */
export class Saver {
  constructor(note, clock, { onspans, onstate, onlost }) {
    this.note = note; // id, revision, spans, misses, can_undo, can_redo
    this.clock = clock;
    this.onspans = onspans;
    this.onstate = onstate;
    this.onlost = onlost;
    this.waiting = [];
    this.named = new Map(); // ids made here -> ids of the server
    this.busy = false;
    this.closed = false;
  }

  /** Do edits: one step of undo. Returns a promise of the server's answer. */
  edit(edits) {
    for (const edit of edits) {
      this.note.spans = applied(this.note.spans, edit);
      if (edit.do === "dismiss") this.note.misses = this.note.misses.filter((miss) => miss.miss !== edit.miss);
    }
    this.note.can_undo = true;
    this.note.can_redo = false;
    this.onspans();
    const fresh = this.note.spans.filter((span) => String(span.id).startsWith("new-"));
    return this.#queue({ path: "edits", body: { edits }, fresh });
  }

  undo() { return this.#queue({ path: "undo", body: {} }); }

  redo() { return this.#queue({ path: "redo", body: {} }); }

  done(done) { return this.#queue({ path: "done", body: { done } }); }

  /** Is all saved? */
  get clean() { return !this.waiting.length; }

  #queue(task) {
    return new Promise((resolve) => {
      this.waiting.push({ ...task, resolve });
      this.#run();
    });
  }

  async #run() {
    if (this.busy) return;
    this.busy = true;
    for (let tries = 0; this.waiting.length && !this.closed;) {
      const task = this.waiting[0];
      this.onstate(tries ? "waiting" : "saving");
      try {
        const answer = await this.#send(task);
        tries = 0;
        this.waiting.shift();
        this.#settle(task, answer);
        task.resolve(answer);
      } catch (error) {
        if (error instanceof Unreachable) {
          tries++;
          this.onstate("waiting");
          await new Promise((wake) => setTimeout(wake, Math.min(5000, 300 * 2 ** tries)));
        } else if (this.#wasDone(error, tries)) {
          tries = 0; // the answer got lost, not the edit
          this.waiting.shift();
          this.#settle(task, await get(`/api/notes/${this.note.id}`));
          task.resolve(null);
        } else {
          tries = 0;
          this.#lost(error);
        }
      }
    }
    this.busy = false;
    if (!this.closed) this.onstate("saved");
  }

  #send(task) {
    const body = { ...task.body, revision: this.note.revision };
    if (body.edits) body.edits = body.edits.map((edit) => (this.named.has(edit.span) ? { ...edit, span: this.named.get(edit.span) } : edit));
    if (task.path === "edits" || task.path === "done") body.seconds = task.seconds ??= this.clock.take();
    return post(`/api/notes/${this.note.id}/${task.path}`, body);
  }

  #wasDone(error, tries) {
    return tries > 0 && error instanceof Refused && error.status === 409 && error.answer?.revision === this.note.revision + 1;
  }

  #settle(task, answer) {
    this.note.revision = answer.revision ?? this.note.revision;
    if (!answer.spans) {
      if (answer.state) this.note.state = answer.state;
      return;
    }
    for (const span of task.fresh ?? []) {
      const id = settledId(span, answer.spans);
      if (id !== undefined) this.named.set(span.id, id);
    }
    if (this.waiting.length) return; // newer edits are shown already; their answers bring the rest
    Object.assign(this.note, { spans: answer.spans, misses: answer.misses ?? this.note.misses });
    this.note.can_undo = answer.can_undo ?? this.note.can_undo;
    this.note.can_redo = answer.can_redo ?? this.note.can_redo;
    this.onspans(this.named);
  }

  #lost(error) { // the page shows what the server has, and says what happened
    const dropped = this.waiting.splice(0);
    this.closed = true;
    this.onlost(error);
    for (const task of dropped) task.resolve(null);
  }
}
