import { MAX_HEADERS_SECONDS, RELAY_DEFAULTS } from "../../../../core/limits.ts";

/** The contract's introduction. Paragraphs; backticks mark code. */
export const WELCOME = [
  "An app sends a package of WAVs; the relay keeps it until someone clicks Import in the host. It becomes a scene with one track per sound, " +
    "and the app reads the result of each.",
  "Five steps: `POST /pair/claim` once, `POST /packages`, `PUT` each file, commit, follow the status.",
  "`HEAD` works wherever `GET` does. All paths are relative to the relay's address. JSON goes both ways; `Content-Type` matters in `PATCH` only. Times are ISO 8601 in UTC, " +
    "and each `expires_at` comes with `expires_in` in seconds. Answers may gain members: ignore those you don't know.",
  "The token goes into `Authorization: Bearer …`. A 401 always means that it is missing (`TOKEN_MISSING`), unknown or revoked: then forget it and " +
    "ask for a new pairing code.",
  "Every answer of 400 or above is `Error`: `error` to show, `code` to switch on. This includes an unknown address (404 `PATH_UNKNOWN`), " +
    `a method that an address doesn't support (405 \`METHOD_WRONG\`, with \`Allow\`) and headers that take longer than ${MAX_HEADERS_SECONDS} seconds ` +
    "(408 `REQUEST_TOO_SLOW`). After a 5xx, a 408, a 429 or no answer at all, try again; wait `Retry-After` seconds if they are given.",
  "Outside `/importer/` any page may call: a preflight is answered 204 for every path, and every answer carries CORS headers.",
  `${RELAY_DEFAULTS.callsPerMinute} calls a minute for each token; the window slides. Limits and times are the defaults; the relay's operator can change them.`,
  "200 and 201 mean saved to disk.",
].join("\n\n");

/** Path parameters, by name. */
export const PATH_PARAMS: Readonly<Record<string, string>> = {
  id: "The `package_id`.",
  file: "The name of a file in the manifest, percent-encoded.",
  pairing_id: "The `pairing_id` of an app.",
};

/** What each status means for every call. */
export const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "The request can't be read or is incomplete.",
  401: "The token is missing, unknown or revoked.",
  403: "The relay requires a registration key.",
  404: "Not found.",
  408: "The upload was interrupted.",
  409: "The package is not in a state for this.",
  413: "The body is too large.",
  416: "The file has no such part.",
  422: "What was sent can't be accepted; the text says why.",
  426: "The importer is too old.",
  429: "Too many; try again later.",
  431: "The headers are too large.",
  500: "The relay has a problem.",
  503: "The storage isn't available.",
  507: "No room left.",
};
