import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findBareExceptions } from "./check-exceptions.ts";
import { fillPage, fillRow } from "./fill-page.ts";
import { partsNamed, type Part, PARTS } from "./parts.ts";
import { formatSurvivors, scoreOf, scoreRow } from "./format-room.ts";
import { tryChanged } from "./try-changed.ts";
import { type Change, tryPart } from "./try-part.ts";

// Changes the code in one place at a time and checks whether a test notices. With the name of a room, writes its
// scores into docs/testing.md and its survivors into docs/mutants.md; with the name of a folder, lists what survives
// there; without a name, tries all rooms; with --changed, only the lines of them that a change touched.

const ROOT = join(import.meta.dirname, "../..");
/** Percent of all changes of a room that tests have to notice. */
const LEAST_SCORE = 85;
/** Of what was left out. */
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
else await reportRooms();

async function reportRooms(): Promise<void> {
  for (const [room, chosen] of Map.groupBy(parts, (part) => part.room)) {
    const changes: Change[] = [];
    for (const part of chosen) {
      changes.push(...(await tryPart(part, values.again ? "again" : "whole")));
    }
    const isWhole = chosen.length === PARTS.filter((part) => part.room === room).length;
    judge(isWhole ? room : chosen.map(({ folder }) => folder).join(", "), changes);
    if (isWhole) await writePages(room, changes);
  }
}

async function reportChanged(): Promise<void> {
  const { changes, late, outside, unreached } = await tryChanged(parts, values.base);
  judge("What changed", changes);
  const leftOut = [
    ["for lack of time", late],
    ["because no test of its folder imports it", unreached],
    ["because it is in no room that is mutated", outside],
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

async function writePages(room: string, changes: readonly Change[]): Promise<void> {
  const survivors = formatSurvivors(changes).join("\n\n");
  await rewrite("docs/testing.md", (page) => fillRow(page, scoreRow(room, changes)));
  await rewrite("docs/mutants.md", (page) => fillPage(page, room, survivors));
}

async function rewrite(name: string, change: (page: string) => string): Promise<void> {
  const path = join(ROOT, name);
  await writeFile(path, change(await readFile(path, "utf8")));
}
