import { isJsonObject } from "../../../../core/text/json-object.ts";
import type { Fault } from "./breaking-proxy.ts";
import {
  ANNOUNCE,
  becomes,
  COMMIT,
  FILE,
  forgive,
  forgiveAnnouncement,
  is,
  PACKAGE,
  STATUS,
} from "./tools.ts";

/** Faults in packages that a run of the public specification alone finds. */
export const PUBLIC_PACKAGE_FAULTS: readonly Fault[] = [
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
  {
    rule: "M1",
    what: "33 sounds that are accepted",
    answer: forgiveAnnouncement("ITEMS_TOO_MANY"),
  },
  {
    rule: "M2",
    what: "a newer format that is accepted",
    answer: forgiveAnnouncement("SCHEMA_NEWER"),
  },
  {
    rule: "M2",
    what: "a newer format that nobody tells to update",
    answer: ({ json }) => {
      if (json?.code === "SCHEMA_NEWER") json.error = "app2host/2 is no format.";
    },
  },
  { rule: "M3", what: "two sounds with one file", answer: forgiveAnnouncement("FILE_TWICE") },
  {
    rule: "M3",
    what: "more than 200 MB in a package",
    answer: forgiveAnnouncement("TOTAL_TOO_LARGE"),
  },
  { rule: "M3", what: "a sound without sha256", answer: forgiveAnnouncement("SHA256_WRONG") },
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
      for (const [file, path] of Object.entries(json.upload))
        json.upload[file] = `${String(path)}?part=1`;
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
];
