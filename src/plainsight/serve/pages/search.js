// Leak search: where a string stands in the notes or in what replaces them, as it is, in variants, misspelt, or sounding alike.

import { get } from "./api.js";
import { button, el, put } from "./dom.js";
import { empty, page } from "./shell.js";

const HOW = { exact: "", variant: "warn", misspelt: "warn", "sounds alike": "warn" };

/** Show the page. */
export function search() {
  const asked = new URLSearchParams(location.search);
  const words = el("input", { id: "q", name: "q", value: asked.get("q") ?? "", placeholder: "A name, a number, a date", required: true, autocomplete: "off", spellcheck: "false" });
  const where = el("select", { id: "where" }, el("option", { value: "outputs" }, "in the outputs (leaks)"), el("option", { value: "inputs" }, "in the notes as they came"));
  const fuzzy = el("input", { id: "fuzzy", type: "checkbox" });
  fuzzy.checked = true;
  if (asked.get("where") === "inputs") where.value = "inputs";
  const found = el("div", { class: "stack", "aria-live": "polite" });
  const form = el("form", { class: "bar", role: "search", onsubmit: (event) => {
    event.preventDefault();
    look();
  } },
  el("label", { class: "field wide", for: "q" }, "Find", words),
  el("label", { class: "field", for: "where" }, "Where", where),
  el("label", { class: "check", for: "fuzzy" }, fuzzy, "Also misspelt and sounding alike"),
  button({ text: "Search", drawing: "search", kind: "main" }));
  form.querySelector("button").type = "submit";
  page("Leak search", "Look for a string that must not be left. What you type is sent to this server only and is not kept.", form, found);

  async function look() {
    if (!words.value.trim()) return;
    put(found, el("p", { class: "soft" }, "Searching…"));
    let answer;
    try {
      answer = await get("/api/search", { q: words.value, where: where.value, fuzzy: fuzzy.checked });
    } catch (error) {
      put(found, el("p", { class: "wrong" }, error.message));
      return;
    }
    const { hits } = answer;
    const notes = new Set(hits.map((hit) => hit.note)).size;
    if (!hits.length) {
      put(found, empty("Not found", answer.searched === undefined ? "No note holds it." : `None of ${answer.searched.toLocaleString("en")} notes holds it.`));
      return;
    }
    put(found, el("p", {}, el("strong", {}, `${hits.length.toLocaleString("en")} ${hits.length === 1 ? "place" : "places"}`), ` in ${notes.toLocaleString("en")} ${notes === 1 ? "note" : "notes"}`),
      el("div", { class: "hits" }, hits.map((hit) => el("div", { class: "hit" },
        el("a", { class: "clip", href: `/?note=${encodeURIComponent(hit.note)}` }, hit.title),
        el("span", { class: "context" }, hit.before, el("mark", {}, hit.text), hit.after),
        el("span", { class: `badge ${HOW[hit.how] ?? ""}` }, hit.how)))));
  }

  words.focus();
  if (words.value) look();
}
