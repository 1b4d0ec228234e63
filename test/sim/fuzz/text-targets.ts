import assert from "node:assert/strict";
import * as fc from "fast-check";
import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { cleanName, cleanTitle } from "../../../core/text/clean-text.ts";
import { fileNameFor, folderNameFor, MAX_NAME_BYTES } from "../../../core/text/file-name.ts";
import { parseJson } from "../../../core/text/parse-json.ts";
import { parseSocketMessage } from "../../../core/importer/relay-answers.ts";
import { parseRange } from "../../../relay/http/send-file.ts";
import { anyManifest } from "../../core/manifest/any-manifest.ts";
import { anyText } from "../../core/text/any-text.ts";
import { damaged, type FuzzTarget, fuzzTarget } from "./fuzz-target.ts";
import { onlyThrows } from "./only-throws.ts";

const OPTIONS = { packageId: "pkg_1" };

async function readManifest(bytes: Buffer): Promise<void> {
  const value = parseJson(bytes.toString("utf8"));
  const parsed = await onlyThrows(Refusal, () => parseManifest(value, OPTIONS));
  if (parsed === undefined) return;
  const stored: unknown = JSON.parse(JSON.stringify(parsed.manifest));
  const again = parseManifest(stored, OPTIONS);
  assert.deepEqual(again, { manifest: parsed.manifest, warnings: [] });
}

function cleanAny(text: string): void {
  for (const clean of [cleanName, cleanTitle]) assert.equal(clean(clean(text)), clean(text));
}

function nameAny(text: string): void {
  const isFree = () => false;
  const folder = folderNameFor(text, isFree);
  assert.equal(folderNameFor(folder, isFree), folder);
  const file = fileNameFor(text, ".wav", isFree);
  assert.equal(fileNameFor(file.slice(0, -".wav".length), ".wav", isFree), file);
  for (const name of [folder, file]) {
    assert.ok(Buffer.byteLength(name) <= MAX_NAME_BYTES, "255 bytes");
    assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\p{Cs}]|^[. ]|[. ]$|^$/u);
  }
}

const numbers = fc.oneof(
  fc.nat(300).map(String),
  fc.constantFrom("", "-1", "1e3", "9".repeat(400), "٣", " "),
);
const ranges = fc.oneof(
  fc.tuple(numbers, numbers).map(([first, last]) => `bytes=${first}-${last}`),
  fc.string({ unit: fc.constantFrom(..."bytes=-,0 9\t".split("")), maxLength: 40 }),
);

async function readRange([text, sizeBytes]: readonly [string, number]): Promise<void> {
  const range = await onlyThrows(Refusal, () => parseRange(text, sizeBytes));
  if (range === undefined) return;
  const { start, end } = range;
  assert.ok(Number.isSafeInteger(start) && Number.isSafeInteger(end), `${start}-${end}`);
  assert.ok(start >= 0 && start <= end && end < sizeBytes, `${start}-${end}`);
}

const messages = fc
  .record({
    type: fc.constantFrom("packages.changed", "apps.changed", "code.used", "other"),
    app_name: anyText,
  })
  .map((message) => JSON.stringify(message));

export const TEXT_TARGETS: readonly FuzzTarget[] = [
  fuzzTarget(
    "manifest",
    damaged(
      fc.oneof(anyManifest("taken"), anyManifest("strict")).map((one) => JSON.stringify(one)),
    ),
    readManifest,
    (size) => Buffer.from(`{"schema":"app2host/1","items":[{${'"a":[0],'.repeat(size)}"b":0}]}`),
  ),
  fuzzTarget(
    "names",
    anyText,
    cleanAny,
    (size) => `${" .".repeat(size)}e${"\u0301\u0323".repeat(size)}`,
  ),
  fuzzTarget("file-names", anyText, nameAny),
  fuzzTarget(
    "range",
    fc.tuple(ranges, fc.integer({ min: 1, max: 300 })),
    readRange,
    (size): [string, number] => [
      `bytes=${" ".repeat(size)}0${" ".repeat(size)}-${" ".repeat(size)}x`,
      100,
    ],
  ),
  fuzzTarget("socket-message", damaged(messages), (bytes) => {
    const message = parseSocketMessage(bytes.toString("utf8"));
    if (message?.type === "code.used") assert.equal(typeof message.app_name, "string");
  }),
];
