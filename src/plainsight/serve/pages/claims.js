// Audit mode: claims of the high-recall policy in short contexts, one key to confirm or reject each.

import { get, post } from "./api.js";
import { button, el, put, say, toast } from "./dom.js";
import { empty, page } from "./shell.js";
import { labelName } from "./spans.js";

const PAGE = 50;

/** Show the page. */
export function claims(me, keys) {
  const categories = new Map(me.labels.map(({ name, category }) => [name, category]));
  const label = el("select", { id: "claims-label", onchange: () => load() },
    el("option", { value: "" }, "All labels"), me.labels.map(({ name }) => el("option", { value: name }, labelName(name))));
  const count = el("span", { class: "soft" });
  const list = el("div", { class: "claim-list", role: "list", "aria-label": "Claims" });
  const accept = () => decide(true);
  const reject = () => decide(false);
  page("Claims", "Everything that a detector claimed with little certainty, in its context. Confirm what names somebody, reject what does not.",
    el("div", { class: "bar" }, el("label", { class: "field", for: "claims-label" }, "Label", label), el("span", { class: "check" }, count), el("span", { class: "gap" }),
      button({ text: "Confirm", drawing: "check", key: "A", kind: "good", onclick: accept }),
      button({ text: "Reject", drawing: "cross", key: "X", kind: "bad", onclick: reject })),
    list);
  let rows = [];
  let at = 0;
  let total = 0;
  keys.add("Claims", [
    ["a", "Confirm and go on", accept], ["x", "Reject and go on", reject],
    [["j", "arrowdown"], "Next claim", () => go(1)], [["k", "arrowup"], "Claim before", () => go(-1)],
    ["o", "Open the note", () => rows[at] && location.assign(`/?note=${rows[at].claim.note}`)],
  ]);

  async function load() {
    const answer = await get("/api/claims", { label: label.value, offset: 0, limit: PAGE });
    total = answer.total;
    rows = answer.claims.map((claim) => ({ claim, element: row(claim) }));
    list.hidden = !rows.length;
    put(list, rows.map(({ element }) => element));
    list.parentElement.querySelector(".empty")?.remove();
    if (!rows.length) list.after(empty("No claim is left to decide", "Import more notes, or choose another label."));
    at = 0;
    mark();
  }

  function row(claim) {
    const element = el("div", { class: "claim", role: "listitem" },
      el("span", { class: "clip" }, el("span", { class: "dot", "data-category": categories.get(claim.label) ?? "OTHER" }), labelName(claim.label)),
      el("span", { class: "context" }, claim.before, el("mark", { class: "span", "data-category": categories.get(claim.label) ?? "OTHER" }, claim.text), claim.after),
      el("span", { class: "figure soft" }, claim.score.toFixed(2)),
      el("span", { class: "verdict" },
        button({ drawing: "check", title: `Confirm ${claim.text}`, kind: "small good", onclick: () => decide(true, claim) }),
        button({ drawing: "cross", title: `Reject ${claim.text}`, kind: "small bad", onclick: () => decide(false, claim) })));
    element.addEventListener("click", (event) => {
      if (event.target.closest("button")) return;
      at = rows.findIndex((one) => one.claim === claim);
      mark();
    });
    return element;
  }

  function mark() {
    for (const [index, { element }] of rows.entries()) {
      if (index === at) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
    const left = total - rows.filter(({ decided }) => decided !== undefined).length;
    count.textContent = `${left.toLocaleString("en")} left`;
    rows[at]?.element.scrollIntoView({ block: "nearest" });
  }

  function go(direction) {
    if (!rows.length) return;
    at = Math.min(Math.max(at + direction, 0), rows.length - 1);
    mark();
    const { claim } = rows[at];
    say(`${labelName(claim.label)}: ${claim.before} ${claim.text} ${claim.after}`);
  }

  async function decide(verdict, claim = rows[at]?.claim) {
    const found = rows.find((one) => one.claim === claim);
    if (!found) return;
    found.decided = verdict;
    found.element.classList.toggle("accepted", verdict);
    found.element.classList.toggle("rejected", !verdict);
    if (rows[at] === found) go(1);
    mark();
    try {
      await post("/api/claims", { decisions: [{ note: claim.note, span: claim.span, times: claim.times, accept: verdict }] });
    } catch (error) {
      found.decided = undefined;
      found.element.classList.remove("accepted", "rejected");
      mark();
      toast(error.message, "bad");
      return;
    }
    if (rows.every((one) => one.decided !== undefined)) await load();
  }

  return load();
}
