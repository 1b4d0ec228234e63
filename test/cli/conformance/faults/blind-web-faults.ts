import { is, PACKAGE } from "./tools.ts";
import { answering, changeText, on, refused } from "./blind-tools.ts";
import type { Fault } from "./breaking-proxy.ts";

/** Faults in headers and errors. */
export const WEB_FAULTS: readonly Fault[] = [
  {
    rule: "SEC1",
    what: "tokens that caches may keep",
    ...answering("POST", /^\/pair\/claim$/, ({ headers }) => void delete headers["cache-control"]),
  },
  {
    rule: "P11",
    what: "no nosniff in its refusals",
    answer: ({ headers, status }) => {
      if (status >= 400) delete headers["x-content-type-options"];
    },
  },
  {
    rule: "C1",
    what: "no CORS header in a 401",
    answer: ({ headers, status }) => {
      if (status === 401) delete headers["access-control-allow-origin"];
    },
  },
  {
    rule: "C1",
    what: "no CORS header at unknown addresses",
    answer: on("PATH_UNKNOWN", ({ headers }) => void delete headers["access-control-allow-origin"]),
  },
  {
    rule: "C1",
    what: "an Upload-Offset that pages can't read",
    answer: ({ headers }) =>
      changeText(headers, "access-control-expose-headers", (names) =>
        names.replace("Upload-Offset, ", ""),
      ),
  },
  {
    rule: "C2",
    what: "preflights without PATCH",
    answer: ({ headers }) =>
      changeText(headers, "access-control-allow-methods", (names) => names.replace("PATCH, ", "")),
  },
  {
    rule: "C2",
    what: "preflights at unknown addresses refused",
    ask: (asked) =>
      asked.method === "OPTIONS" && !/^\/(pair|app|packages|importer)\b/.test(asked.path)
        ? refused(asked, 404, "PATH_UNKNOWN")
        : undefined,
  },
  {
    rule: "C5",
    what: "refusals without the relay's own header",
    answer: ({ headers, status }) => {
      if (status >= 400) delete headers["soundferry-relay"];
    },
  },
  {
    rule: "E1",
    what: "a sentence of 81 characters",
    answer: on(
      "CHECKSUM_DIFFERS",
      ({ json }) => void (json.error = String(json.error).padEnd(81, "!")),
    ),
  },
  {
    rule: "E1",
    what: "404 for a wrong method",
    answer: on("METHOD_WRONG", (answered) => {
      answered.status = 404;
      delete answered.headers["allow"];
    }),
  },
  {
    rule: "E2",
    what: "one request id for every call",
    answer: ({ headers }) => void (headers["x-request-id"] = "request-1"),
  },
  {
    rule: "E3",
    what: "no code for an unknown file",
    answer: on("FILE_UNKNOWN", ({ json }) => void delete json.code),
  },
  {
    rule: "E3",
    what: "positions counted from 0",
    answer: ({ json }) => {
      if (typeof json?.position === "number") json.position -= 1;
    },
  },
  {
    rule: "E3",
    what: "only the first problem of a manifest",
    answer: ({ json }) => {
      if (Array.isArray(json?.problems)) json.problems.length = 1;
    },
  },
  {
    rule: "E4",
    what: "a long X-Service-Client refused",
    ask: (asked) =>
      String(asked.headers["x-service-client"]).length > 200
        ? refused(asked, 400, "REQUEST_MALFORMED")
        : undefined,
  },
  {
    rule: "E5",
    what: "addresses with a slash at the end unknown",
    ask: (asked) =>
      /^[^?]+\/(\?|$)/.test(asked.path) ? refused(asked, 404, "PATH_UNKNOWN") : undefined,
  },
  {
    rule: "E1",
    what: "no HEAD for /app/me",
    ask: (asked) =>
      is(asked, "HEAD", /^\/app\/me$/) ? refused(asked, 405, "METHOD_WRONG") : undefined,
  },
  {
    rule: "A4",
    what: "204 for a withdrawal",
    answer: (answered, asked) => {
      if (is(asked, "DELETE", PACKAGE) && answered.status === 200) answered.status = 204;
    },
  },
];
