// Build elements. Text only ever becomes text nodes: what a note holds can never become markup or script.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: properties that begin with "on" are listeners, "class" and attributes are set as they are. */
export function el(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Make an SVG element. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "vars") for (const [key, set] of Object.entries(value)) element.style.setProperty(key, set);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replace what an element holds. */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Say something to screen readers. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/** Show a short message at the bottom; it also reaches screen readers. */
export function toast(text, kind = "") {
  const box = el("div", { class: `toast ${kind}` }, text);
  document.getElementById("toasts").append(box);
  say(text);
  setTimeout(() => box.remove(), kind === "bad" ? 8000 : 3500);
}

/** Show keys of the keyboard. */
export function keycap(...names) {
  return el("span", { class: "keys", "aria-hidden": "true" }, names.map((name) => el("kbd", {}, name)));
}

const PATHS = {
  check: "M4 10.5l4 4 8-9",
  cross: "M5 5l10 10M15 5L5 15",
  tag: "M3 10.5V4a1 1 0 0 1 1-1h6.5L17 9.5 10.5 16zM6.8 6.8h.01",
  undo: "M7 5L3 9l4 4M3 9h8a5 5 0 0 1 0 10H9",
  redo: "M13 5l4 4-4 4M17 9H9a5 5 0 0 0 0 10h2",
  split: "M10 3v14M3 7h4M3 13h4M13 7h4M13 13h4",
  columns: "M3 4h14v12H3zM10 4v12",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M4 16l1.4-1.4M14.6 5.4L16 4",
  moon: "M16 12.5A7 7 0 0 1 7.5 4a7 7 0 1 0 8.5 8.5z",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M10 14.8h.01",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  up: "M5 12l5-5 5 5",
  down: "M5 8l5 5 5-5",
  next: "M8 5l5 5-5 5",
  previous: "M12 5l-5 5 5 5",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6",
  restore: "M4 4v5h5M4.6 9A6 6 0 1 1 4 12",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4",
  type: "M4 5h12M10 5v11M7.5 16h5",
  person: "M10 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4 17c.5-3.5 3-5 6-5s5.500 1.500 6 5",
  grow: "M7 6L3 10l4 4M13 6l4 4-4 4M3 10h14",
};

/** A small line drawing; it says nothing to screen readers. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

/** A button with a drawing, words and the key that does the same. */
export function button({ text, drawing, key, title, name = null, onclick, kind = "", disabled = false, pressed = null }) {
  return el("button", {
    type: "button", class: `button ${kind}`, onclick, disabled, title: title ?? null,
    "aria-label": text ? name : title, "aria-pressed": pressed === null ? null : String(pressed),
  }, drawing && icon(drawing), text && el("span", {}, text), key && keycap(...[key].flat()));
}
