import { isJsonObject } from "../../../../core/text/json-object.ts";
import type { Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, becomes, FILE, is, refusal, STATUS, CLAIM, UNPAIR, ME } from "./tools.ts";

/** An address that needs a token and changes nothing. */
const NOTHING = "/packages/pkg_none/commit";

/** Faults in pairing, tokens, pages and errors that a run of the public specification alone finds. */
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
