// Keys: one table of what they do, read by the keyboard and by the help that "?" opens.

import { el, keycap, put } from "./dom.js";

const FRIENDLY = {
  arrowright: "→", arrowleft: "←", arrowup: "↑", arrowdown: "↓", enter: "Enter", escape: "Esc", delete: "Del", backspace: "⌫",
  ctrl: "Ctrl", shift: "Shift", alt: "Alt",
};

/** A set of keys that are live on a page. */
export class Keys {
  constructor() {
    this.groups = [];
    this.table = new Map();
    this.started = null; // the first of two keys, as in "g d"
    addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Add keys under a heading: [keys, what they do, function]. Two keys after one another are written "g d". */
  add(heading, rows) {
    this.groups.push({ heading, rows });
    for (const [combos, , act, options = {}] of rows) for (const combo of [combos].flat()) this.table.set(combo, { act, ...options });
    return this;
  }

  #pressed(event) {
    if (event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, textarea, select")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const onControl = target instanceof Element && target.closest("a[href], button, summary");
    if (onControl && (event.key === "Enter" || event.key === " ")) return;
    const combo = comboOf(event);
    const both = this.started && `${this.started} ${combo}`;
    this.started = null;
    const found = (both && this.table.get(both)) || this.table.get(combo);
    if (found) {
      if (found.act(event) !== false) event.preventDefault();
    } else if ([...this.table.keys()].some((known) => known.startsWith(`${combo} `))) {
      this.started = combo;
      setTimeout(() => { this.started = null; }, 1200);
    }
  }

  /** Open the list of all keys. */
  help() {
    const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title", onclose: () => dialog.remove() });
    put(dialog,
      el("form", { method: "dialog", class: "dialog-head" },
        el("h2", { id: "help-title" }, "Keys"),
        el("button", { class: "button quiet", autofocus: true }, "Close", keycap("Esc"))),
      el("div", { class: "help-groups" }, this.groups.map(({ heading, rows }) => el("section", {},
        el("h3", {}, heading),
        el("dl", {}, rows.filter(([, what]) => what).map(([combos, what, , { shown } = {}]) => el("div", {},
          el("dt", {}, shown ? caps(shown.join(" ")) : [combos].flat().slice(0, 2).map((combo, index) => [index ? " or " : "", caps(combo)])),
          el("dd", {}, what))))))));
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** The keys of a combination as keycaps that screen readers read. */
function caps(combo) {
  return combo.split(" ").map((part) => el("span", { class: "keys" },
    part.split("+").filter(Boolean).map((name) => el("kbd", {}, FRIENDLY[name] ?? (name.length === 1 ? name.toUpperCase() : name)))));
}

function comboOf(event) {
  const name = event.key.toLowerCase();
  const letter = /^[a-z]$/.test(name) || event.key.length > 1;
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("ctrl");
  if (event.altKey) parts.push("alt");
  if (event.shiftKey && letter) parts.push("shift"); // "?" needs shift on some keyboards only
  parts.push(name === " " ? "space" : name);
  return parts.join("+");
}
