import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { applyMigrations } from "../../relay/storage/sqlite/migrations.ts";
import * as suites from "../contracts/relay/index.ts";
import { execFileSync } from "node:child_process";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";
import { LANGUAGES } from "../../core/messages/languages.ts";
import { readPages } from "./read-pages.ts";
import { findPackages } from "../../cli/layout/find-packages.ts";
import { CHECK } from "../../cli/commands/layout/library-tasks.ts";
import { readPackageFolder } from "../../cli/layout/read-package-folder.ts";
import { runLibrary } from "../../cli/layout/run-library.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";

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
  const columns = database.prepare(
    `SELECT t.name || '.' || c.name AS column FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
     WHERE t.name NOT LIKE 'sqlite_%'`,
  );
  const stored = columns.all().map(({ column }) => String(column));
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
  expect(titles).toEqual([
    "A manifest field",
    "A warp mode",
    "A field of an answer",
    "A column",
    "A call",
    "A limit",
    "A setting",
    "A subcommand or flag",
    "A panel screen or button",
    "A refusal's sentence or status",
    "A sentence or label",
    "A note or an error of an import",
    "A language",
    "A metric",
    "A host",
    "A store",
  ]);
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

test("README and the kit's page have as many rules and checks as the badge", () => {
  const badge = /(\d+) rules proven, (\d+) checks skipped/.exec(
    read("docs/images/conformance.svg"),
  );
  const [, rules = 0, skipped = 0] = badge ?? [];
  expect(Number(rules)).toBeGreaterThan(50);
  expect(read("README.md")).toContain(`keeps the contract: ${rules} rules proven]`);
  const page = read("docs/use/conformance.md");
  expect(page).toContain(`. ${rules} rules proven. Not tried: `);
  const [, passed = 0] = /keeps the contract: (\d+) passed, (\d+) skipped/.exec(page) ?? [];
  expect(page).toContain(`keeps the contract: ${passed} passed, ${skipped} skipped.`);
  expect(page).toContain(`breaks the contract: ${Number(passed) - 1} passed, 1 failed`);
});

test("[N20] the rule and the client's page name every language", () => {
  const [english, ...others] = LANGUAGES;
  const names = new Intl.DisplayNames("en", { type: "language" });
  const rest = others.map((language) => names.of(language) ?? language);
  const list = new Intl.ListFormat("en-GB", { type: "disjunction" });
  expect(read("docs/rules/panel.md")).toContain(`**N20** The panel is in ${list.format(rest)} if`);
  const tags = list.format(LANGUAGES.map((language) => `\`${language}\``));
  expect(read("docs/use/client.md")).toContain(`| \`lang\` | ${tags}. Default: `);
  expect(names.of(english)).toBe("English");
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

interface Installed {
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const readJson = (path: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../..", path), "utf8"));
const { dependencies, devDependencies, optionalDependencies } = readJson("package.json");
const DECLARED: Record<string, string> = {
  ...dependencies,
  ...devDependencies,
  ...optionalDependencies,
};
const LICENSES = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];

/** The packages of the page's first columns; a `*` at the end is any ending. */
function namesOnPage(): readonly string[] {
  const prose = readPages().find(({ path }) => path === "docs/build/dependencies.md")?.prose ?? "";
  const [before = ""] = prose.split("## What is our own");
  const cells = [...before.matchAll(/^\| (`.+?) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(.+?)`/g)].map(([, name = ""]) => name));
}

const covers = (name: string, declared: string) =>
  name.endsWith("*") ? declared.startsWith(name.slice(0, -1)) : name === declared;

test("docs/build/dependencies.md says what each dependency is for, and names no other", () => {
  const named = namesOnPage();
  expect(named.length).toBeGreaterThan(30);
  const declared = Object.keys(DECLARED);
  const missing = declared.filter((one) => !named.some((name) => covers(name, one)));
  const unknown = named.filter((name) => !declared.some((one) => covers(name, one)));
  expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
});

test("every dependency is pinned exactly", () => {
  const loose = Object.entries(DECLARED).filter(
    ([, version]) => !/(^|@)\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});

test("everything that ships has an allowed license and no install script", () => {
  const packages: Record<string, Installed> = readJson("package-lock.json").packages;
  const shipped = Object.entries(packages).filter(
    ([path, { dev, optional }]) => path !== "" && dev !== true && optional !== true,
  );
  expect(shipped.length).toBeGreaterThan(Object.keys(dependencies).length);
  const isAllowed = ({ license = "", hasInstallScript }: Installed) =>
    hasInstallScript !== true && LICENSES.some((one) => license.split(/[() ]+/).includes(one));
  expect(shipped.filter(([, one]) => !isAllowed(one)).map(([path]) => path)).toEqual([]);
});

const FIXTURES = join(import.meta.dirname, "../../fixtures/packages");

/** The blocks that pages show after a prompt: the command and its output, up to the next prompt. */
const SHOWN = readPages().flatMap(({ path, blocks }) =>
  blocks.flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => ({
        path,
        command: part.split("\n", 1).join(""),
        printed: part.slice(part.indexOf("\n") + 1).trimEnd(),
      })),
  ),
);

test("[K2] the command prints every layout that a page shows", async () => {
  const shown = SHOWN.flatMap(({ path, command, printed }) => {
    const name = /\blayout fixtures\/packages\/([\w-]+)$/.exec(command)?.[1];
    return name === undefined ? [] : [{ path, name, printed }];
  });
  expect(shown).not.toEqual([]);
  for (const { name, printed } of shown) {
    const { layout } = await readPackageFolder(join(FIXTURES, name));
    expect(printed).toBe(formatLayout(layout).trimEnd());
  }
});

test("[B2] the check of the fixtures prints what the page shows", async () => {
  const shown = SHOWN.filter(({ command }) => command.endsWith("layout --check fixtures/packages"));
  expect(shown).not.toEqual([]);
  const { text } = await runLibrary(await findPackages([FIXTURES]), CHECK);
  const said = text.trimEnd().replaceAll(FIXTURES, "fixtures/packages");
  for (const { printed } of shown) expect(printed).toBe(said);
});
