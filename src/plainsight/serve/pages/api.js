// Talk to the server. Every unsafe call carries the CSRF token that /api/me gave.

let csrf = "";

/** What the server refused: its status and what it said. */
export class Refused extends Error {
  constructor(status, answer) {
    super(typeof answer?.detail === "string" ? answer.detail : WORDS[status] ?? `The server answered ${status}.`);
    this.status = status;
    this.answer = answer;
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {}

const WORDS = {
  401: "Please sign in again.",
  403: "Your role does not allow this.",
  404: "This does not exist.",
  409: "This note was changed elsewhere.",
  422: "The server did not understand this.",
  429: "Too many tries. Wait a moment.",
};

/** Call the server; the answer is JSON, or null when there is none. */
export async function call(method, path, body) {
  const headers = { Accept: "application/json" };
  const options = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (method !== "GET") headers["X-CSRF-Token"] = csrf;
  if (body instanceof FormData) options.body = body;
  else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Unreachable("The server does not answer.");
  }
  const answer = (response.headers.get("Content-Type") ?? "").includes("json") ? await response.json() : null;
  if (response.status === 401 && location.pathname !== "/login") {
    location.assign(`/login?then=${encodeURIComponent(location.pathname + location.search)}`);
  }
  if (response.status === 502 || response.status === 503) throw new Unreachable("The server is not ready.");
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export const get = (path, parameters = {}) => call("GET", path + query(parameters));
export const post = (path, body = {}) => call("POST", path, body);
export const patch = (path, body = {}) => call("PATCH", path, body);

/** The part of an address after "?", without what is empty. */
export function query(parameters) {
  const kept = Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return kept.length ? `?${new URLSearchParams(kept)}` : "";
}

/** Who is signed in, and what the project is. */
export async function whoAmI() {
  const me = await get("/api/me");
  csrf = me.csrf;
  return me;
}

/** Sign in; needs no token yet. */
export const signIn = (name, password) => post("/api/login", { name, password });
