import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as limits from "../../../core/limits.ts";
import { findLimitWords } from "./limits-said.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Numbers so rare that a second one in the code is a copy. */
const RARE = new Set<number>([
  limits.MAX_PACKAGE_BYTES,
  limits.MAX_JSON_BYTES,
  limits.MAX_SAMPLE_RATE_HZ,
  limits.MAX_BPM,
  limits.RELAY_DEFAULTS.waitWindowSeconds,
  limits.RELAY_DEFAULTS.statusWindowSeconds,
]);

/** Matches that aren't limits, with the reason. */
const OTHERS: readonly (readonly [file: string, words: RegExp, reason: string])[] = [
  ["relay/http/cors.ts", /86400/, "how long a browser remembers a preflight"],
  ["cli/format.ts", /999\.95/, "where a size is rounded up to the next unit"],
  ["core/guess/guess-title.ts", /96000/, "a file's format in its name"],
  ["core/guess/numbers-in-name.ts", /96000/, "a file's format in its name"],
  ["core/zip/zip-format.ts", /larger than 4 GiB/, "what a ZIP can hold"],
];

/** The product's code. The conformance kit tests against literal numbers. */
const FILES = execFileSync(
  "git",
  ["ls-files", "addon", "cli", "client", "core", "pages", "program", "relay"],
  {
    cwd: ROOT,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => /\.(tsx?|html)$/.test(path) && path !== "core/limits.ts")
  .filter((path) => !path.startsWith("cli/conformance/"));

const CODE = FILES.map((path) => ({ path, code: withoutComments(path) }));

test("only core/limits.ts has the number of a limit", () => {
  const copies = CODE.flatMap(({ path, code }) =>
    [...code.matchAll(/(?<![\w.])\d[\d_,]*/g)]
      .filter(([number]) => RARE.has(Number(number.replaceAll(/[_,]/g, ""))))
      .map(({ index }) => ({ path, words: code.slice(index - 30, index + 20) })),
  );
  expect(CODE.length).toBeGreaterThan(400);
  expect(unexplained(copies)).toEqual([]);
});

test("no sentence in code has a literal limit", () => {
  const copies = CODE.flatMap(({ path, code }) =>
    findLimitWords(code).map((words) => ({ path, words })),
  );
  expect(unexplained(copies)).toEqual([]);
});

test("no schema and no input of a page has a literal length", () => {
  const bound = /\b(maxLength|maxItems|maximum)(: |=\{)\d{2,}/g;
  const copies = CODE.filter(({ path }) => path !== "core/manifest/validate.generated.js").flatMap(
    ({ path, code }) => [...code.matchAll(bound)].map(([words]) => ({ path, words })),
  );
  // A pairing code has six symbols, but is pasted with spaces and hyphens; a number is cut before it is read.
  const others = [
    "pages/send/sounds/draft-panes.tsx: maxLength={12",
    "pages/send/sounds/group-bar.tsx: maxLength={12",
    "pages/send/sounds/question-bar.tsx: maxLength={12",
    "pages/send/sounds/sound-fields.tsx: maxLength={12",
  ];
  expect(copies.map(({ path, words }) => `${path}: ${words}`)).toEqual(others);
});

function unexplained(copies: readonly { path: string; words: string }[]): readonly string[] {
  return copies
    .filter(
      ({ path, words }) => !OTHERS.some(([file, other]) => file === path && other.test(words)),
    )
    .map(({ path, words }) => `${path}: ${words}`);
}

function withoutComments(path: string): string {
  return readFileSync(join(ROOT, path), "utf8")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/(^|\s)\/\/ .*$/gm, "");
}
