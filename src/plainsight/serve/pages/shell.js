// What every page has: the bar on top, the theme, the way from page to page.

import { post } from "./api.js";
import { button, el, icon, put } from "./dom.js";

const PAGES = [
  ["/", "Review", "reviewer", "r"],
  ["/claims", "Claims", "reviewer", "c"],
  ["/adjudicate", "Adjudicate", "adjudicator", "a"],
  ["/search", "Search", "adjudicator", "s"],
  ["/dashboard", "Dashboard", "adjudicator", "d"],
  ["/learning", "Learning", "admin", "l"],
  ["/releases", "Releases", "admin", "e"],
  ["/users", "Users", "admin", "u"],
];
const RANK = { reviewer: 0, adjudicator: 1, admin: 2 };

/** May someone with this role do what needs that role? */
export const may = (me, role) => RANK[me.role] >= RANK[role];

/** Draw the bar. Returns functions that change it. */
export function drawTop(me, keys) {
  const here = location.pathname;
  const pages = PAGES.filter(([, , role]) => may(me, role));
  const bar = el("div", { class: "progress-bar", role: "progressbar", "aria-label": "Notes done", "aria-valuemin": "0" }, el("span", {}));
  const words = el("span", { class: "progress-words" });
  const saved = el("span", { class: "saved", role: "status" });
  const nav = el("nav", { "aria-label": "Pages", id: "pages" }, pages.map(([path, name]) => el("a", { href: path, "aria-current": here === path ? "page" : null }, name)));
  const menu = button({ drawing: "menu", title: "Pages", kind: "quiet only-narrow", onclick: () => {
    const open = nav.classList.toggle("open");
    menu.setAttribute("aria-expanded", String(open));
  } });
  menu.setAttribute("aria-expanded", "false");
  menu.setAttribute("aria-controls", "pages");
  put(document.getElementById("top"),
    menu,
    el("a", { class: "mark", href: "/" }, el("img", { src: "/assets/icon.svg", alt: "", width: "22", height: "22" }), el("span", {}, "plainsight")),
    el("span", { class: "project clip" }, me.project.name),
    nav,
    el("div", { class: "progress" }, bar, words),
    saved,
    button({ drawing: "help", title: "All keys (?)", kind: "quiet", onclick: () => keys.help() }),
    themeButton(),
    el("details", { class: "who" },
      el("summary", { title: `${me.name}, ${me.role}` }, icon("person"), el("span", { class: "unseen" }, `Signed in as ${me.name}`)),
      el("div", { class: "card" }, el("strong", {}, me.name), el("span", { class: "soft" }, me.role),
        button({ text: "Sign out", onclick: async () => {
          await post("/api/logout");
          location.assign("/login");
        } }))));
  keys.add("Pages", [
    ...pages.map(([path, name, , key]) => [`g ${key}`, name, () => location.assign(path)]),
    ["?", "This list", () => keys.help()],
  ]);
  const progress = (done, all) => {
    bar.firstChild.style.setProperty("width", `${all ? (100 * done) / all : 0}%`);
    bar.setAttribute("aria-valuemax", String(all));
    bar.setAttribute("aria-valuenow", String(done));
    words.textContent = `${done.toLocaleString("en")} of ${all.toLocaleString("en")} done`;
  };
  progress(me.project.done, me.project.notes);
  const SAVED = { saved: "Saved", saving: "Saving…", waiting: "Not saved yet. Trying again…" };
  return { progress, saved: (state) => {
    saved.textContent = SAVED[state] ?? "";
    saved.dataset.state = state;
  } };
}

/** The switch between light and dark; the first choice is the system's. */
export function themeButton() {
  const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const set = () => {
    const next = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("theme", next);
    put(switcher, icon(next === "dark" ? "sun" : "moon"));
  };
  const switcher = button({ drawing: dark() ? "sun" : "moon", title: "Light or dark", kind: "quiet", onclick: set });
  return switcher;
}

/** The frame of a page that is not the review page: a heading, one sentence, and what it holds. */
export function page(title, about, ...parts) {
  document.title = `${title} · plainsight`;
  const main = document.getElementById("main");
  main.className = "page";
  return put(main, el("div", { class: "page-head" }, el("h1", {}, title), about && el("p", { class: "soft" }, about)), parts);
}

/** What a page shows when there is nothing to show. */
export const empty = (title, about) => el("div", { class: "empty" }, el("strong", {}, title), about && el("p", { class: "soft" }, about));
