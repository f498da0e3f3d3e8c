// Sign in.

import { signIn } from "./api.js";
import { el, put } from "./dom.js";
import { themeButton } from "./shell.js";

/** Show the form. */
export function login() {
  document.title = "Sign in · plainsight";
  const main = document.getElementById("main");
  main.className = "login";
  const name = el("input", { id: "name", name: "name", autocomplete: "username", required: true, autofocus: true });
  const password = el("input", { id: "password", name: "password", type: "password", autocomplete: "current-password", required: true });
  const wrong = el("p", { class: "wrong", role: "alert" });
  const submit = el("button", { class: "button main", type: "submit" }, "Sign in");
  const form = el("form", { class: "card login-card", onsubmit: async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    submit.disabled = true;
    try {
      await signIn(name.value, password.value);
      location.assign(wanted());
    } catch (error) {
      wrong.textContent = error.status === 401 ? "Name or password is wrong." : error.message;
      submit.disabled = false;
      password.select();
    }
  } },
  el("img", { src: "/assets/icon.svg", alt: "", width: "44", height: "44" }),
  el("h1", {}, "plainsight"),
  el("p", { class: "soft" }, "Review of de-identified notes"),
  el("label", { for: "name" }, "Name"), name,
  el("label", { for: "password" }, "Password"), password, wrong, submit);
  put(main, form, el("div", { class: "login-theme" }, themeButton()));
}

/** The page to go to: only ever one of ours. */
function wanted() {
  const then = new URLSearchParams(location.search).get("then") ?? "/";
  return /^\/(?!\/)[\w/?=&.-]*$/.test(then) ? then : "/";
}
