import { assert, assertRefusal, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import type { RefusalCode } from "../refusals.ts";
import { REFUSED_EDGES } from "./edges.ts";
import { badSound, GOOD, items, type RefusedCase } from "./refused-case.ts";

const REQUIRED = "2.3 schema and items are required";
const EXACTLY = "2.3 schema: exactly app2host/1";
const INVALID = "7: 422 for an invalid sound";
const FILE = "2.4 file: first character a letter or digit, then some others, ends in .wav, no ..";

/** Parts of an error's text that the public specification shows. */
const PUBLIC_SAYS: Partial<Record<RefusalCode, RegExp>> = { SCHEMA_NEWER: /app2host\/2/ };

const FILE_NAMES = {
  "in-a-folder": "kits/b.wav",
  above: "../b.wav",
  "two-dots": "b..wav",
  "no-wav": "b.mp3",
  hidden: ".b.wav",
  "foreign-letter": "ü.wav",
  "with-nul": "b\0.wav",
} as const;

/** Every manifest that the contract refuses; a test compares it with the table of fields. */
export const REFUSED_CASES: readonly RefusedCase[] = [
  { rule: "M1", id: "list", words: "that is a list", body: [], code: "MANIFEST_NOT_OBJECT" },
  { rule: "M1", id: "null", words: "that is null", body: null, code: "MANIFEST_NOT_OBJECT" },
  {
    rule: "M1",
    id: "no-schema",
    spec: REQUIRED,
    words: "without schema",
    body: { items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
  },
  {
    rule: "M1",
    id: "no-items",
    spec: REQUIRED,
    words: "without items",
    body: { schema: "app2host/1" },
    code: "ITEMS_MISSING",
  },
  {
    rule: "M1",
    id: "items-object",
    spec: "2.3 items: an array of sounds",
    words: "whose items are not a list",
    body: { schema: "app2host/1", items: {} },
    code: "ITEMS_MISSING",
  },
  {
    rule: "M2",
    id: "newer",
    spec: "7: 422 for a newer schema; the text names that format",
    words: "of format app2host/2",
    body: { schema: "app2host/2", sounds: "elsewhere" },
    code: "SCHEMA_NEWER",
    says: /app2host\/2.*[Uu]pdate/,
  },
  {
    rule: "M2",
    id: "with-a-point",
    spec: EXACTLY,
    words: "of format app2host/1.5",
    body: { schema: "app2host/1.5", items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
    says: /app2host\/1/,
  },
  {
    rule: "M2",
    id: "other-format",
    spec: EXACTLY,
    words: "of another format",
    body: { schema: "kit/1", items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
  },
  {
    rule: "M2",
    id: "schema-number",
    spec: EXACTLY,
    words: "whose schema is a number",
    body: { schema: 1, items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
  },
  {
    rule: "M3",
    id: "item-null",
    spec: INVALID,
    words: "with a sound that is null",
    body: items(GOOD, null),
    code: "ITEM_NOT_OBJECT",
    says: /2/,
  },
  {
    rule: "M3",
    id: "item-text",
    spec: INVALID,
    words: "with a sound that is a text",
    body: items("a.wav"),
    code: "ITEM_NOT_OBJECT",
  },
  badSound(
    "file-missing",
    "a sound without file",
    { file: undefined },
    "FILE_NAME_MISSING",
    "2.4 file: required",
  ),
  ...Object.entries(FILE_NAMES).map(([id, file]) =>
    badSound(`file-${id}`, `the file name ${show(file)}`, { file }, "FILE_NAME_WRONG", FILE),
  ),
  badSound(
    "file-twice",
    "one file for two sounds",
    { file: GOOD.file },
    "FILE_TWICE",
    "2.5 the server refuses two sounds that use the same file",
  ),
  badSound(
    "bytes-missing",
    "a sound without bytes",
    { bytes: undefined },
    "BYTES_WRONG",
    "2.5 the server requires bytes and sha256 for every sound",
  ),
  badSound(
    "bytes-broken",
    "a sound of 1.5 bytes",
    { bytes: 1.5 },
    "BYTES_WRONG",
    "2.4 bytes: an integer",
  ),
  badSound("bytes-text", "bytes as a text", { bytes: "244" }, "BYTES_WRONG"),
  badSound(
    "sha256-missing",
    "a sound without sha256",
    { sha256: undefined },
    "SHA256_WRONG",
    "2.5 the server requires bytes and sha256 for every sound",
  ),
  badSound(
    "sha256-no-hex",
    "a sha256 that isn't hex",
    { sha256: "g".repeat(64) },
    "SHA256_WRONG",
    "2.4 sha256: 64 hex characters",
  ),
  ...REFUSED_EDGES,
];

export const REFUSAL_CHECKS: readonly Check[] = REFUSED_CASES.map(check);

function check({ rule, id, words, body, code, says, spec }: RefusedCase): Check {
  return {
    id: `manifest-${id}`,
    rule,
    title: `a manifest ${words} is 422 ${code}`,
    ...(spec !== undefined && { spec }),
    run: async (kit) => {
      const answer = await kit.announce(await kit.leastBusyApp(), JSON.stringify(body));
      assertRefusal(answer, code);
      const due = kit.contract === "whole" ? says : PUBLIC_SAYS[code];
      const error = String(partOf(answer.json, "error"));
      assert(due?.test(error) ?? true, `The error does not name what is wrong: ${show(error)}.`);
    },
  };
}
