// Who may sign in, and as what.

import { get, patch, post } from "./api.js";
import { button, el, put, toast } from "./dom.js";
import { page } from "./shell.js";

const ROLES = [["reviewer", "Reads and marks notes"], ["adjudicator", "Also settles differences, searches, sees the dashboard"], ["admin", "Everything"]];

/** Show the page. */
export async function users(me) {
  const body = el("tbody", {});
  const name = el("input", { id: "new-name", required: true, autocomplete: "off", maxlength: "64" });
  const password = el("input", { id: "new-password", type: "password", required: true, autocomplete: "new-password", minlength: "12" });
  const role = choice("new-role", "reviewer");
  const wrong = el("p", { class: "wrong", role: "alert" });
  const form = el("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      await post("/api/users", { name: name.value, role: role.value, password: password.value });
      toast(`${name.value} can sign in now.`);
      form.reset();
      await load();
    } catch (error) {
      wrong.textContent = error.message;
    }
  } },
  el("div", { class: "bar" },
    el("label", { class: "field", for: "new-name" }, "Name", name),
    el("label", { class: "field", for: "new-password" }, "Password, 12 signs or more", password),
    el("label", { class: "field", for: "new-role" }, "Role", role),
    el("button", { class: "button main", type: "submit" }, "Add")), wrong);
  page("Users", "Every reader reads alone: nobody sees another's marks before both are done.",
    el("section", { class: "card" }, el("h2", {}, "Add somebody"), form),
    el("section", { class: "card" }, el("h2", {}, "Who may sign in"), el("div", { class: "scroll-x" }, el("table", { class: "table" },
      el("thead", {}, el("tr", {}, ["Name", "Role", "Access", "Change"].map((words) => el("th", { scope: "col" }, words)))), body))),
    el("section", { class: "card" }, el("h2", {}, "Roles"), el("table", { class: "table" }, el("tbody", {},
      ROLES.map(([one, about]) => el("tr", {}, el("th", { scope: "row" }, one), el("td", { class: "soft" }, about)))))));
  await load();

  async function load() {
    const { users: all } = await get("/api/users");
    put(body, all.map((user) => {
      const its = choice(`role-${user.id}`, user.role, `Role of ${user.name}`);
      its.disabled = user.name === me.name;
      its.addEventListener("change", () => change(user, { role: its.value }));
      return el("tr", {},
        el("td", {}, el("strong", {}, user.name), user.name === me.name && el("span", { class: "soft" }, " (you)")),
        el("td", {}, its),
        el("td", {}, user.disabled ? el("span", { class: "badge" }, "may not sign in") : el("span", { class: "badge calm" }, "may sign in")),
        el("td", {}, button({ text: user.disabled ? "Let in" : "Lock out", kind: "small", name: `${user.disabled ? "Let in" : "Lock out"} ${user.name}`,
          disabled: user.name === me.name, onclick: () => change(user, { disabled: !user.disabled }) })));
    }));
  }

  async function change(user, fields) {
    try {
      await patch(`/api/users/${encodeURIComponent(user.id)}`, fields);
    } catch (error) {
      toast(error.message, "bad");
    }
    await load();
  }
}

function choice(id, value, name = null) {
  const select = el("select", { id, "aria-label": name }, ROLES.map(([role]) => el("option", { value: role }, role)));
  select.value = value;
  return select;
}
