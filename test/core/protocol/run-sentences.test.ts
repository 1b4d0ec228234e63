import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RUN_SENTENCES } from "../../../core/protocol/run-sentences.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** The folders of what runs produce. */
const PRODUCERS = [
  "addon",
  "core/dawproject",
  "core/importer",
  "core/layout",
  "core/live-set",
  "core/protocol",
  "core/report",
  "core/saved-package",
  "core/text",
  "program",
];
const TABLES =
  /core\/protocol\/run-(?:sentences|parts)\.ts$|core\/(?:layout|live-set)\/[\w-]+-sentences\.ts$/;

/** The producers' code in one text: concatenated literals are one, and each value in them is `…`. */
const code = PRODUCERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|py)$/.test(path))
    .map((path) => join(ROOT, folder, path)),
)
  .filter((path) => !TABLES.test(path.replaceAll("\\", "/")))
  .map((path) => readFileSync(path, "utf8").replaceAll(/["`]\s*\+\s*["`]/g, ""))
  .join("\n")
  .replaceAll(/\$\{[^{}]+\}|\{\w+\}|%s/g, "…");

/** Returns the words of a text three by three, without those around a placeholder. */
function triplesOf(text: string): readonly string[] {
  return text.split(/\{\w+\}/).flatMap((piece) => {
    const words = piece.split(" ").filter((word) => /\w/.test(word));
    return words.slice(2).map((_, index) => words.slice(index, index + 3).join(" "));
  });
}

/** Sentences are put together from several literals, so that some of their triples are not in the code. */
const SHARE = 0.6;

/** Returns whether a sentence is made by its code, or is in the producers' code in its own words. */
function isProduced([name, text]: readonly [string, string]): boolean {
  if (new RegExp(`(?:Sentence\\(\\s*"|SENTENCES\\.|")${name}\\b`).test(code)) return true;
  const triples = triplesOf(text);
  const found = triples.filter((triple) => code.includes(triple));
  return found.length >= triples.length * SHARE;
}

/** Sentences that the hosts put together from values; the tests of the hosts have them. */
const COMPOSED = ["SCENE_COLOR", "SCENE_COLORLESS"];

test("[N28] each sentence is one that the importer says, so that no change loses a translation", () => {
  const unsaid = Object.entries<string>(RUN_SENTENCES)
    .filter((entry) => !isProduced(entry))
    .map(([name]) => name);
  const known = new Set(COMPOSED);
  expect(unsaid.filter((name) => !known.has(name))).toEqual([]);
});
