import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { columnsOf, tablesOf } from "../../relay/operating/export-device.ts";
import { applyMigrations } from "../../relay/storage/sqlite/migrations.ts";
import * as suites from "../contracts/relay/index.ts";
import { execFileSync } from "node:child_process";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const PRIVACY = read("docs/operate/privacy.md");
const STORES = read("docs/build/stores.md");
const [, CHECKLISTS = ""] = read("CONTRIBUTING.md").split("\n## Checklists\n");

/** `table.column` of every row of the page's table about the database. */
function named(): readonly string[] {
  const [, section = ""] = /^## The database$(.*?)^## /ms.exec(PRIVACY) ?? [];
  return [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].flatMap(
    ([, table = "", columns = ""]) =>
      [...columns.matchAll(/`(\w+)`/g)].map(([, column = ""]) => `${table}.${column}`),
  );
}

test("[AD11] docs/operate/privacy.md names every column of the database once, and no other", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const stored = tablesOf(database).flatMap((table) =>
    columnsOf(database, table).map((column) => `${table}.${column}`),
  );
  expect(named().toSorted()).toEqual(stored.toSorted());
});

/** The first cells of the table with this head. */
function cellsBelow(head: string): string {
  const [, rows = ""] = STORES.split(`\n| ${head} |`);
  return (rows.split("\n\n", 1)[0] ?? "")
    .split("\n")
    .map((row) => row.split(" | ", 1)[0])
    .join("\n");
}

test("docs/build/stores.md lists every file of docs/examples/stores, and no other", () => {
  const listed = [...cellsBelow("File").matchAll(/examples\/stores\/([\w.-]+)\)/g)];
  const files = readdirSync(join(ROOT, "docs/examples/stores"));
  expect(listed.map(([, name = ""]) => name).toSorted()).toEqual(files.toSorted());
});

test("docs/build/stores.md lists every suite of soundferry/relay/testing, and no other", () => {
  const listed = [...cellsBelow("Suite").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  const { PLANTED_FAULTS: _, ...made } = suites;
  expect(listed.toSorted()).toEqual(Object.keys(made).toSorted());
});

test("CONTRIBUTING has a checklist for each of the usual changes, and all its paths exist", () => {
  const titles = [...CHECKLISTS.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["A manifest field", "A store", "A host", "A limit", "A panel screen"]);
  const paths = [...CHECKLISTS.matchAll(/`(\.?\w[\w.-]*\/[\w./-]*|\.env\.example)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("every step of a checklist names a file, a folder or a command", () => {
  const steps = [...CHECKLISTS.matchAll(/^\d\. (.*)$/gm)].map(([, step = ""]) => step);
  expect(steps.length).toBeGreaterThan(25);
  expect(steps.filter((step) => !/^`(npm run |\.?\w)/.test(step))).toEqual([]);
});

/** Anything that looks like our place in Live's menus. */
const PLACE = /Extensions(?: →| ▸|,? then|\s>) ?Soundferry.{0,40}/g;

function pages(): readonly string[] {
  const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  return tracked.filter((path) => /^(README\.md|docs\/.*\.(md|svg))$/.test(path));
}

test("[H11] documents and drawings name Live's menu entries as the code does", () => {
  const places = pages().flatMap((path) =>
    (read(path).match(PLACE) ?? []).map((text) => ({ path, text })),
  );
  expect(places.length).toBeGreaterThan(2);
  const known = Object.values(LIVE_MENU).map(inLiveMenu);
  const wrong = places.filter(({ text }) => !known.some((place) => text.startsWith(place)));
  expect(wrong).toEqual([]);
  const drawing = read("docs/images/live-menu.svg");
  expect(drawing).toContain(`>Soundferry: ${LIVE_MENU.choose}<`);
  expect(drawing).toContain(`>Soundferry: ${LIVE_MENU.newest}<`);
});
