import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findBareExceptions } from "./check-exceptions.ts";
import { fillPage } from "./fill-page.ts";
import { partsNamed, type Part, PARTS } from "./parts.ts";
import { formatRoom, formatSurvivors, scoreOf } from "./format-room.ts";
import { type Change, tryPart } from "./try-part.ts";

// Changes the code in one place at a time and checks whether a test notices. With the name of a room, writes that
// room's part of docs/testing.md; with the name of a folder, lists what survives there; without a name, tries all rooms.

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/testing.md");
/** Percent of all changes of a room that tests have to notice. */
const LEAST_SCORE = 85;

const words = process.argv.slice(2);
const isAgain = words.includes("--again");
const parts = partsNamed(words.filter((word) => word !== "--again"));
await refuseBareExceptions(parts);
for (const [room, chosen] of Map.groupBy(parts, (part) => part.room)) {
  const changes: Change[] = [];
  for (const part of chosen) changes.push(...(await tryPart(part, isAgain)));
  const isWhole = chosen.length === PARTS.filter((part) => part.room === room).length;
  await report(isWhole ? room : chosen.map(({ folder }) => folder).join(", "), changes, isWhole);
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

async function report(name: string, changes: readonly Change[], isWhole: boolean): Promise<void> {
  const score = scoreOf(changes);
  process.stdout.write(`${formatSurvivors(changes).join("\n")}\n`);
  process.stdout.write(`${name}: ${score.toFixed(1)} % of ${changes.length} changes noticed\n`);
  if (isWhole) {
    const page = await readFile(PAGE, "utf8");
    await writeFile(PAGE, fillPage(page, name, formatRoom(name, changes)));
  }
  if (score >= LEAST_SCORE) return;
  process.stderr.write(`${name}: at least ${LEAST_SCORE} % must be noticed.\n`);
  process.exitCode = 1;
}
