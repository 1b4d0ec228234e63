import type { Asked, Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, COMMIT, is } from "./tools.ts";
import {
  answering,
  changeText,
  listing,
  on,
  packagesIn,
  refusing,
  remembering,
  soundsOf,
  tokenOf,
  refused,
} from "./blind-tools.ts";

const HELLO = /^\/importer\/hello$/;

/** Keys of announcements, with their bytes, per token. */
function keys() {
  const bodies = new Map<string, string>();
  const keyOf = (asked: Asked) => `${tokenOf(asked)} ${String(asked.headers["idempotency-key"])}`;
  return {
    isSent: (asked: Asked) =>
      is(asked, "POST", ANNOUNCE) && asked.headers["idempotency-key"] !== undefined,
    get: (asked: Asked) => bodies.get(keyOf(asked)),
    set: (asked: Asked) => bodies.set(keyOf(asked), String(asked.body)),
  };
}

/** Faults in limits, lists and announcements. */
export const REST_FAULTS: readonly Fault[] = [
  {
    rule: "L1",
    what: "a RateLimit that never falls",
    answer: ({ headers }) =>
      changeText(headers, "ratelimit", (limit) => limit.replace(/r=\d+/, "r=599")),
  },
  {
    rule: "L1",
    what: "the limit less one in RateLimit-Policy",
    answer: ({ headers }) =>
      changeText(headers, "ratelimit-policy", (policy) => policy.replace("q=600", "q=599")),
  },
  {
    rule: "L1",
    what: "no RateLimit in refusals",
    answer: ({ headers, status }) => {
      if (status >= 400) delete headers["ratelimit"];
    },
  },
  {
    rule: "L1",
    what: "no packages in RateLimit",
    answer: ({ headers }) =>
      changeText(headers, "ratelimit", (limit) => limit.replace(/, "packages".*/, "")),
  },
  {
    rule: "L1",
    what: "a Retry-After of 0 after too many calls",
    needs: "limit",
    answer: on("CALLS_TOO_MANY", ({ headers }) => void (headers["retry-after"] = "0")),
  },
  {
    rule: "L1",
    what: "a date in Retry-After after too many packages",
    needs: "limit",
    answer: on("PACKAGES_TOO_MANY", ({ headers }) => {
      headers["retry-after"] = new Date(Date.now() + 3_000_000).toUTCString();
    }),
  },
  {
    rule: "P6",
    what: "no Retry-After after too many wrong codes",
    needs: "limit",
    answer: on("TRIES_TOO_MANY", ({ headers }) => void delete headers["retry-after"]),
  },
  {
    rule: "S7",
    what: "an app's oldest packages first",
    ...answering("GET", ANNOUNCE, ({ json }) => json.packages.reverse()),
  },
  {
    rule: "S7",
    what: "only the first status of a filter obeyed",
    ask: (asked) => {
      if (is(asked, "GET", ANNOUNCE))
        asked.path = asked.path.replace(/(status=\w+)(?:,|%2C)[^&]*/i, "$1");
      return undefined;
    },
  },
  {
    rule: "S7",
    what: "an unknown status in a filter ignored",
    ask: (asked) => {
      const status = /[?&]status=([^&]*)/.exec(asked.path)?.[1];
      if (
        is(asked, "GET", ANNOUNCE) &&
        status !== undefined &&
        !/upl|wait|imp|part|fail|exp/.test(status)
      ) {
        asked.path = "/packages";
      }
      return undefined;
    },
  },
  {
    rule: "I1",
    what: "the importer's oldest packages first",
    answer: (answered, asked) => void packagesIn(answered, asked).reverse(),
  },
  {
    rule: "I1",
    what: "a version that never rises",
    ...listing((listed) => void (listed.version = 1)),
  },
  {
    rule: "I1",
    what: "packages that nobody seems to take",
    ...listing((listed) => void (listed.taken = false)),
  },
  {
    rule: "I4",
    what: "the versions of the importer's API as one number",
    ...answering("GET", HELLO, ({ json }) => void (json.importer_api = 2)),
  },
  {
    rule: "M9",
    what: "keys that a refused announcement uses up",
    plant: () => {
      const refusedKeys = keys();
      return {
        seesBody: true,
        ask: (asked) => {
          const body = refusedKeys.isSent(asked) ? refusedKeys.get(asked) : undefined;
          return body === undefined || body === String(asked.body)
            ? undefined
            : refused(asked, 422, "IDEMPOTENCY_KEY_REUSED");
        },
        answer: ({ status }, asked) => {
          if (refusedKeys.isSent(asked) && status === 422 && refusedKeys.get(asked) === undefined)
            refusedKeys.set(asked);
        },
      };
    },
  },
  {
    rule: "M9",
    what: "a second package for a repeated announcement",
    plant: () => {
      const sent = keys();
      return {
        seesBody: true,
        ask: (asked) => {
          if (!sent.isSent(asked)) return undefined;
          if (sent.get(asked) === String(asked.body)) delete asked.headers["idempotency-key"];
          else sent.set(asked);
          return undefined;
        },
      };
    },
  },
  {
    rule: "M9",
    what: "201 only for the first of repeated announcements",
    plant: () => {
      const seen = new Set<string>();
      return answering(
        "POST",
        ANNOUNCE,
        (answered) => {
          if (seen.has(answered.json.package_id)) answered.status = 200;
          seen.add(answered.json.package_id);
        },
        201,
      );
    },
  },
  {
    rule: "M3",
    what: "checksums in upper case refused",
    ...refusing(
      (manifest) =>
        soundsOf(manifest).some(({ sha256 }) => /^(?=.*[A-F])[0-9A-F]{64}$/.test(sha256)),
      "SHA256_WRONG",
    ),
  },
  {
    rule: "I2",
    what: "checksums in the letter case in which they came",
    plant: remembering(({ manifest }, sent) => {
      soundsOf(manifest).forEach(
        (sound, index) => void (sound.sha256 = soundsOf(sent)[index]?.sha256),
      );
    }),
  },
  {
    rule: "M5",
    what: "more warnings than 100 left out without a word",
    answer: ({ json, status }, asked) => {
      if (!is(asked, "POST", ANNOUNCE) || status !== 201) return;
      json.warnings = json.warnings.filter(
        ({ code }: { code: string }) => code !== "MORE_WARNINGS",
      );
    },
  },
  {
    rule: "M10",
    what: "a commit whose body must be JSON",
    seesBody: true,
    ask: (asked) =>
      is(asked, "POST", COMMIT) && (asked.body?.byteLength ?? 0) > 0 && asked.sent === undefined
        ? refused(asked, 400, "NOT_JSON")
        : undefined,
  },
  {
    rule: "M10",
    what: "announcements of application/json only",
    ask: (asked) =>
      is(asked, "POST", ANNOUNCE) &&
      !String(asked.headers["content-type"]).startsWith("application/json")
        ? refused(asked, 415, "REQUEST_MALFORMED")
        : undefined,
  },
  {
    rule: "M11",
    what: "a byte order mark refused",
    seesBody: true,
    ask: (asked) =>
      asked.body?.subarray(0, 3).toString("hex") === "efbbbf"
        ? refused(asked, 400, "NOT_JSON")
        : undefined,
  },
];
