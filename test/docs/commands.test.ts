import { readFileSync, existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { importerSettings } from "../../addon/settings.ts";
import { APP_SETTINGS } from "../../cli/commands/send/app-settings.ts";
import { flagOf, type Setting } from "../../core/settings.ts";
import { RELAY_SETTINGS } from "../../relay/settings.ts";
import { SUBCOMMANDS } from "../../cli/subcommands.ts";
import { type Page, readPages } from "./read-pages.ts";
import { readRuleTable } from "../../scripts/tests/rule-table.ts";

const ROOT = join(import.meta.dirname, "../..");
const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const PAGES = readPages();

test("[K1] the command understands every soundferry line on a page", async () => {
  const lines = PAGES.flatMap((page) =>
    codeOf(page).flatMap((code) =>
      // After -m it is Python's command, which has a test of its own.
      [...code.matchAll(/(?<!-m )\bsoundferry (?:-- )?([a-z][a-z -]*(?:[^|&\n]*))/g)].map(
        ([line, words = ""]) => ({ path: page.path, line, words }),
      ),
    ),
  );
  expect(lines.length).toBeGreaterThan(40);
  const wrong = [];
  for (const { path, line, words } of lines) {
    const problem = await problemOf(words);
    if (problem !== undefined) wrong.push({ path, line, problem });
  }
  expect(wrong).toEqual([]);
});

test("[K2] the pages have every subcommand and flag, except those of settings", async () => {
  const pages = PAGES.filter(({ path }) =>
    /^docs\/use\/(command-line|conformance)\.md$/.test(path),
  );
  const settings = [RELAY_SETTINGS, importerSettings(), APP_SETTINGS].flatMap((table) =>
    Object.values<Setting<unknown>>(table).map(({ variable }) => `--${flagOf(variable)}`),
  );
  const known = new Set(["--json", "--help", ...settings]);
  const code = pages.flatMap(codeOf).join("\n");
  const missing = [];
  for (const name of Object.keys(SUBCOMMANDS)) {
    const command = await load(name);
    if (command === undefined) continue;
    const nested = nestedIn(command);
    const names = [name, ...nested.map((one) => one.name())];
    const flags = [command, ...nested].flatMap(flagsOf);
    for (const word of [...names, ...flags.filter((flag) => !known.has(flag))]) {
      if (!new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(code)) missing.push(`${name}: ${word}`);
    }
  }
  expect(missing).toEqual([]);
});

test("every npm script that a page names exists", () => {
  const named = PAGES.flatMap((page) => {
    const scripts = new Set([...Object.keys(PACKAGE.scripts), ...scriptsShown(page)]);
    const names = /\bnpm run (?:--silent |-s )?([a-z][\w:]*)/g;
    return Array.from(codeOf(page).join("\n").matchAll(names), ([, script = ""]) => ({
      path: page.path,
      script,
      isThere: scripts.has(script),
    }));
  });
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ isThere }) => !isThere)).toEqual([]);
});

/** A page may be about another project, whose package.json it shows. */
function scriptsShown({ blocks }: Page): readonly string[] {
  return blocks.flatMap(({ language, text }) =>
    language === "json" && text.includes('"scripts"') ? Object.keys(JSON.parse(text).scripts) : [],
  );
}

/** Lists the code on a page: blocks for a terminal or without a language, and spans in the text. */
function codeOf({ prose, blocks }: Page): readonly string[] {
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  const fenced = blocks.filter(
    ({ language }) => !["js", "ts", "html", "python"].includes(language),
  );
  return [...spans, ...fenced.map(({ text }) => text)];
}

/** Why the command doesn't accept these words; undefined if it does. */
async function problemOf(words: string): Promise<string | undefined> {
  const [name = "", ...more] = words.split(/\s+/);
  const command = await load(name);
  if (command === undefined) return `there is no subcommand ${name}`;
  const path = [command];
  for (const word of more) {
    const next = path.at(-1)?.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    path.push(next);
  }
  const known = new Set(["--help", ...path.flatMap(flagsOf)]);
  const unknown = [...words.matchAll(/(?<![\w-])--[a-z][a-z\d-]*/g)].find(
    ([flag]) => !known.has(flag),
  );
  return unknown === undefined ? undefined : `${name} has no ${unknown[0]}`;
}

const loaded = new Map<string, Promise<Command>>();

function load(name: string): Promise<Command> | undefined {
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  const command = loaded.get(name) ?? subcommand?.load();
  if (command !== undefined) loaded.set(name, command);
  return command;
}

/** The commands below a command, at any depth. */
function nestedIn({ commands }: Command): readonly Command[] {
  return commands.flatMap((each) => [each, ...nestedIn(each)]);
}

function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]));
}

const BY_PATH = new Map(PAGES.map((page) => [page.path, page]));

interface Link {
  readonly from: string;
  /** From the project's folder. */
  readonly to: string;
  /** Empty where the link names none. */
  readonly anchor: string;
}

const LINKS = PAGES.flatMap(linksOf);

test("every link in a page leads to a file, and every anchor to a heading", () => {
  expect(LINKS.length).toBeGreaterThan(100);
  const dead = LINKS.filter(({ to, anchor }) => {
    if (!existsSync(join(ROOT, to))) return true;
    const page = BY_PATH.get(to);
    return anchor !== "" && (page === undefined || !anchorsOf(page).includes(anchor));
  });
  expect(dead).toEqual([]);
});

test("every picture is shown on some page", () => {
  const pictures = readdirSync(join(ROOT, "docs/images")).map((name) => `docs/images/${name}`);
  const shown = new Set(LINKS.map(({ to }) => to));
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
});

test("every rule that a page names exists", () => {
  const { rules } = readRuleTable();
  const named = PAGES.flatMap(({ path, prose }) =>
    [...prose.matchAll(/(?:\[|[Rr]ule )([A-Z]+\d+)(?: to ([A-Z]+\d+))?\b/g)].flatMap(
      ([, first, last]) =>
        [first, last].flatMap((rule) => (rule === undefined ? [] : [{ path, rule }])),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ rule }) => !rules.has(rule))).toEqual([]);
});

function linksOf({ path, prose }: Page): readonly Link[] {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor = ""] = target.split("#");
      const to = file === "" ? path : posix.join(posix.dirname(path), file);
      return { from: path, to, anchor };
    });
}

/** Anchors, as GitHub makes them of headings. */
function anchorsOf({ prose }: Page): readonly string[] {
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-"),
  );
}
