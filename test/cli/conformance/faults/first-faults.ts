import type { Asked, Fault } from "./breaking-proxy.ts";
import {
  becomes,
  COMMIT,
  forgive,
  HEADERS,
  IMPORTER_HEADERS,
  inventedPackage,
  is,
  STATUS,
} from "./tools.ts";

const committed = new Set<string>();
/** Ids of packages that were seen expired. */
const expired = new Set<string>();
/** Apps, by their token, whose computer is full. */
const full = new Set<string>();
/** Calls on their own connection. */
const alone = new WeakSet<Asked>();

/** One rule broken at a time, in a relay that keeps all others. */
export const FIRST_FAULTS: readonly Fault[] = [
  {
    rule: "C1",
    what: "a success without Access-Control-Allow-Origin",
    answer: ({ headers }, asked) => {
      if (is(asked, "GET", STATUS)) delete headers["access-control-allow-origin"];
    },
  },
  {
    rule: "C2",
    what: "a preflight that does not allow Idempotency-Key",
    answer: ({ headers }, { method }) => {
      if (method === "OPTIONS") headers["access-control-allow-headers"] = "Authorization";
    },
  },
  {
    rule: "A2",
    what: "a 401 for another cause",
    also: ["P2", "P4", "P13"],
    answer: (answered, asked) => {
      if (is(asked, "POST", /^\/pair\/claim$/) && answered.status === 404) {
        answered.status = 401;
        answered.headers["www-authenticate"] = "Bearer";
      }
    },
  },
  {
    rule: "A2",
    what: "a token in the query that counts",
    ask: (asked) => {
      const token = new URLSearchParams(asked.path.split("?")[1]).get("token");
      if (token !== null) asked.headers["authorization"] = `Bearer ${token}`;
      return undefined;
    },
  },
  {
    rule: "P4",
    what: "a claim that is 201",
    also: ["P3", "P5", "P13"],
    answer: (answered, asked) => {
      if (is(asked, "POST", /^\/pair\/claim$/) && answered.status === 200) answered.status = 201;
    },
  },
  {
    rule: "P7",
    what: "an unpairing that unpairs nothing",
    also: ["A3", "P5", "S8"],
    ask: (asked) =>
      is(asked, "DELETE", /^\/importer\/apps\/pair_(?!none)/)
        ? { status: 200, headers: IMPORTER_HEADERS, json: {} }
        : undefined,
  },
  {
    rule: "S1",
    what: "a commit that does not list the missing files",
    also: ["E1"],
    answer: ({ json }, asked) => {
      if (is(asked, "POST", COMMIT)) delete json.missing;
    },
  },
  {
    rule: "S1",
    what: "a commit that works once",
    answer: (answered, asked) => {
      if (!is(asked, "POST", COMMIT) || answered.status !== 200) return;
      if (committed.has(asked.path)) {
        becomes(answered, 409, { error: "Committed already.", code: "NOT_UPLOADING" });
      }
      committed.add(asked.path);
    },
  },
  {
    rule: "S2",
    what: "a take that is not exclusive",
    answer: forgive("RUN_ELSEWHERE", { expires_at: "2026-01-01T00:00:00.000Z", expires_in: 300 }),
  },
  { rule: "S6", what: "a withdrawal of an imported package", answer: forgive("PACKAGE_IMPORTED") },
  {
    rule: "S7",
    what: "an end without its seconds",
    also: ["M8"],
    answer: ({ json }, asked) => {
      if (is(asked, "POST", /^\/packages$/)) delete json.expires_in;
    },
  },
  {
    rule: "S8",
    what: "a wait that does not wait",
    ask: (asked) => {
      asked.path = asked.path.replace(/[?&]wait=\d+/, "?");
      return undefined;
    },
  },
  {
    rule: "E1",
    what: "an error of more than 80 characters",
    answer: ({ status, json }) => {
      if (status === 405) json.error += " Please, try again.".repeat(5);
    },
  },
  {
    rule: "E2",
    what: "an answer without X-Request-Id",
    answer: ({ headers }, asked) => {
      if (is(asked, "POST", COMMIT)) delete headers["x-request-id"];
    },
  },
  {
    rule: "E3",
    what: "an error without a code",
    also: ["E1"],
    answer: ({ status, json }) => {
      if (status === 405) delete json.code;
    },
  },
  {
    rule: "L1",
    what: "a 429 without Retry-After",
    also: ["P6"],
    needs: "limit",
    answer: ({ status, headers }, asked) => {
      if (status === 429 && is(asked, "POST", /^\/pair\/claim$/)) delete headers["retry-after"];
    },
  },
  {
    rule: "U9",
    what: "room for any number of bytes",
    also: ["U6"],
    needs: "limit",
    answer: (answered) => {
      if (answered.json?.code === "UPLOADS_UNFINISHED") becomes(answered, 201, inventedPackage());
    },
  },
  {
    rule: "L2",
    what: "any number of packages that wait",
    needs: "limit",
    answer: (answered) => {
      if (answered.json?.code === "MANY_WAIT") becomes(answered, 201, inventedPackage());
    },
  },
  {
    rule: "U6",
    what: "room that was not reserved: 507 in the middle of a package",
    also: ["L2"],
    needs: "limit",
    ask: (asked) =>
      full.has(String(asked.headers["authorization"])) && asked.method === "PUT"
        ? { status: 507, headers: HEADERS, json: { error: "No room.", code: "DISK_FULL" } }
        : undefined,
    answer: ({ json }, asked) => {
      if (json?.code === "UPLOADS_UNFINISHED") full.add(String(asked.headers["authorization"]));
    },
  },
  {
    rule: "L3",
    what: "connections that are counted each for itself",
    needs: "limit",
    ask: (asked) => {
      if (asked.headers["connection"] === "close" && is(asked, "POST", /^\/packages$/)) {
        alone.add(asked);
      }
      return undefined;
    },
    answer: (answered, asked) => {
      if (alone.has(asked) && answered.status === 429) becomes(answered, 201, inventedPackage());
    },
  },
  {
    rule: "S5",
    what: "a status that is gone with the files",
    also: ["S4"],
    needs: "time",
    answer: (answered, asked) => {
      if (is(asked, "GET", STATUS) && answered.json?.status === "expired") {
        becomes(answered, 404, { error: "Gone.", code: "PACKAGE_UNKNOWN" });
      }
    },
  },
  {
    rule: "S5",
    what: "a withdrawal of a package whose status is gone",
    needs: "time",
    answer: (answered, asked) => {
      const [, id = ""] = /^\/packages\/([^/]+)/.exec(asked.path) ?? [];
      if (answered.json?.status === "expired") expired.add(id);
      if (asked.method === "DELETE" && expired.has(id)) becomes(answered, 200, {});
    },
  },
  {
    rule: "C3",
    what: "an importer's address with an encoded letter that pages may read",
    answer: ({ headers }, { path }) => {
      if (path.startsWith("/%69mporter")) headers["access-control-allow-origin"] = "*";
    },
  },
  {
    rule: "U3",
    what: "a checksum that is not checked",
    // A file in parts has one, too.
    also: ["U10"],
    answer: forgive("CHECKSUM_DIFFERS"),
  },
  { rule: "U4", what: "MP3 in a WAV that is taken", answer: forgive("WAV_COMPRESSED") },
  {
    rule: "M4",
    what: "a repair without its warning",
    also: ["M5", "M6", "M7"],
    answer: ({ json }, asked) => {
      if (is(asked, "POST", /^\/packages$/) && json?.warnings) json.warnings = [];
    },
  },
  {
    rule: "M9",
    what: "an Idempotency-Key that is not looked at",
    also: ["L1", "P13"],
    ask: (asked) => {
      delete asked.headers["idempotency-key"];
      return undefined;
    },
  },
  {
    rule: "M10",
    what: "a Content-Type that is refused",
    ask: (asked) =>
      asked.headers["content-type"] === "audio/wav" && asked.path === "/packages"
        ? { status: 415, headers: HEADERS, json: { error: "JSON, please.", code: "TYPE_WRONG" } }
        : undefined,
  },
  {
    rule: "U10",
    what: "an offset that is one too large",
    answer: ({ headers }, { method }) => {
      const offset = headers["upload-offset"];
      if (method === "HEAD" && offset !== "0") headers["upload-offset"] = `${Number(offset) + 1}`;
    },
  },
];
