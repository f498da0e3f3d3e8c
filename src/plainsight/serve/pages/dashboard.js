// How far the review is, how well people agree, what they corrected, and what is probably left.

import { get } from "./api.js";
import { bars, curve, intervals, share } from "./charts.js";
import { el } from "./dom.js";
import { page } from "./shell.js";
import { labelName } from "./spans.js";

const PARTS = [["kept", "kept", "fill", ""], ["added", "added (were missed)", "more", "warn"], ["changed", "changed", "good", "good"], ["rejected", "rejected", "track", "none"]];

/** Show the page. */
export async function dashboard() {
  const answer = await get("/api/dashboard");
  const why = (part) => el("p", { class: "soft" }, answer.why?.[part] ?? "There is nothing to show yet.");
  page("Dashboard", "The figures come from what people read. The audit notes were drawn at random among all notes, and nobody can tell which they are.",
    tiles(answer),
    el("div", { class: "columns" },
      card("What is probably left", residual(answer.residual) ?? why("residual"),
        `${answer.residual_of?.unread ? `In the ${answer.residual_of.notes.toLocaleString("en")} notes that nobody has finished` : "In the notes, if nobody had read them"}, as the policy marks them; estimated from the audit notes that were read. The line is the 95 % interval.`),
      card("How many audit notes show a wanted rate", samples(answer.sample) ?? why("sample"),
        "So many audit notes must be read until the leak rate per note is below this with 95 % confidence.")),
    el("div", { class: "columns" },
      card("Corrections by label", corrections(answer.corrections?.by_label, "label") ?? why("corrections")),
      card("Corrections by detector", corrections(answer.corrections?.by_detector, "detector") ?? why("corrections"))),
    el("div", { class: "columns" },
      card("Notes done", progress(answer.progress?.by_day) ?? why("progress")),
      card("Seconds for each note", seconds(answer.seconds) ?? why("seconds"), "In the order in which they were read.")));
}

function tiles({ progress: all, agreement, seconds: time, residual: leaks }) {
  const notes = leaks?.find((row) => row.of === "identifier" && row.kind === "all" && typeof row.rate === "number");
  return el("div", { class: "tiles" },
    tile(all ? `${all.done.toLocaleString("en")} / ${all.notes.toLocaleString("en")}` : "–", "notes done"),
    tile(all?.audit_done === undefined ? "–" : all.audit_done.toLocaleString("en"), "audit notes read"),
    tile(agreement?.kappa?.toFixed(2) ?? "–", agreement ? `Cohen's kappa, ${agreement.notes} notes read twice` : "Cohen's kappa: no note read twice"),
    tile(time?.median ? `${Math.round(time.median)} s` : "–", "a note (median)"),
    tile(notes ? share(notes.rate) : "–", notes ? `of identifiers left, at most ${share(notes.high)}` : "of identifiers left"));
}

const tile = (figure, words) => el("div", { class: "tile" }, el("strong", {}, figure), el("span", {}, words));

const card = (title, content, about) => el("section", { class: "card stack" }, el("h2", {}, title), content, about && el("p", { class: "soft" }, about));

function residual(rows) {
  if (!rows?.length) return null;
  const drawn = rows.filter((row) => typeof row.rate === "number").map((row) => ({ ...row, name: `per ${row.of}${row.kind === "all" ? "" : `, ${row.kind}`}` }));
  const sentence = (row) => `${row.name}: ${share(row.rate)}, interval ${share(row.low)} to ${share(row.high)}`;
  const groups = [drawn.filter((row) => row.of === "identifier"), drawn.filter((row) => row.of !== "identifier")].filter((group) => group.length);
  return [groups.map((group) => intervals(group, { about: group.map(sentence).join("; ") })), el("div", { class: "scroll-x" }, el("table", { class: "table" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Leaks"), ["Seen", "Leaks", "Rate", "Interval"].map((name) => el("th", { scope: "col", class: "figure" }, name)))),
    el("tbody", {}, drawn.map((row) => el("tr", {}, el("td", {}, row.name), el("td", { class: "figure" }, row.seen.toLocaleString("en")),
      el("td", { class: "figure" }, row.leaks.toLocaleString("en")), el("td", { class: "figure" }, share(row.rate)),
      el("td", { class: "figure" }, `${share(row.low)} – ${share(row.high)}`))))))];
}

function samples(rows) {
  if (!rows?.length) return null;
  return el("table", { class: "table" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Leak rate below"),
      ["None has a leak", "As many leak as now"].map((name) => el("th", { scope: "col", class: "figure" }, name)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("td", {}, share(row.rate)), [row.notes, row.as_now].map((notes) => (
      el("td", { class: "figure" }, notes === null || notes === undefined ? "–" : notes.toLocaleString("en"))))))));
}

function corrections(rows, by) {
  if (!rows?.length) return null;
  const name = (row) => (by === "label" ? labelName(row.label) : row.detector || "added by a reader");
  const drawn = rows.map((row) => ({ name: name(row), parts: PARTS.map(([part, , kind]) => ({ value: row[part] ?? 0, kind })) }));
  const about = rows.map((row) => `${name(row)}: ${PARTS.map(([part, words]) => `${row[part] ?? 0} ${words}`).join(", ")}`).join("; ");
  return [bars(drawn, { about }), el("p", { class: "legend" }, PARTS.map(([, words, , kind]) => el("span", {}, el("span", { class: `key ${kind}` }), words)))];
}

function progress(days) {
  if (!days?.length) return null;
  let sum = 0;
  return curve(days.map(({ done }) => (sum += done)), { about: `${sum} notes done since ${days[0].day}`, unit: `${days[0].day} to ${days.at(-1).day}` });
}

function seconds(time) {
  if (!time?.by_note?.length) return null;
  return curve(time.by_note, { about: `Median ${Math.round(time.median)} seconds a note`, unit: "notes" });
}
