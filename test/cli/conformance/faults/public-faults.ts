import { isJsonObject } from "../../../../core/text/json-object.ts";
import type { Fault } from "./breaking-proxy.ts";
import {
  ANNOUNCE,
  becomes,
  COMMIT,
  FILE,
  forgive,
  inventedPackage,
  is,
  PACKAGE,
  refusal,
  STATUS,
} from "./tools.ts";

const CLAIM = /^\/pair\/claim$/;
const ME = /^\/app\/me$/;
const UNPAIR = /^\/app\/unpair$/;
/** An address that needs a token and changes nothing. */
const NOTHING = "/packages/pkg_none/commit";

/** Faults that a run of the public specification alone finds. */
export const PUBLIC_FAULTS: readonly Fault[] = [
  {
    rule: "P4",
    what: "a code that works twice",
    plant: () => {
      let first: unknown;
      return {
        answer: (answered, asked) => {
          if (!is(asked, "POST", CLAIM)) return;
          if (answered.status === 200) first ??= answered.json;
          else if (first !== undefined) becomes(answered, 200, first);
        },
      };
    },
  },
  {
    rule: "P4",
    what: "a used code that is 410",
    plant: () => {
      let isUsed = false;
      return {
        answer: (answered, asked) => {
          if (!is(asked, "POST", CLAIM)) return;
          if (answered.status === 404 && isUsed) answered.status = 410;
          isUsed ||= answered.status === 200;
        },
      };
    },
  },
  {
    rule: "P3",
    what: "a code that may not have a space",
    seesBody: true,
    ask: (asked) =>
      is(asked, "POST", CLAIM) && /\s/.test(String(asked.sent?.code))
        ? refusal(404, "CODE_UNKNOWN")
        : undefined,
  },
  {
    rule: "P5",
    what: "an unpairing that revokes nothing",
    ask: (asked) => {
      if (is(asked, "POST", UNPAIR)) asked.path = NOTHING;
      return undefined;
    },
    answer: (answered, { path }) => {
      if (path === NOTHING && answered.status === 404) becomes(answered, 200, {});
    },
  },
  {
    rule: "P5",
    what: "a revoked token that still reads a status",
    plant: () => {
      const revoked = new Set<unknown>();
      return {
        answer: (answered, asked) => {
          const token = asked.headers["authorization"];
          if (is(asked, "POST", UNPAIR)) revoked.add(token);
          const reads = is(asked, "GET", STATUS) && answered.status === 401;
          if (reads && revoked.has(token)) becomes(answered, 200, { status: "waiting" });
        },
      };
    },
  },
  {
    rule: "A2",
    what: "an unknown token that is 403 at an upload",
    also: ["P5"],
    answer: (answered, asked) => {
      if (is(asked, "PUT", FILE) && answered.status === 401) answered.status = 403;
    },
  },
  {
    rule: "A2",
    what: "an unknown package that is 401",
    answer: (answered, asked) => {
      if (is(asked, "GET", STATUS) && answered.status === 404) answered.status = 401;
    },
  },
  {
    rule: "A2",
    what: "a manifest that isn't JSON and is 401",
    answer: (answered, asked) => {
      if (is(asked, "POST", ANNOUNCE) && answered.status === 400) answered.status = 401;
    },
  },
  {
    rule: "C1",
    what: "an origin that is always the same",
    also: ["C2"],
    answer: ({ headers }) => {
      const name = "access-control-allow-origin";
      if (headers[name] !== undefined) headers[name] = "https://relay.example";
    },
  },
  {
    rule: "C1",
    what: "errors that no page may read",
    answer: ({ status, headers }) => {
      if (status >= 400) delete headers["access-control-allow-origin"];
    },
  },
  {
    rule: "C2",
    what: "a preflight that doesn't allow Authorization",
    answer: ({ headers }, { method }) => {
      if (method === "OPTIONS") headers["access-control-allow-headers"] = "*";
    },
  },
  {
    rule: "C2",
    what: "a preflight that doesn't allow DELETE",
    answer: ({ headers }, { method }) => {
      if (method === "OPTIONS")
        headers["access-control-allow-methods"] = "GET, HEAD, POST, PUT, PATCH";
    },
  },
  {
    rule: "C2",
    what: "no preflight of an upload",
    ask: (asked) => (is(asked, "OPTIONS", FILE) ? refusal(405, "METHOD_WRONG") : undefined),
  },
  {
    rule: "E1",
    what: "refusals as plain text",
    answer: (answered) => {
      if (answered.status < 400 || !isJsonObject(answered.json)) return;
      answered.bytes = Buffer.from(String(answered.json["error"]));
      answered.json = undefined;
      delete answered.headers["content-length"];
    },
  },
  {
    rule: "E1",
    what: "errors below another name",
    answer: ({ status, json }) => {
      if (status >= 400 && isJsonObject(json))
        Object.assign(json, { message: json["error"], error: undefined });
    },
  },
  {
    rule: "E1",
    what: "an unknown package's error of more than 80 characters",
    answer: ({ json }) => {
      if (json?.code === "PACKAGE_UNKNOWN")
        json.error = `${json.error} It may have been removed.`.repeat(2);
    },
  },
  {
    rule: "E4",
    what: "an X-Service-Client that is refused",
    ask: (asked) =>
      asked.headers["x-service-client"] === undefined ? undefined : refusal(400, "HEADER_WRONG"),
  },
  {
    rule: "M10",
    what: "an upload that needs a Content-Type",
    answer: (answered, asked) => {
      const isRefused = asked.headers["content-type"] === undefined;
      if (is(asked, "PUT", FILE) && answered.status === 200 && isRefused) {
        becomes(answered, 415, { error: "Which type?", code: "TYPE_MISSING" });
      }
    },
  },
  {
    rule: "M10",
    what: "a commit that needs a body",
    answer: (answered, asked) => {
      const isRefused = Number(asked.headers["content-length"] ?? 0) === 0;
      if (is(asked, "POST", COMMIT) && answered.status === 200 && isRefused) {
        becomes(answered, 400, { error: "Not JSON.", code: "NOT_JSON" });
      }
    },
  },
  {
    rule: "M10",
    what: "a commit that may not have a body",
    answer: (answered, asked) => {
      const isRefused = Number(asked.headers["content-length"] ?? 0) > 0;
      if (is(asked, "POST", COMMIT) && answered.status === 200 && isRefused) {
        becomes(answered, 400, { error: "No body.", code: "BODY_UNEXPECTED" });
      }
    },
  },
  {
    rule: "M10",
    what: "an upload that is 204",
    answer: (answered, asked) => {
      if (is(asked, "PUT", FILE) && answered.status === 200) answered.status = 204;
    },
  },
  {
    rule: "S6",
    what: "a DELETE after which the package still waits",
    plant: () => {
      const withdrawn = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (is(asked, "DELETE", PACKAGE) && answered.status === 200) withdrawn.add(asked.path);
          const isGone = is(asked, "GET", STATUS) && answered.status === 404;
          if (isGone && withdrawn.has(asked.path.replace("/status", ""))) {
            becomes(answered, 200, { status: "waiting" });
          }
        },
      };
    },
  },
  {
    rule: "S1",
    what: "a status that nobody knows",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", STATUS) && json?.status === "waiting") json.status = "queued";
    },
  },
  {
    rule: "S1",
    what: "a status that stays uploading",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", STATUS) && json?.status === "waiting") json.status = "uploading";
    },
  },
  {
    rule: "S1",
    what: "a commit with files missing that is 200",
    answer: (answered, asked) => {
      if (is(asked, "POST", COMMIT) && answered.status === 409) becomes(answered, 200, {});
    },
  },
  {
    rule: "S1",
    what: "a commit that doesn't name the missing files",
    answer: (answered, asked) => {
      if (!is(asked, "POST", COMMIT) || answered.status !== 409) return;
      answered.json.error = "Files are missing.";
    },
  },
  { rule: "M1", what: "33 sounds that are accepted", answer: pardon("ITEMS_TOO_MANY") },
  { rule: "M2", what: "a newer format that is accepted", answer: pardon("SCHEMA_NEWER") },
  {
    rule: "M2",
    what: "a newer format that nobody tells to update",
    answer: ({ json }) => {
      if (json?.code === "SCHEMA_NEWER") json.error = "Unknown format.";
    },
  },
  { rule: "M3", what: "two sounds with one file", answer: pardon("FILE_TWICE") },
  { rule: "M3", what: "more than 200 MB in a package", answer: pardon("TOTAL_TOO_LARGE") },
  { rule: "M3", what: "a sound without sha256", answer: pardon("SHA256_WRONG") },
  {
    rule: "M3",
    what: "a refused sound that is 400",
    answer: (answered) => {
      if (/^(BYTES|SHA256|FILE_NAME)_WRONG$/.test(answered.json?.code)) answered.status = 400;
    },
  },
  {
    rule: "M3",
    what: "a refusal that doesn't name the sound",
    answer: ({ json }) => {
      if (/^(BYTES|SHA256|FILE_NAME)_WRONG$/.test(json?.code)) json.error = "A sound is wrong.";
    },
  },
  {
    rule: "M4",
    what: "a package_id that is kept",
    seesBody: true,
    answer: ({ json }, asked) => {
      const sent = asked.sent?.package_id;
      if (is(asked, "POST", ANNOUNCE) && typeof sent === "string") json.package_id = sent;
    },
  },
  {
    rule: "M8",
    what: "an announcement without warnings",
    answer: ({ json }, asked) => {
      if (is(asked, "POST", ANNOUNCE)) delete json.warnings;
    },
  },
  {
    rule: "M8",
    what: "upload paths of another shape",
    answer: ({ json }, asked) => {
      if (!is(asked, "POST", ANNOUNCE) || !isJsonObject(json?.upload)) return;
      for (const [file, path] of Object.entries(json.upload)) json.upload[file] = `${path}?part=1`;
    },
  },
  {
    rule: "M8",
    what: "an announcement that is 200",
    answer: (answered, asked) => {
      if (is(asked, "POST", ANNOUNCE) && answered.status === 201) answered.status = 200;
    },
  },
  { rule: "U3", what: "a checksum that isn't checked", answer: forgive("CHECKSUM_DIFFERS") },
  { rule: "U3", what: "a size that isn't checked", answer: forgive("SIZE_DIFFERS") },
  { rule: "U4", what: "a WAV header that isn't checked", answer: forgive("WAV_NOT_RIFF") },
  {
    rule: "A4",
    what: "an app's own answer without paired_at",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", ME)) delete json.paired_at;
    },
  },
  {
    rule: "P4",
    what: "a claim that doesn't name the computer",
    answer: ({ json }, asked) => {
      if (is(asked, "POST", CLAIM)) delete json.device_name;
    },
  },
];

/** Turns a refused manifest into an announcement. */
function pardon(code: string): NonNullable<Fault["answer"]> {
  return (answered) => {
    if (answered.json?.code === code) becomes(answered, 201, inventedPackage());
  };
}
