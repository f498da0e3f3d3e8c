// Learn from the corrections in the background, look at before and after, and take the new model or not.

import { get, post } from "./api.js";
import { share } from "./charts.js";
import { button, el, put, toast } from "./dom.js";
import { page } from "./shell.js";

const MEASURES = [["recall", "Found"], ["precision", "Right of what was marked"], ["f1", "F1"], ["leaks", "Identifying words left"]];

/** Show the page. */
export async function learning() {
  const box = el("div", { class: "stack", "aria-live": "polite" });
  page("Learning", "The corrections of finished notes teach the detectors of this project. A part of them is held back and only measures. Nothing changes before you accept. Then all notes are read again with the new model; what people decided stays.", box);
  let timer = null;

  async function load() {
    clearTimeout(timer);
    const answer = await get("/api/learn");
    put(box, STATES[answer.state]?.(answer) ?? STATES.none(answer));
    if (answer.state === "running" || (answer.state === "rereading" && !answer.message)) timer = setTimeout(() => load().catch(() => {}), 1000);
  }

  const act = (path) => async () => {
    try {
      await post(path);
    } catch (error) {
      toast(error.message, "bad");
    }
    await load();
  };
  const start = (text = "Learn now", kind = "main") => button({ text, kind, onclick: act("/api/learn") });

  const STATES = {
    none: (answer) => el("section", { class: "card stack" }, el("h2", {}, "Nothing learned yet"), el("p", { class: "soft" }, answer.message ?? "Finish some notes first; then start here."), el("div", {}, start())),
    failed: (answer) => el("section", { class: "card stack" }, el("h2", {}, "Learning stopped"), el("p", { class: "wrong" }, answer.message ?? "See the server's log."), el("div", {}, start("Try again"))),
    running: (answer) => el("section", { class: "card stack" }, el("h2", {}, "Learning…"), progress(answer, "Learning"),
      el("p", { class: "soft" }, answer.step ?? "", answer.notes ? ` · ${answer.notes} notes` : ""),
      el("div", {}, button({ text: "Stop", onclick: act("/api/learn/cancel") }))),
    ready: (answer) => el("section", { class: "card stack" }, el("h2", {}, "Before and after, on notes that were held back"), comparison(answer),
      el("div", { class: "bar" }, button({ text: "Take the new model", drawing: "check", kind: "main", onclick: act("/api/learn/accept") }), start("Learn again", ""))),
    rereading: (answer) => el("section", { class: "card stack" }, el("h2", {}, "The new model is in use"), comparison(answer),
      progress(answer, "Reading the notes again"),
      answer.message ? [el("p", { class: "wrong" }, answer.message), el("div", {}, button({ text: "Go on", kind: "main", onclick: act("/api/learn/accept") }))]
        : el("p", { class: "soft" }, "It reads all notes again. Nothing can be released before that has ended.")),
    accepted: (answer) => el("section", { class: "card stack" }, el("h2", {}, "The new model is in use"), comparison(answer), el("div", {}, start("Learn again"))),
  };
  await load();
}

function progress(answer, name) {
  const percent = Math.round((answer.progress ?? 0) * 100);
  return el("div", { class: "progress-bar wide", role: "progressbar", "aria-label": name, "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(percent) },
    el("span", { vars: { width: `${percent}%` } }));
}

function comparison({ before, after }) {
  if (!before || !after) return null;
  return el("table", { class: "table" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Measure"), ["Before", "After", "Change"].map((name) => el("th", { scope: "col", class: "figure" }, name)))),
    el("tbody", {}, MEASURES.filter(([key]) => before[key] !== undefined && before[key] !== null).map(([key, name]) => {
      const [was, is] = [before[key], after[key]];
      const better = key === "leaks" ? is < was : is > was;
      return el("tr", {}, el("td", {}, name), el("td", { class: "figure" }, figure(key, was)), el("td", { class: "figure" }, el("strong", {}, figure(key, is))),
        el("td", { class: "figure" }, is === was ? el("span", { class: "soft" }, "same") : el("span", { class: `badge ${better ? "calm" : ""}` }, better ? "better" : "worse")));
    })));
}

const figure = (key, value) => (key === "leaks" ? value.toLocaleString("en") : share(value));
