/** The contract's introduction. Paragraphs; backticks mark code. */
export const WELCOME = [
  "An app sends a package of WAVs; the relay keeps it until someone clicks Import in the host; then a scene with one track per sound " +
    "is there, and the app reads what became of each.",
  "Five steps: `POST /pair/claim` once, `POST /packages`, `PUT` each file, commit, follow the status.",
  "All paths are relative to the relay's address. JSON goes both ways; `Content-Type` never decides anything. Times are ISO 8601 in UTC, " +
    "and beside each `expires_at` stands `expires_in` in seconds. Answers may gain members: ignore what you do not know.",
  "The token goes into `Authorization: Bearer …`. A 401 means that it is unknown or revoked and nothing else: forget it and ask for a new " +
    "pairing code.",
  "Every answer of 400 or above is `Error`: `error` to show, `code` to switch on. That holds for an unknown address (404 `PATH_UNKNOWN`), " +
    "a method that an address does not take (405 `METHOD_WRONG`, with `Allow`) and headers that take longer than 15 seconds " +
    "(408 `REQUEST_TOO_SLOW`), too. A 5xx, a 408, a 429 (after `Retry-After` seconds) and no answer at all are worth another try.",
  "Outside `/importer/` any page may call: a preflight is answered 204 for every path, and every answer carries CORS headers.",
  "600 calls a minute for each token; the window slides. Limits and spans are those of a relay as it comes; whoever runs it may set others.",
  "What was answered 200 or 201 has reached the disk.",
].join("\n\n");

/** Path parameters, by name. */
export const PATH_PARAMS: Readonly<Record<string, string>> = {
  id: "The `package_id`.",
  file: "The name of a file in the manifest, percent-encoded.",
  pairing_id: "The `pairing_id` of an app.",
};

/** What each status means for every call. */
export const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "The request can't be read, or lacks something.",
  401: "The token is missing, unknown or revoked.",
  403: "The relay registers only who has its key.",
  404: "There is no such thing.",
  408: "The body stopped coming.",
  409: "The package is not in a state for this.",
  413: "The body is too large.",
  416: "The file has no such part.",
  422: "What was sent can't be taken; the text says why.",
  426: "The importer is too old.",
  429: "Too many; wait.",
  431: "The headers are too large.",
  500: "Trouble at the relay.",
  503: "A store does not answer.",
  507: "No room.",
};
