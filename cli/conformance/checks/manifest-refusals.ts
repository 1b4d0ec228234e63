import { LIMITS } from "../limits.ts";
import type { RefusalCode } from "../refusals.ts";
import { assert, assertRefusal, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";

const GOOD = { file: "a.wav", bytes: 244, sha256: "0".repeat(64) };
const OTHER = { ...GOOD, file: "b.wav" };

/** A manifest that no repair can save. */
interface RefusedCase {
  readonly rule: "M1" | "M2" | "M3";
  readonly id: string;
  /** Ends "a manifest …". */
  readonly words: string;
  readonly body: unknown;
  readonly code: RefusalCode;
  /** Matches the error, which must mention this. */
  readonly says?: RegExp;
}

function items(...sounds: readonly unknown[]): object {
  return { schema: "app2host/1", items: sounds };
}

/** A case of rule M3: one sound, named in the sentence. */
function sound(id: string, words: string, bad: object, code: RefusalCode): RefusedCase {
  const body = items(GOOD, { ...OTHER, name: "Kick", ...bad });
  return { rule: "M3", id, words: `with ${words}`, body, code, says: /\b2\b.*Kick|Kick.*\b2\b/ };
}

const FILE_NAMES = {
  "in-a-folder": "kits/b.wav",
  above: "../b.wav",
  "two-dots": "b..wav",
  "no-wav": "b.mp3",
  hidden: ".b.wav",
  "foreign-letter": "ü.wav",
  "too-long": `${"b".repeat(97)}.wav`,
  "with-nul": "b\0.wav",
} as const;

/** Every manifest that the contract refuses; a test compares it with the table of fields. */
export const REFUSED_CASES: readonly RefusedCase[] = [
  { rule: "M1", id: "list", words: "that is a list", body: [], code: "MANIFEST_NOT_OBJECT" },
  { rule: "M1", id: "null", words: "that is null", body: null, code: "MANIFEST_NOT_OBJECT" },
  {
    rule: "M1",
    id: "no-schema",
    words: "without schema",
    body: { items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
  },
  {
    rule: "M1",
    id: "no-items",
    words: "without items",
    body: { schema: "app2host/1" },
    code: "ITEMS_MISSING",
  },
  {
    rule: "M1",
    id: "items-object",
    words: "whose items are not a list",
    body: { schema: "app2host/1", items: {} },
    code: "ITEMS_MISSING",
  },
  { rule: "M1", id: "items-empty", words: "without a sound", body: items(), code: "ITEMS_MISSING" },
  {
    rule: "M1",
    id: "33-items",
    words: "of 33 sounds",
    body: items(...Array.from({ length: 33 }, (_, at) => ({ ...GOOD, file: `${at}.wav` }))),
    code: "ITEMS_TOO_MANY",
  },
  {
    rule: "M2",
    id: "newer",
    words: "of format app2host/2",
    body: { schema: "app2host/2", sounds: "elsewhere" },
    code: "SCHEMA_NEWER",
    says: /app2host\/2.*[Uu]pdate/,
  },
  {
    rule: "M2",
    id: "with-a-point",
    words: "of format app2host/1.5",
    body: { schema: "app2host/1.5", items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
    says: /app2host\/1/,
  },
  {
    rule: "M2",
    id: "other-format",
    words: "of another format",
    body: { schema: "kit/1", items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
  },
  {
    rule: "M2",
    id: "schema-number",
    words: "whose schema is a number",
    body: { schema: 1, items: [GOOD] },
    code: "SCHEMA_UNKNOWN",
  },
  {
    rule: "M3",
    id: "item-null",
    words: "with a sound that is null",
    body: items(GOOD, null),
    code: "ITEM_NOT_OBJECT",
    says: /2/,
  },
  {
    rule: "M3",
    id: "item-text",
    words: "with a sound that is a text",
    body: items("a.wav"),
    code: "ITEM_NOT_OBJECT",
  },
  sound("file-missing", "a sound without file", { file: undefined }, "FILE_NAME_MISSING"),
  ...Object.entries(FILE_NAMES).map(([id, file]) =>
    sound(`file-${id}`, `the file name ${show(file)}`, { file }, "FILE_NAME_WRONG"),
  ),
  sound("file-twice", "one file for two sounds", { file: GOOD.file }, "FILE_TWICE"),
  sound("bytes-missing", "a sound without bytes", { bytes: undefined }, "BYTES_WRONG"),
  sound("bytes-none", "a sound of 0 bytes", { bytes: 0 }, "BYTES_WRONG"),
  sound("bytes-broken", "a sound of 1.5 bytes", { bytes: 1.5 }, "BYTES_WRONG"),
  sound("bytes-text", "bytes as a text", { bytes: "244" }, "BYTES_WRONG"),
  sound(
    "bytes-many",
    "a sound of 209715201 bytes",
    { bytes: LIMITS.packageBytes + 1 },
    "BYTES_WRONG",
  ),
  sound("sha256-missing", "a sound without sha256", { sha256: undefined }, "SHA256_WRONG"),
  sound("sha256-short", "a sha256 of 63 characters", { sha256: "0".repeat(63) }, "SHA256_WRONG"),
  sound("sha256-no-hex", "a sha256 that isn't hex", { sha256: "g".repeat(64) }, "SHA256_WRONG"),
  sound(
    "total",
    "more than 209715200 bytes in all",
    { bytes: LIMITS.packageBytes },
    "TOTAL_TOO_LARGE",
  ),
];

export const REFUSAL_CHECKS: readonly Check[] = REFUSED_CASES.map(
  ({ rule, id, words, body, code, says }) => ({
    id: `manifest-${id}`,
    rule,
    title: `a manifest ${words} is 422 ${code}`,
    run: async (kit) => {
      const answer = await kit.announce(await kit.leastBusyApp(), JSON.stringify(body));
      assertRefusal(answer, code);
      const error = String(partOf(answer.json, "error"));
      assert(says?.test(error) ?? true, `The error does not name what is wrong: ${show(error)}.`);
    },
  }),
);
