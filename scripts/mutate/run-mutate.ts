import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findBareExceptions } from "./check-exceptions.ts";
import { fillRow } from "./fill-row.ts";
import { partsNamed, type Part } from "./parts.ts";
import { formatSurvivors, scoreOf, scoreRow } from "./format-folder.ts";
import { tryChanged } from "./try-changed.ts";
import { type Change, tryPart } from "./try-part.ts";

// Changes the code in one place at a time and checks whether a test notices. Prints what survives, and writes a folder's
// scores into docs/build/testing.md. Without a name it tries all folders; with --changed only the lines of them that a
// change touched, and writes nothing.

const ROOT = join(import.meta.dirname, "../..");
/** Percent of all changes of a folder that tests have to notice. */
const LEAST_SCORE = 85;
/** Number of left-out pieces that are named. */
const NAMED = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    base: { type: "string" },
  },
});
const parts = partsNamed(positionals);
await refuseBareExceptions(parts);
if (values.changed) await reportChanged();
else await reportFolders();

async function reportFolders(): Promise<void> {
  for (const part of parts) {
    const changes = await tryPart(part, values.again ? "again" : "whole");
    judge(part.folder, changes);
    await writeScores(part.folder, changes);
  }
}

async function reportChanged(): Promise<void> {
  const { changes, late, outside, unreached } = await tryChanged(parts, values.base);
  judge("What changed", changes);
  const leftOut = [
    ["for lack of time", late],
    ["because no test of its folder imports it", unreached],
    ["because it is in no folder that is mutated", outside],
  ] as const;
  for (const [why, names] of leftOut) {
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    const listed = names.slice(0, NAMED).join(", ");
    if (names.length > 0) process.stdout.write(`Left out ${why}: ${listed}${more}\n`);
  }
  if (unreached.length > 0) process.exitCode = 1;
}

async function refuseBareExceptions(parts: readonly Part[]): Promise<void> {
  const bare: string[] = [];
  for await (const file of glob(
    parts.flatMap(({ mutate }) => mutate),
    { cwd: ROOT },
  )) {
    bare.push(...findBareExceptions(file, await readFile(join(ROOT, file), "utf8")));
  }
  if (bare.length > 0) throw new Error(`Lines are left out without a reason:\n${bare.join("\n")}`);
}

function judge(name: string, changes: readonly Change[]): void {
  if (changes.length === 0) {
    process.stdout.write(`${name}: nothing to try\n`);
    return;
  }
  const score = scoreOf(changes);
  process.stdout.write(`${formatSurvivors(changes).join("\n")}\n`);
  process.stdout.write(`${name}: ${score.toFixed(1)} % of ${changes.length} changes noticed\n`);
  if (score >= LEAST_SCORE) return;
  process.stderr.write(`${name}: at least ${LEAST_SCORE} % must be noticed.\n`);
  process.exitCode = 1;
}

async function writeScores(folder: string, changes: readonly Change[]): Promise<void> {
  const path = join(ROOT, "docs/build/testing.md");
  const page = await readFile(path, "utf8");
  await writeFile(path, fillRow(page, scoreRow(folder, changes)));
}
