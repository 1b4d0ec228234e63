import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChanged } from "../../scripts/check/changed-files.ts";
import { filesOf } from "./nightly-files.ts";
import { type Figures, fillTable, lastCommits } from "./nightly-table.ts";
import { NIGHTLY_PARTS, type Part } from "./parts.ts";
import { runPart } from "./run-part.ts";

// `npm run test:nightly [-- part … | file … | --changed [--base COMMIT]] [--list]`: runs these parts, or all, and writes
// their rows in docs/build/testing.md. A file runs as its part runs it. `--old` names the parts that last ran over 300 commits ago.

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/build/testing.md");
const OLD_COMMITS = 300;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    base: { type: "string" },
    old: { type: "boolean", default: false },
  },
});
const files = positionals.filter((word) => word.endsWith(".test.ts"));
const unknown = positionals.find(
  (word) => !files.includes(word) && !NIGHTLY_PARTS.some(({ name }) => name === word),
);
if (unknown !== undefined) {
  const names = NIGHTLY_PARTS.map(({ name }) => name).join(", ");
  throw new Error(`There is no part ${unknown}. Parts are: ${names}.`);
}
const chosen = flags.changed
  ? touchedBy(findChanged(flags.base).files.map(({ path }) => path))
  : chooseNamed();
if (flags.old) await listOld();
else if (flags.list) list(chosen);
else if (files.length > 0) await runFiles();
else await run(chosen);

function chooseNamed(): readonly Part[] {
  if (positionals.length === 0) return NIGHTLY_PARTS;
  return NIGHTLY_PARTS.filter(({ name }) => positionals.includes(name));
}

async function runFiles(): Promise<void> {
  drawSeed();
  for (const file of files) {
    const part = NIGHTLY_PARTS.find((one) => filesOf(one).includes(file));
    if (part === undefined) throw new Error(`${file} is no file of the nightly tests.`);
    const { failures } = await runPart(part, [file]);
    if (failures > 0) process.exitCode = 1;
  }
}

/** New random numbers each time; a run that fails prints how to repeat it. */
function drawSeed(): void {
  process.env["RANDOM_SEED"] ??= "new";
}

async function run(parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) print("The changes touch no part.");
  drawSeed();
  for (const part of parts) {
    print(`\n== ${part.name}: ${part.proves} ==`);
    const figures = { ...(await runPart(part)), date: new Date().toISOString().slice(0, 10) };
    const commit = git("rev-parse", "--short", "HEAD");
    await writeRow(part, { ...figures, commit });
    print(`${part.name}: ${figures.failures} failed, ${figures.seconds.toFixed(0)} s`);
    if (figures.failures > 0) process.exitCode = 1;
  }
}

/** Reads the page again each time: mutation tests write to it, too. */
async function writeRow(part: Part, figures: Figures): Promise<void> {
  const page = await readFile(PAGE, "utf8");
  await writeFile(PAGE, fillTable(page, NIGHTLY_PARTS, new Map([[part.name, figures]])));
}

function list(parts: readonly Part[]): void {
  for (const part of parts) {
    print(`${part.name}: ${part.proves}`);
    for (const file of filesOf(part)) print(`  ${file}`);
    for (const words of part.scripts ?? [])
      print(`  npm run ${words[0]} -- ${words.slice(1).join(" ")}`);
  }
}

async function listOld(): Promise<void> {
  const commits = lastCommits(await readFile(PAGE, "utf8"));
  const old = NIGHTLY_PARTS.flatMap(({ name }) => {
    const commit = commits.get(name);
    if (commit === undefined) return [`${name}: never ran`];
    const count = commitsSince(commit);
    if (count === undefined) return [`${name}: ran at ${commit}, which this clone doesn't have`];
    return count > OLD_COMMITS ? [`${name}: ran ${count} commits ago`] : [];
  });
  print(old.length === 0 ? `Every part ran in the last ${OLD_COMMITS} commits.` : old.join("\n"));
}

function commitsSince(commit: string): number | undefined {
  try {
    return Number(git("rev-list", "--count", `${commit}..HEAD`));
  } catch {
    return undefined;
  }
}

function touchedBy(changed: readonly string[]): readonly Part[] {
  return NIGHTLY_PARTS.filter((part) => {
    const own = new Set(filesOf(part));
    return changed.some(
      (file) => own.has(file) || part.watches.some((path) => file.startsWith(path)),
    );
  });
}

function git(...words: readonly string[]): string {
  return execFileSync("git", words, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
