// Small charts as SVG. Each is also a sentence for screen readers.

import { svg } from "./dom.js";

/** Shares with their intervals: one row each, [{name, rate, low, high, kind, about}]. */
export function intervals(rows, { about, width = 480 }) {
  const most = Math.min(1, Math.max(0.0005, ...rows.map((row) => row.high)) * 1.12);
  const [left, right, step] = [170, 84, 34];
  const x = (share) => left + (share / most) * (width - left - right);
  const height = rows.length * step + 30;
  const ticks = niceTicks(most, 3);
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": about },
    ticks.map((tick) => [
      svg("line", { class: "axis", x1: x(tick), x2: x(tick), y1: 4, y2: height - 24, "stroke-dasharray": tick ? "2 4" : null }),
      svg("text", { x: x(tick), y: height - 8, "text-anchor": "middle" }, share(tick)),
    ]),
    rows.map((row, index) => {
      const y = index * step + 22;
      return [
        svg("text", { class: "strong", x: 0, y: y + 4 }, row.name),
        svg("line", { class: `whisker ${row.kind}`, x1: x(row.low), x2: Math.max(x(row.high), x(row.low) + 1), y1: y, y2: y }),
        svg("circle", { class: `point ${row.kind}`, cx: x(row.rate), cy: y, r: 4.5 }),
        svg("text", { class: "strong", x: width, y: y + 4, "text-anchor": "end" }, share(row.rate)),
      ];
    }));
}

/** Rows of bars made of parts: [{name, parts: [{value, kind}]}]. */
export function bars(rows, { about, width = 480 }) {
  const most = Math.max(1, ...rows.map(({ parts }) => parts.reduce((sum, part) => sum + part.value, 0)));
  const [left, right, step] = [120, 46, 24];
  const wide = (value) => (value / most) * (width - left - right);
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${rows.length * step + 6}`, role: "img", "aria-label": about },
    rows.map(({ name, parts }, index) => {
      let at = left;
      const y = index * step + 4;
      return [
        svg("text", { class: "strong", x: left - 10, y: y + 13, "text-anchor": "end" }, name),
        parts.map((part) => {
          const made = svg("rect", { class: `bar-${part.kind}`, x: at, y: y + 3, width: Math.max(0, wide(part.value) - (part.value ? 1 : 0)), height: 12, rx: 2 });
          at += wide(part.value);
          return made;
        }),
        svg("text", { x: at + 7, y: y + 13 }, String(parts.reduce((sum, part) => sum + part.value, 0))),
      ];
    }));
}

/** A line over days or notes: values from left to right. */
export function curve(values, { about, unit, width = 480, height = 120 }) {
  const most = Math.max(1, ...values) * 1.1;
  const x = (index) => 34 + (index / Math.max(1, values.length - 1)) * (width - 44);
  const y = (value) => height - 18 - (value / most) * (height - 30);
  const path = values.map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": about },
    niceTicks(most, 2).map((tick) => [
      svg("line", { class: "axis", x1: 34, x2: width - 10, y1: y(tick), y2: y(tick), "stroke-dasharray": tick ? "2 4" : null }),
      svg("text", { x: 28, y: y(tick) + 4, "text-anchor": "end" }, String(tick)),
    ]),
    values.length > 1 && svg("path", { class: "curve-fill", d: `${path}L${x(values.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z` }),
    svg("path", { class: "curve", d: path }),
    svg("text", { x: width - 10, y: height - 3, "text-anchor": "end" }, unit));
}

/** A small share: 0.0042 is "0.42 %". */
export function share(value) {
  if (value === null || value === undefined) return "–";
  const percent = value * 100;
  if (percent > 0 && percent < 0.01) return "<0.01 %";
  return `${Number(percent.toPrecision(percent < 10 ? 2 : 3))} %`;
}

function niceTicks(most, count) {
  const rough = most / count;
  const scale = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * scale >= rough) * scale;
  const ticks = [];
  for (let tick = 0; tick <= most; tick += step) ticks.push(Number(tick.toPrecision(6)));
  return ticks;
}
