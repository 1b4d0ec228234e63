import type { Fault } from "./breaking-proxy.ts";
import {
  ANNOUNCE,
  becomes,
  DOWNLOAD,
  FILE,
  is,
  PACKAGE,
  refusal,
  RESULTS,
  IMPORTER_LIST,
} from "./tools.ts";

const TOKEN_LENGTH = "Bearer sfa_".length + 43;

/** Headers, methods and members that only some calls have wrong. */
export const SPELLING_FAULTS: readonly Fault[] = [
  {
    rule: "C1",
    what: "answers that don't expose Soundferry-Relay",
    answer: ({ headers }) => {
      const exposed = headers["access-control-expose-headers"];
      if (typeof exposed !== "string") return;
      headers["access-control-expose-headers"] = exposed.replace(" Soundferry-Relay,", "");
    },
  },
  {
    rule: "C2",
    what: "preflights that allow headers by the wildcard alone",
    answer: ({ headers }, { method }) => {
      if (method === "OPTIONS") headers["access-control-allow-headers"] = "Authorization, *";
    },
  },
  {
    rule: "A2",
    what: "a token that counts without its scheme",
    ask: ({ headers }) => {
      const sent = headers["authorization"];
      if (typeof sent === "string" && sent.startsWith("sfa_")) {
        headers["authorization"] = `Bearer ${sent}`;
      }
      return undefined;
    },
  },
  {
    rule: "A2",
    what: "a token of which only the beginning counts",
    ask: ({ headers }) => {
      headers["authorization"] = String(headers["authorization"] ?? "").slice(0, TOKEN_LENGTH);
      if (headers["authorization"] === "") delete headers["authorization"];
      return undefined;
    },
  },
  {
    rule: "A2",
    what: "an importer's call without a token that says the token is unknown",
    answer: ({ json, status }, { path }) => {
      if (status === 401 && path.startsWith("/importer")) json.code = "IMPORTER_UNKNOWN";
    },
  },
  {
    rule: "E1",
    what: "HEAD that is 404 where a token is needed",
    answer: (answered, asked) => {
      if (is(asked, "HEAD", /^\/(app\/me|packages|importer\/packages)$/)) answered.status = 404;
    },
  },
  {
    rule: "E1",
    what: "a wrong method of a call without a token that is 404",
    answer: (answered, asked) => {
      if (is(asked, "GET", /^\/pair\/claim$/)) {
        becomes(answered, 404, { error: "Nothing.", code: "PATH_UNKNOWN" });
      }
    },
  },
  {
    rule: "I1",
    what: "a version that never rises",
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", /^\/importer\/packages(\/[^/]+)?$/)) return;
      for (const one of json?.packages ?? [json]) if (one?.version !== undefined) one.version = 1;
    },
  },
  {
    rule: "I2",
    what: "a range of the first byte that gets the whole file",
    ask: (asked) => {
      if (is(asked, "GET", DOWNLOAD) && asked.headers["range"] === "bytes=0-0") {
        delete asked.headers["range"];
      }
      return undefined;
    },
  },
  {
    rule: "I5",
    what: "a page that is 426 for an importer of api=1",
    ask: (asked) => {
      const isOld = String(asked.headers["x-soundferry-importer"]).includes("api=1");
      return isOld && is(asked, "GET", IMPORTER_LIST)
        ? refusal(426, "IMPORTER_TOO_OLD", "Update.")
        : undefined;
    },
  },
  {
    rule: "S7",
    what: "an app's list that never says `taken`",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", ANNOUNCE)) for (const one of json?.packages ?? []) delete one.taken;
    },
  },
  {
    rule: "S6",
    what: "a package that was imported in part and can be withdrawn",
    plant: () => {
      const partial = new Set<string>();
      const idIn = (path: string) => path.split("/").find((part) => part.startsWith("pkg_")) ?? "";
      return {
        answer: (answered, asked) => {
          if (is(asked, "POST", RESULTS)) {
            if (answered.json?.status === "partial") partial.add(idIn(asked.path));
            else partial.delete(idIn(asked.path));
          }
          if (is(asked, "DELETE", PACKAGE) && partial.has(idIn(asked.path)))
            becomes(answered, 200, {});
        },
      };
    },
  },
  {
    rule: "M10",
    what: "a manifest that is 415 as a form",
    ask: (asked) => {
      const isForm = asked.headers["content-type"] === "application/x-www-form-urlencoded";
      return isForm ? refusal(415, "UPLOAD_TYPE_WRONG") : undefined;
    },
  },
  {
    rule: "U10",
    what: "a last part that can't be empty",
    ask: (asked) => {
      const isEmpty = asked.headers["content-length"] === "0";
      return isEmpty && is(asked, "PATCH", FILE) ? refusal(400, "UPLOAD_HEADERS_WRONG") : undefined;
    },
  },
];
