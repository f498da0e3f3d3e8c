// Choose one of a list: labels, or how far an edit reaches. Works by mouse, arrows, letters and digits.

import { el, keycap, put } from "./dom.js";
import { labelName } from "./spans.js";

/** Open a list beside nothing in particular; resolves to the chosen item's value, or null. */
export function choose({ title, items, filter = false, subtitle = "" }) {
  return new Promise((resolve) => {
    let shown = items;
    let at = Math.max(0, items.findIndex((item) => item.now));
    const list = el("ul", { class: "choices", role: "listbox", "aria-label": title, id: "choices", tabindex: filter ? null : "0" });
    const input = filter && el("input", {
      type: "text", class: "filter", placeholder: "Type to filter, digits for the first nine", "aria-label": `Filter: ${title}`,
      role: "combobox", "aria-expanded": "true", "aria-controls": "choices", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false",
    });
    const dialog = el("dialog", { class: "palette", "aria-label": title },
      el("div", { class: "palette-head" }, el("strong", {}, title), subtitle && el("span", { class: "soft clip" }, subtitle)), input, list);
    const pick = (item) => {
      if (!item || item.disabled) return;
      dialog.close();
      resolve(item.value); // at once: the next key may be for the next list
    };
    const draw = () => {
      at = Math.min(Math.max(at, 0), Math.max(shown.length - 1, 0));
      put(list, shown.map((item, index) => el("li", {
        role: "option", id: `choice-${index}`, "aria-selected": String(index === at), "aria-disabled": item.disabled ? "true" : null,
        class: index === at ? "at" : "", onclick: () => pick(item),
      }, item.category && el("span", { class: "dot", "data-category": item.category }),
      el("span", { class: "clip" }, item.text), item.about && el("span", { class: "soft" }, item.about), index < 9 && keycap(String(index + 1)))));
      if (!shown.length) put(list, el("li", { role: "option", class: "soft", "aria-selected": "false", "aria-disabled": "true" }, "Nothing fits"));
      (input || list).setAttribute("aria-activedescendant", `choice-${at}`);
      list.children[at]?.scrollIntoView({ block: "nearest" });
    };
    dialog.addEventListener("keydown", (event) => {
      const digit = /^[1-9]$/.test(event.key) && !event.ctrlKey;
      if (event.key === "ArrowDown") at = (at + 1) % shown.length;
      else if (event.key === "ArrowUp") at = (at + shown.length - 1) % shown.length;
      else if (event.key === "Enter") pick(shown[at]);
      else if (digit) pick(shown[Number(event.key) - 1]);
      else return;
      event.preventDefault();
      draw();
    });
    if (input) {
      input.addEventListener("input", () => {
        const wanted = input.value.trim().toLowerCase();
        const rank = (item) => (item.text.toLowerCase().startsWith(wanted) ? 0 : item.search.includes(wanted) ? 1 : 2);
        shown = items.filter((item) => rank(item) < 2).sort((a, b) => rank(a) - rank(b));
        at = 0;
        draw();
      });
    }
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(null); // closed without a choice
    });
    document.body.append(dialog);
    draw();
    dialog.showModal();
    (input || list).focus();
  });
}

/** Choose a label: those used last come first. */
export function chooseLabel(labels, { title, subtitle, now = null, recent = [] }) {
  const last = recent.filter((name) => labels.some((label) => label.name === name));
  const order = [...last, ...labels.map((label) => label.name).filter((name) => !last.includes(name))];
  const items = order.map((name) => {
    const { category } = labels.find((label) => label.name === name);
    return { value: name, text: labelName(name), about: category.toLowerCase(), search: `${name} ${category}`.toLowerCase(), category, now: name === now };
  });
  return choose({ title, subtitle, items, filter: true });
}
