// Draw a note: one element a line, one a span. After an edit only the lines that changed are drawn again.

import { el } from "./dom.js";
import { Points } from "./points.js";
import { counts, isDoubtful, labelName, missName, percent, statusName } from "./spans.js";

/** A note on the page. Outside, offsets are code points; inside, UTF-16 units. */
export class NoteView {
  constructor(box, { categoryOf, name = "note" }) {
    this.box = box;
    this.categoryOf = categoryOf;
    this.box.classList.add("note-text");
    this.name = name;
    this.current = null;
    this.setText("");
  }

  /** Show another text, without spans. */
  setText(text) {
    this.text = text;
    this.points = new Points(text);
    this.lines = [];
    const fragment = document.createDocumentFragment();
    let start = 0;
    for (const part of text.split("\n")) {
      const element = el("div", { class: "line" });
      element.dataset.line = this.lines.length;
      element.textContent = part;
      fragment.append(element);
      this.lines.push({ start, end: start + part.length, element, drawn: "" });
      start += part.length + 1;
    }
    this.box.replaceChildren(fragment);
    this.current = null;
  }

  /** Show these spans and likely misses. Returns how many lines were drawn again. */
  setSpans(spans, misses = []) {
    const layers = [];
    for (const span of spans) layers.push(this.#layer(span, counts(span) ? 2 : 1));
    for (const miss of misses) layers.push(this.#layer({ ...miss, id: missId(miss), miss: true }, 0));
    layers.sort((a, b) => a.from - b.from || b.rank - a.rank);
    let next = 0;
    let open = [];
    let drawn = 0;
    for (const line of this.lines) {
      while (next < layers.length && layers[next].from <= line.end) open.push(layers[next++]);
      const here = open.filter((layer) => layer.to > line.start && layer.from < line.end);
      open = open.filter((layer) => layer.to > line.end);
      const signature = here.map((layer) => layer.signature).join("|");
      if (signature === line.drawn) continue;
      line.drawn = signature;
      this.#draw(line, here);
      drawn++;
    }
    if (this.current) this.setCurrent(this.current);
    return drawn;
  }

  #layer(span, rank) {
    const from = this.points.toUnit(span.start);
    const to = this.points.toUnit(span.end);
    const doubtful = !span.miss && isDoubtful(span);
    const signature = `${span.id},${from},${to},${span.label},${span.status ?? span.probability},${doubtful}`;
    return { span, from, to, rank, doubtful, signature };
  }

  #draw(line, layers) {
    const borders = new Set([line.start, line.end]);
    for (const layer of layers) {
      borders.add(Math.max(layer.from, line.start));
      borders.add(Math.min(layer.to, line.end));
    }
    const sorted = [...borders].sort((a, b) => a - b);
    const children = [];
    let last = null;
    for (let index = 0; index + 1 < sorted.length; index++) {
      const [from, to] = [sorted[index], sorted[index + 1]];
      const over = layers.filter((layer) => layer.from < to && from < layer.to);
      const top = over.reduce((best, layer) => (best === null || layer.rank > best.rank ? layer : best), null);
      const text = this.text.slice(from, to);
      if (top === null) children.push(document.createTextNode(text));
      else if (last?.layer === top && last.to === from) last.mark.firstChild.data += text;
      else children.push(this.#mark(top, from, text));
      last = top === null ? null : { layer: top, to, mark: children.at(-1) };
    }
    line.element.replaceChildren(...children);
  }

  #mark({ span, from, to, doubtful }, begin, text) {
    const mark = el("mark", { class: span.miss ? `miss${span.label ? "" : " rare"}` : `span ${span.status ?? "shown"}${doubtful ? " doubtful" : ""}` }, text);
    mark.dataset.span = span.id;
    mark.dataset.category = this.categoryOf(span.label);
    if (begin > from) mark.classList.add("goes-on");
    if (begin + text.length >= to) mark.dataset.tag = tag(span);
    mark.title = describe(span);
    return mark;
  }

  /** Which span or miss is the one that keys work on; null for none. Returns its first element. */
  setCurrent(id) {
    for (const mark of this.box.querySelectorAll("mark.current")) mark.classList.remove("current");
    this.current = id;
    const marks = id === null ? [] : this.marksOf(id);
    for (const mark of marks) mark.classList.add("current");
    return marks[0] ?? null;
  }

  /** The elements that show a span. */
  marksOf(id) {
    return [...this.box.querySelectorAll(`mark[data-span="${CSS.escape(String(id))}"]`)];
  }

  /** Bring a place into view when it is not. */
  reveal(point) {
    const range = this.rangeOf(point, point + 1);
    const scroller = this.box.closest(".scroller");
    const place = range.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    if (place.top < frame.top + 60 || place.bottom > frame.bottom - 90) {
      scroller.scrollTop += place.top - frame.top - frame.height * 0.38;
    }
  }

  /** The code point of a place in the page, or null outside the note. */
  pointOf(node, offset) {
    if (!this.box.contains(node)) return null;
    if (node === this.box) {
      const line = this.lines[Math.min(offset, this.lines.length - 1)];
      return this.points.toPoint(offset >= this.lines.length ? line.end : line.start);
    }
    const element = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".line");
    if (!element) return null;
    const range = document.createRange();
    range.setStart(element, 0);
    range.setEnd(node, offset);
    return this.points.toPoint(this.lines[Number(element.dataset.line)].start + range.toString().length);
  }

  /** The code point under the pointer, or null. */
  pointAt(x, y) {
    const place = document.caretPositionFromPoint?.(x, y);
    if (place) return this.pointOf(place.offsetNode, place.offset);
    const range = document.caretRangeFromPoint?.(x, y);
    return range ? this.pointOf(range.startContainer, range.startOffset) : null;
  }

  /** What is selected in the note, in code points; null when nothing is. */
  selected() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    const start = this.pointOf(range.startContainer, range.startOffset);
    const end = this.pointOf(range.endContainer, range.endOffset);
    return start === null || end === null || start >= end ? null : { start, end };
  }

  /** A DOM range over code points. */
  rangeOf(start, end) {
    const range = document.createRange();
    range.setStart(...this.#place(this.points.toUnit(start)));
    range.setEnd(...this.#place(this.points.toUnit(end)));
    return range;
  }

  /** The line that holds a UTF-16 unit, as an index. */
  lineOf(unit) {
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lines[middle].start <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #place(unit) {
    const line = this.lines[this.lineOf(unit)];
    let left = Math.min(unit, line.end) - line.start;
    const walker = document.createTreeWalker(line.element, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (node && left > node.length) {
      left -= node.length;
      node = walker.nextNode();
    }
    return node ? [node, left] : [line.element, 0];
  }

  /** The words between two code points. */
  slice(start, end) {
    return this.text.slice(this.points.toUnit(start), this.points.toUnit(end));
  }
}

/** The name of a miss among spans. */
export const missId = (miss) => `miss-${miss.start}-${miss.end}`;

const SIGNS = { accepted: "✓ ", rejected: "✕ ", added: "+ ", changed: "~ " };

function tag(span) {
  if (span.miss) return span.label ? percent(span.probability) : "";
  return (SIGNS[span.status] ?? "") + labelName(span.label);
}

function describe(span) {
  if (span.miss) return span.label ? `${missName(span)} · ${percent(span.probability)}` : missName(span);
  const parts = [labelName(span.label)];
  if (span.status) parts.push(statusName(span.status));
  if (span.score !== null && span.score !== undefined) parts.push(`score ${span.score.toFixed(2)}`);
  if (span.source) parts.push(span.source);
  return parts.join(" · ");
}
