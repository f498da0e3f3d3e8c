// Start the page that the address names.

import { Refused, whoAmI } from "./api.js";
import { el, put } from "./dom.js";
import { Keys } from "./keys.js";
import { drawTop } from "./shell.js";

const PAGES = {
  "/": () => import("./review.js").then(({ Review }) => (me, keys, top) => new Review(me, keys, top).start()),
  "/claims": () => import("./claims.js").then(({ claims }) => claims),
  "/adjudicate": () => import("./adjudicate.js").then(({ adjudicate }) => adjudicate),
  "/search": () => import("./search.js").then(({ search }) => search),
  "/dashboard": () => import("./dashboard.js").then(({ dashboard }) => dashboard),
  "/learning": () => import("./learning.js").then(({ learning }) => learning),
  "/releases": () => import("./releases.js").then(({ releases }) => releases),
  "/users": () => import("./users.js").then(({ users }) => users),
};

async function start() {
  if (location.pathname === "/login") {
    const { login } = await import("./login.js");
    login();
    return;
  }
  const [me, page] = await Promise.all([whoAmI(), (PAGES[location.pathname] ?? PAGES["/"])()]);
  const keys = new Keys();
  const top = drawTop(me, keys);
  await page(me, keys, top);
}

start().catch((error) => {
  if (error instanceof Refused && error.status === 401) return; // on the way to the sign-in page
  put(document.getElementById("main"), el("div", { class: "empty" }, el("strong", {}, "This page could not be shown"),
    el("p", { class: "soft" }, error.message), el("p", {}, el("a", { href: "/" }, "Back to the review page"))));
  if (!(error instanceof Refused)) throw error;
}).finally(() => { document.documentElement.dataset.ready = "1"; });
