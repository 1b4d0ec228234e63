import type { Fault } from "./breaking-proxy.ts";
import {
  any,
  refuses,
  refusesBody,
  sentAs,
  accepts,
  keyed,
  code,
  sounds,
  length,
  total,
} from "./edge-fault-kinds.ts";
import { FIELD_FAULTS } from "./field-faults.ts";
import { ANNOUNCE, becomes, CLAIM, forgiveAnnouncement, is, refusal, TAKE } from "./tools.ts";

/** Relays whose limits lie one beside those of the contract, at either side. */
export const EDGE_FAULTS: readonly Fault[] = [
  refuses("M1", "no package of 32 sounds", (sent) => sounds(sent).length >= 32, "ITEMS_TOO_MANY", [
    "M4",
    "M5",
    "M6",
  ]),
  accepts("M1", "a package of 33 sounds that it takes", (sent) => {
    if (sounds(sent).length === 33) sent.items.pop();
  }),
  {
    rule: "M1",
    what: "a package without sounds that it takes",
    also: ["M9", "M11"],
    answer: forgiveAnnouncement("ITEMS_MISSING"),
  },
  {
    rule: "M1",
    what: "bodies of at most 1000000 bytes",
    seesBody: ANNOUNCE,
    ask: (asked) =>
      is(asked, "POST", ANNOUNCE) && (asked.body?.length ?? 0) > 1_000_000
        ? refusal(413, "BODY_TOO_LARGE")
        : undefined,
  },
  {
    rule: "M1",
    what: "bodies below 1 MiB",
    seesBody: ANNOUNCE,
    ask: (asked) =>
      is(asked, "POST", ANNOUNCE) && (asked.body?.length ?? 0) >= 1_048_576
        ? refusal(413, "BODY_TOO_LARGE")
        : undefined,
  },
  { rule: "M1", what: "bodies of more than 1 MiB", answer: forgiveAnnouncement("BODY_TOO_LARGE") },
  refuses(
    "M3",
    "file names below 100 characters",
    (sent) => any(sent, "file", (file) => length(file) >= 100),
    "FILE_NAME_WRONG",
    ["M5"],
  ),
  accepts("M3", "a file name of 101 characters that it takes", (sent) => {
    for (const one of sounds(sent)) if (length(one.file) === 101) one.file = "short.wav";
  }),
  refuses(
    "M3",
    "sounds below 200 MB",
    (sent) => any(sent, "bytes", (bytes) => bytes === 209_715_200),
    "BYTES_WRONG",
  ),
  refuses("M3", "packages below 200 MB", (sent) => total(sent) === 209_715_200, "TOTAL_TOO_LARGE"),
  refuses("M3", "200 MB of 1000 kB", (sent) => total(sent) > 200_000_000, "TOTAL_TOO_LARGE"),
  refuses(
    "M3",
    "sounds of 2 bytes and more",
    (sent) => any(sent, "bytes", (bytes) => bytes === 1),
    "BYTES_WRONG",
  ),
  accepts("M3", "a sound of 209715201 bytes that it takes", (sent) => {
    for (const one of sounds(sent)) if (one.bytes === 209_715_201) one.bytes = 1;
  }),
  accepts("M3", "209715201 bytes in all that it takes", (sent) => {
    if (total(sent) === 209_715_201) sent.items[0].bytes -= 1;
  }),
  accepts(
    "M3",
    "a sound of 0 bytes that it takes",
    (sent) => {
      for (const one of sounds(sent)) if (one.bytes === 0) one.bytes = 1;
    },
    ["E3"],
  ),
  refuses(
    "M3",
    "only SHA-256 in lower case",
    (sent) => any(sent, "sha256", (sha) => /[A-F]/.test(String(sha))),
    "SHA256_WRONG",
    ["M5"],
  ),
  accepts("M3", "a SHA-256 of 63 digits that it takes", (sent) => {
    for (const one of sounds(sent)) if (length(one.sha256) === 63) one.sha256 += "0";
  }),
  accepts("M3", "a SHA-256 of 65 digits that it takes", (sent) => {
    for (const one of sounds(sent)) if (length(one.sha256) === 65) one.sha256 = one.sha256.slice(1);
  }),

  keyed("M9", "Idempotency-Keys below 200 characters", (key) => key.length === 200),
  keyed("M9", "Idempotency-Keys of at least 2 characters", (key) => key.length === 1),
  {
    rule: "M9",
    what: "Idempotency-Keys of any length",
    answer: forgiveAnnouncement("IDEMPOTENCY_KEY_WRONG"),
  },
  {
    rule: "M9",
    what: "Idempotency-Keys of which 100 characters count",
    ask: (asked) => {
      const key = asked.headers["idempotency-key"];
      if (typeof key === "string" && key.length <= 200) {
        asked.headers["idempotency-key"] = key.slice(0, 100);
      }
      return undefined;
    },
  },
  sentAs("M7", "ids of which 99 characters count", ANNOUNCE, (sent) => {
    for (const one of sounds(sent)) if (length(one.id) === 100) one.id = one.id.slice(0, 99);
  }),
  {
    rule: "M9",
    what: "long Idempotency-Keys that are ignored",
    ask: (asked) => {
      if (String(asked.headers["idempotency-key"] ?? "").length > 100) {
        delete asked.headers["idempotency-key"];
      }
      return undefined;
    },
  },
  refusesBody(
    "S2",
    "run ids below 100 characters",
    TAKE,
    (sent) => length(sent?.run_id) === 100,
    422,
    "RUN_ID_WRONG",
  ),
  refusesBody(
    "S2",
    "run ids of at least 2 characters",
    TAKE,
    (sent) => length(sent?.run_id) === 1,
    422,
    "RUN_ID_WRONG",
  ),
  {
    rule: "S2",
    what: "run ids of any length",
    answer: (answered) => {
      const ends = { expires_at: new Date().toISOString(), expires_in: 300 };
      if (answered.json?.code === "RUN_ID_WRONG") becomes(answered, 200, ends);
    },
  },
  refusesBody(
    "P5",
    "app ids below 200 characters",
    CLAIM,
    (sent) => length(sent?.app_id) === 200,
    400,
    "APP_ID_TOO_LONG",
  ),
  {
    rule: "P5",
    what: "app ids of any length",
    needs: "limit",
    answer: (answered) => {
      if (answered.json?.code !== "APP_ID_TOO_LONG") return;
      becomes(answered, 404, { error: "No.", code: "CODE_UNKNOWN" });
    },
  },
  sentAs(
    "P5",
    "names of paired apps cut to 39 characters",
    CLAIM,
    (sent) => {
      if (typeof sent?.app_name === "string") sent.app_name = sent.app_name.slice(0, 39);
    },
    ["M6"],
  ),
  sentAs(
    "P5",
    "names of paired apps that are counted in UTF-16 units",
    CLAIM,
    (sent) => {
      const { app_name: name } = sent ?? {};
      if (typeof name === "string" && name.length > 40)
        sent.app_name = Array.from(name).slice(0, 20).join("");
    },
    ["M6"],
  ),
  {
    rule: "P5",
    what: "names of paired apps that are never cut",
    also: ["M6"],
    plant: () => {
      const names = new Map<string, string>();
      return {
        seesBody: CLAIM,
        answer: ({ json }, asked) => {
          if (is(asked, "POST", CLAIM) && json?.app_token) {
            names.set(`Bearer ${json.app_token}`, asked.sent?.app_name);
          }
          const name = names.get(String(asked.headers["authorization"]));
          if (is(asked, "GET", /^\/app\/me$/) && json?.app_name)
            json.app_name = name ?? json.app_name;
        },
      };
    },
  },
  sentAs("P1", "names of computers cut to 59 characters", /^\/importer\/me$/, (sent) => {
    if (typeof sent?.device_name === "string")
      sent.device_name = sent.device_name.trim().slice(0, 59);
  }),
  {
    rule: "P1",
    what: "names of computers of 61 characters",
    seesBody: /^\/importer\/me$/,
    answer: ({ json }, asked) => {
      if (asked.method === "PATCH" && length(json?.device_name) === 60)
        json.device_name = asked.sent.device_name.trim();
    },
  },
  code("a code that is too long is 400", (text) => text.length > 12),
  code("a code with other symbols is 422", (text) => /[01IOL]/.test(text), 422),
  {
    ...code("a code of nothing but signs counts as missing", (text) => !/[0-9A-Z]/i.test(text)),
    also: ["P3"],
    needs: "limit",
  },
  {
    ...code(
      "a code that isn't six symbols is 400",
      (text) => text.replaceAll(/[^0-9A-Z]/gi, "").length !== 6,
    ),
    also: ["P3"],
  },
  {
    rule: "E1",
    what: "errors of 81 units",
    answer: ({ status, json }, asked) => {
      if (status === 422 && is(asked, "POST", ANNOUNCE) && json?.error?.length > 60) {
        json.error = json.error.padEnd(81, ".");
      }
    },
  },
  ...FIELD_FAULTS,
];
