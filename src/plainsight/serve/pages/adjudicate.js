// Adjudication: two readers' versions side by side; every difference gets one answer.

import { get, post } from "./api.js";
import { button, el, put, say, toast } from "./dom.js";
import { NoteView } from "./note_view.js";
import { empty, page } from "./shell.js";
import { inOrder, labelName } from "./spans.js";

/** Show the page. */
export async function adjudicate(me, keys) {
  const category = new Map(me.labels.map(({ name, category: its }) => [name, its]));
  const categoryOf = (label) => category.get(label) ?? "OTHER";
  const box = el("div", { class: "stack" });
  page("Adjudicate", "Notes that two people read alone, and marked differently. Choose a side for each difference; what both marked stays.", box);
  let state = null;
  keys.add("Adjudicate", [
    ["j", "Next difference", () => step(1)], ["k", "Difference before", () => step(-1)],
    ["1", "Take the left reader's side", () => take(0)], ["2", "Take the right reader's side", () => take(1)],
    ["d", "Done, next note", () => finish()],
  ]);
  await open(new URLSearchParams(location.search).get("note"));

  async function open(id) {
    const queue = await get("/api/queue", { order: "position", state: "disagree", limit: 50 });
    const wanted = id ?? queue.notes[0]?.id;
    if (wanted === undefined) {
      state = null;
      put(box, empty("No note waits for you", "Notes come here when two readers have finished them and their marks differ."));
      return;
    }
    const note = await get(`/api/notes/${encodeURIComponent(wanted)}/versions`);
    const versions = note.versions.map((version) => ({ ...version, spans: inOrder(version.spans) }));
    if (versions.length < 2) {
      put(box, empty("This note has one version only", "A second reader has not finished it."));
      return;
    }
    const { agreed, differences } = compare(versions[0].spans, versions[1].spans);
    state = { note, versions, agreed, differences, at: 0, total: queue.total };
    for (const difference of differences) difference.chosen = prior(difference, note.final);
    draw();
  }

  function draw() {
    const { note, versions, differences, total } = state;
    const panes = versions.slice(0, 2).map((version, side) => {
      const reading = el("div", { class: "reading" });
      const scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": `As ${version.reader} marked it` }, reading);
      const view = new NoteView(reading, { categoryOf });
      view.setText(note.text);
      const differing = new Set(differences.flatMap((difference) => difference.sides[side]));
      view.setSpans(version.spans.map((span) => ({ ...span, id: key(span), status: undefined })));
      for (const span of differing) for (const mark of view.marksOf(key(span))) mark.classList.add("differs");
      reading.addEventListener("click", (event) => {
        const id = event.target.closest("mark")?.dataset.span;
        const index = differences.findIndex((difference) => difference.sides[side].some((span) => key(span) === id));
        if (index >= 0) select(index);
      });
      return { view, scroller, element: el("section", { class: "version" }, el("h2", {}, version.reader), scroller) };
    });
    state.panes = panes;
    together(panes.map(({ scroller }) => scroller));
    const words = (spans) => (spans.length ? spans.map((span) => `${labelName(span.label)}: ${panes[0].view.slice(span.start, span.end)}`).join(" + ") : "no mark");
    state.rows = differences.map((difference, index) => {
      const sides = [0, 1].map((side) => button({ text: words(difference.sides[side]), key: String(side + 1), pressed: false, onclick: () => {
        select(index);
        take(side, false);
      } }));
      const points = panes[0].view;
      const row = el("div", { class: "difference", role: "group", "aria-label": `Difference ${index + 1}` },
        el("span", { class: "context clip" }, "…", points.slice(Math.max(0, difference.start - 24), difference.start), el("strong", {}, points.slice(difference.start, difference.end)),
          points.slice(difference.end, Math.min(points.points.length, difference.end + 24)), "…"), sides);
      row.addEventListener("click", (event) => event.target.closest("button") || select(index));
      return { row, sides };
    });
    state.left = el("span", { class: "badge" });
    state.done = button({ text: "Done, next", drawing: "check", key: "D", kind: "main", onclick: finish });
    put(box,
      el("div", { class: "bar" }, el("h2", {}, note.title), state.left, el("span", { class: "soft" }, `${total} ${total === 1 ? "note waits" : "notes wait"}`), el("span", { class: "gap" }), state.done),
      el("div", { class: "versions" }, panes.map(({ element }) => element)),
      el("section", { class: "card" }, el("h2", {}, "Differences"), el("div", { class: "differences" }, state.rows.map(({ row }) => row))));
    select(0);
  }

  function select(index) {
    state.at = index;
    for (const [one, { row, sides }] of state.rows.entries()) {
      if (one === index) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      for (const [side, control] of sides.entries()) control.setAttribute("aria-pressed", String(state.differences[one].chosen === side));
    }
    const open_ = state.differences.filter(({ chosen }) => chosen === null).length;
    state.left.textContent = open_ ? `${open_} to decide` : "all decided";
    state.left.classList.toggle("calm", !open_);
    state.done.disabled = open_ > 0;
    const difference = state.differences[index];
    if (!difference) return;
    state.rows[index].row.scrollIntoView({ block: "nearest" });
    for (const [side, { view }] of state.panes.entries()) {
      view.setCurrent(difference.sides[side].length ? key(difference.sides[side][0]) : null);
      view.reveal(difference.start);
    }
  }

  function step(direction) {
    if (!state?.differences.length) return;
    select((state.at + direction + state.differences.length) % state.differences.length);
  }

  function take(side, go = true) {
    const difference = state?.differences[state.at];
    if (!difference) return;
    difference.chosen = side;
    const next = state.differences.findIndex(({ chosen }, index) => chosen === null && index > state.at);
    const any = next >= 0 ? next : state.differences.findIndex(({ chosen }) => chosen === null);
    select(go && any >= 0 ? any : state.at);
    say(`${state.versions[side].reader}'s side taken`);
  }

  async function finish() {
    if (!state || state.differences.some(({ chosen }) => chosen === null)) return;
    const spans = inOrder([...state.agreed, ...state.differences.flatMap(({ sides, chosen }) => sides[chosen])]);
    try {
      await post(`/api/notes/${state.note.id}/adjudicate`, { spans: spans.map(({ start, end, label }) => ({ start, end, label })) });
      toast(`${state.note.title} is settled.`);
      await open(null);
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}

const key = (span) => `${span.start}-${span.end}-${span.label}`;

/** What both marked, and the stretches of text where they differ. */
export function compare(left, right) {
  const mine = new Set(left.map(key));
  const yours = new Set(right.map(key));
  const agreed = left.filter((span) => yours.has(key(span)));
  const rest = [
    ...left.filter((span) => !yours.has(key(span))).map((span) => ({ span, side: 0 })),
    ...right.filter((span) => !mine.has(key(span))).map((span) => ({ span, side: 1 })),
  ].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const differences = [];
  for (const { span, side } of rest) {
    let last = differences.at(-1);
    if (!last || span.start >= last.end) differences.push(last = { start: span.start, end: span.end, sides: [[], []], chosen: null });
    last.sides[side].push(span);
    last.end = Math.max(last.end, span.end);
  }
  return { agreed, differences };
}

function prior({ sides }, final) { // when the note was settled before, its answers are shown
  if (!final) return null;
  const has = new Set(final.map(key));
  const side = sides.findIndex((spans) => spans.length && spans.every((span) => has.has(key(span))));
  if (side >= 0) return side;
  return sides.findIndex((spans) => !spans.length) >= 0 ? sides.findIndex((spans) => !spans.length) : null;
}

function together([left, right]) { // both versions scroll as one
  let leader = null;
  for (const [one, other] of [[left, right], [right, left]]) {
    one.addEventListener("scroll", () => {
      if (leader && leader !== one) return;
      leader = one;
      other.scrollTop = one.scrollTop;
      requestAnimationFrame(() => { leader = null; });
    }, { passive: true });
  }
}
