// What edits do to spans, before the server says the same. Pure functions; offsets are code points.

const DOUBT_BELOW = 0.8; // as `plainsight doubts`

/** Is this span one to look at: nobody decided it, and its detectors are unsure or say different labels? */
export function isDoubtful(span) {
  if (span.status !== "found") return false;
  if (span.score !== null && span.score < DOUBT_BELOW) return true;
  return (span.claims ?? []).some((claim) => claim.label !== span.label && claim.score >= 0.5);
}

/** Does this span hide its text, as things are now? */
export const counts = (span) => span.status !== "rejected";

export const inOrder = (spans) => [...spans].sort((a, b) => a.start - b.start || a.end - b.end);

/** Places in doubt in the order of the text: doubtful spans and likely misses that nobody dismissed. */
export function doubtfulPlaces(spans, misses) {
  const places = spans.filter(isDoubtful).map((span) => ({ kind: "span", start: span.start, end: span.end, span }));
  for (const miss of misses) places.push({ kind: "miss", start: miss.start, end: miss.end, miss });
  return places.sort((a, b) => a.start - b.start);
}

/** Likely misses that no span covers. */
export function openMisses(misses, spans) {
  return misses.filter((miss) => !spans.some((span) => counts(span) && span.start < miss.end && miss.start < span.end));
}

let made = 0;

/** Return the spans after one edit. What only the server can know ("alike") changes nothing here. */
export function applied(spans, edit) {
  const change = (fields) => spans.map((span) => (span.id === edit.span ? { ...span, ...fields(span) } : span));
  const touched = (span) => (span.status === "added" ? "added" : "changed");
  switch (edit.do) {
    case "add":
      return inOrder([...spans, {
        id: `new-${++made}`, start: edit.start, end: edit.end, label: edit.label, score: null,
        source: "", claims: [], status: "added",
      }]);
    case "accept": return change((span) => ({ status: ["added", "changed"].includes(span.status) ? span.status : "accepted" }));
    case "reject": return change(() => ({ status: "rejected" }));
    case "restore": return change(() => ({ status: "found" }));
    case "remove": return spans.filter((span) => span.id !== edit.span);
    case "label": return change((span) => ({ label: edit.label, status: touched(span) }));
    case "move": return inOrder(change((span) => ({ start: edit.start, end: edit.end, status: touched(span) })));
    case "split": {
      const span = spans.find((one) => one.id === edit.span);
      if (!span) return spans;
      const rest = spans.filter((one) => one !== span);
      const second = { ...span, id: `new-${++made}`, start: edit.at, status: touched(span) };
      return inOrder([...rest, { ...span, end: edit.at, status: touched(span) }, second]);
    }
    default: return spans;
  }
}

/** The id of the span in `spans` that is the same as one that was made here before the server named it. */
export function settledId(made_here, spans) {
  return spans.find((span) => span.start === made_here.start && span.end === made_here.end && span.label === made_here.label)?.id;
}

const NAMES = {
  LOCATION_OTHER: "other place", MEDICALRECORD: "record no.", HEALTHPLAN: "health plan", IPADDR: "ip address", SSN: "ssn",
  BIOID: "biometric", IDNUM: "id no.", EMAIL: "e-mail", URL: "url", ZIP: "zip", LICENSE: "licence",
};

/** The label as a person reads it. */
export const labelName = (label) => (label ? NAMES[label] ?? label.toLowerCase().replaceAll("_", " ") : "unknown");

/** What a place is that nobody marked: a likely miss with its label, or a rare word without one. */
export const missName = (miss) => (miss.label ? `perhaps missed, ${labelName(miss.label)}` : "rare word");

const STATUS = {
  found: "found, not decided", accepted: "accepted", rejected: "rejected", added: "added by a reader", changed: "changed by a reader",
};

export const statusName = (status) => STATUS[status] ?? status;

export const percent = (share) => (share === null || share === undefined ? "–" : `${Math.round(share * 100)} %`);
