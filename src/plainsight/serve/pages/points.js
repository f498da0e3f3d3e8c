// Offsets in JSON count code points; JavaScript strings count UTF-16 units. This file is the only bridge.

/** Converts between code points and UTF-16 units of one text. */
export class Points {
  constructor(text) {
    this.pairs = []; // where surrogate pairs begin, in units
    for (let unit = 0; unit < text.length - 1; unit++) {
      const high = text.charCodeAt(unit);
      if (high < 0xd800 || high > 0xdbff) continue;
      const low = text.charCodeAt(unit + 1);
      if (low >= 0xdc00 && low <= 0xdfff) this.pairs.push(unit++);
    }
    this.units = text.length;
    this.length = text.length - this.pairs.length;
  }

  /** The code point at a UTF-16 unit; the middle of a pair counts as its begin. */
  toPoint(unit) {
    if (!this.pairs.length) return unit;
    const before = this.#count((pair) => pair + 2 <= unit);
    const inside = before < this.pairs.length && this.pairs[before] < unit;
    return unit - before - (inside ? 1 : 0);
  }

  /** The UTF-16 unit where a code point begins. */
  toUnit(point) {
    if (!this.pairs.length) return point;
    return point + this.#count((pair, index) => pair - index < point);
  }

  #count(holds) { // pairs are ascending: how many at the front satisfy the condition
    let low = 0;
    let high = this.pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.pairs[middle], middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const WORD = /[\p{L}\p{N}\p{M}_'’]/u;

/** The next border between characters as a person sees them: an emoji or a letter with its accent is one. */
export function stepCharacter(text, unit, direction) {
  const from = Math.max(0, unit - 64);
  const borders = [...graphemes.segment(text.slice(from, unit + 64))].map((part) => from + part.index);
  borders.push(Math.min(text.length, unit + 64));
  if (direction > 0) return borders.find((border) => border > unit) ?? text.length;
  return borders.findLast((border) => border < unit) ?? 0;
}

/** The next border of a word: forward its end, backward its begin. Spaces are skipped, other signs stand alone. */
export function stepWord(text, unit, direction) {
  const sign = (at) => (direction > 0 ? text.slice(at, stepCharacter(text, at, 1)) : text.slice(stepCharacter(text, at, -1), at));
  const open = (at) => (direction > 0 ? at < text.length : at > 0);
  let at = unit;
  while (open(at) && /^\s/u.test(sign(at))) at = stepCharacter(text, at, direction);
  if (!open(at)) return at;
  if (!WORD.test(sign(at))) return stepCharacter(text, at, direction);
  while (open(at) && WORD.test(sign(at))) at = stepCharacter(text, at, direction);
  return at;
}

/** Widen a range to whole characters and trim spaces at its ends; null when nothing is left. */
export function tidy(text, start, end) {
  let [from, to] = start < end ? [start, end] : [end, start];
  while (from < to && /\s/u.test(text[from])) from++;
  while (to > from && /\s/u.test(text[to - 1])) to--;
  if (from === to) return null;
  if (from > 0) from = stepCharacter(text, stepCharacter(text, from, -1), 1) > from ? stepCharacter(text, from, -1) : from;
  if (to < text.length) {
    const before = stepCharacter(text, to, -1);
    to = stepCharacter(text, before, 1);
  }
  return { from, to };
}

/** The word around a unit, as a range, or null between words. */
export function wordAt(text, unit) {
  let from = unit;
  let to = unit;
  while (from > 0 && WORD.test(text.slice(stepCharacter(text, from, -1), from))) from = stepCharacter(text, from, -1);
  while (to < text.length && WORD.test(text.slice(to, stepCharacter(text, to, 1)))) to = stepCharacter(text, to, 1);
  return from < to ? { from, to } : null;
}

/** The next word after a unit, or the one before it, as [from, to]; null at the end of the text. */
export function wordFrom(text, unit, direction = 1) {
  for (let at = unit; direction > 0 ? at < text.length : at > 0;) {
    const next = stepWord(text, at, direction);
    const back = stepWord(text, next, -direction);
    if (WORD.test(text.slice(Math.min(back, next), Math.max(back, next)))) return direction > 0 ? [back, next] : [next, back];
    at = next;
  }
  return null;
}

/** From the begin of a word to the begin of the next one. */
export function nextWord(text, unit) {
  let at = stepWord(text, unit, 1);
  while (at < text.length && /\s/u.test(text[at])) at++;
  return at;
}

/** From the end of a word back to the end of the one before. */
export function lastWord(text, unit) {
  let at = stepWord(text, unit, -1);
  while (at > 0 && /\s/u.test(text[at - 1])) at--;
  return at;
}
