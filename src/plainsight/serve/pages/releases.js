// Import and export, and the release: freeze what was read and sign it.

import { call, get, post } from "./api.js";
import { el, put, toast } from "./dom.js";
import { page } from "./shell.js";

/** Show the page. */
export async function releases(me) {
  const list = el("div", {});
  const signer = el("input", { id: "signer", required: true, value: me.name, autocomplete: "name", maxlength: "200" });
  const statement = el("textarea", { id: "statement", rows: "3", required: true, maxlength: "4000" });
  statement.value = "I have read the figures of this review and find the risk of re-identification very small.";
  const passphrase = el("input", { id: "passphrase", type: "password", required: true, minlength: "12", autocomplete: "off" });
  const unread = el("select", { id: "unread" },
    el("option", { value: "" }, "are finished first"),
    el("option", { value: "leave_out_unread" }, "are left out"),
    el("option", { value: "release_unread" }, "are released as the policy marks them"));
  const sign = el("button", { class: "button main", type: "submit" }, "Freeze and sign");
  const wrong = el("p", { class: "wrong", role: "alert" });
  const form = el("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    sign.disabled = true;
    sign.textContent = "Freezing…";
    try {
      await post("/api/release", { signer: signer.value, statement: statement.value, passphrase: passphrase.value, ...(unread.value && { [unread.value]: true }) });
      toast("The release is signed.");
      passphrase.value = "";
      await load();
    } catch (error) {
      wrong.textContent = error.message;
    }
    sign.disabled = false;
    sign.textContent = "Freeze and sign";
  } },
  el("label", { class: "field", for: "signer" }, "Who signs", signer),
  el("label", { class: "field", for: "statement" }, "Statement", statement),
  el("label", { class: "field", for: "passphrase" }, "Passphrase of your signing key; without a key yet, this one will protect it", passphrase),
  el("label", { class: "field", for: "unread" }, "Notes that nobody finished", unread), wrong, el("div", {}, sign));

  const file = el("input", { id: "file", type: "file", required: true });
  const upload = el("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    const body = new FormData();
    body.append("file", file.files[0]);
    toast("Importing…");
    try {
      const answer = await call("POST", "/api/import", body);
      toast(`${answer.imported} imported, ${answer.skipped ?? 0} were there, ${answer.set_aside ?? 0} set aside.`);
      upload.reset();
    } catch (error) {
      toast(error.message, "bad");
    }
  } },
  el("label", { class: "field", for: "file" }, "A file of notes", file), el("div", {}, el("button", { class: "button", type: "submit" }, "Import")));

  page("Releases", "A release freezes the outputs with their checksums, the policy, the models, the figures and the reviewers, and carries the signature of a person.",
    el("section", { class: "card stack" }, el("h2", {}, "Releases"), list),
    el("div", { class: "columns" },
      el("section", { class: "card" }, el("h2", {}, "Sign a release"), form),
      el("section", { class: "card stack" }, el("h2", {}, "Notes in and out"), upload,
        el("p", { class: "soft" }, "The export holds the marks of finished notes, as they were reviewed."),
        el("div", {}, el("a", { class: "button", href: "/api/export?format=jsonl", download: "" }, "Export as JSON lines")))));
  await load();

  async function load() {
    const { releases: all } = await get("/api/releases");
    if (!all.length) {
      put(list, el("p", { class: "soft" }, "Nothing is released yet."));
      return;
    }
    put(list, el("div", { class: "scroll-x" }, el("table", { class: "table" },
      el("thead", {}, el("tr", {}, ["When", "Signed by", "Notes", "Fingerprint of the key", "Checked", "Report"].map((name) => el("th", { scope: "col", class: name === "Notes" ? "figure" : null }, name)))),
      el("tbody", {}, all.map((one) => el("tr", {},
        el("td", {}, when(one.at)), el("td", {}, el("strong", {}, one.signer)), el("td", { class: "figure" }, one.notes?.toLocaleString("en") ?? "–"),
        el("td", {}, el("code", { class: "soft" }, String(one.fingerprint ?? "–").slice(0, 23))),
        el("td", {}, CHECKED[String(one.verified ?? null)]()),
        el("td", {}, el("a", { href: `/api/releases/${encodeURIComponent(one.id)}/report` }, "Open"))))))));
  }
}

const CHECKED = {
  true: () => el("span", { class: "badge calm" }, "as it was signed"),
  false: () => el("span", { class: "badge" }, "changed since"),
  null: () => el("span", { class: "soft" }, "moved away"),
};

const when = (at) => new Date(typeof at === "number" ? at * 1000 : at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
