import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROTOCOL } from "../../../../../addon/hosts/live/remote-script/control-surface-client.ts";
import { VERSION } from "../../../../../core/version.ts";

const SCRIPT = join(
  import.meta.dirname,
  "../../../../../addon/hosts/live/remote-script/Soundferry",
);
const SOURCES = readdirSync(SCRIPT)
  .filter((name) => name.endsWith(".py"))
  .map((name) => ({ name, text: readFileSync(join(SCRIPT, name), "utf8") }));
const MOST_LINES = 900;
const MOST_LINES_OF_A_FILE = 200;
/** Parts of the standard library that a script in Live needs no more than. */
const IMPORTS = new Set("Live contextlib hashlib hmac json os socket sys time".split(" "));

test("the control surface is of the importer's version and protocol", () => {
  const version = SOURCES.find(({ name }) => name === "version.py")?.text;
  expect(version).toBe(`VERSION = "${VERSION}"\nPROTOCOL = ${PROTOCOL}\n`);
});

test("the control surface has under 900 lines of code, without empty ones and what only explains", () => {
  const lines = SOURCES.flatMap(({ text }) =>
    text
      .replaceAll(/^ *"""[\s\S]*?"""/gm, "")
      .split("\n")
      .filter((line) => !/^\s*(?:#|$)/.test(line)),
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(MOST_LINES);
});

test.each(SOURCES)("$name has at most 200 lines", ({ text }) => {
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(MOST_LINES_OF_A_FILE);
});

test.each(SOURCES)(
  "$name imports only Live, itself and a few of Python's own modules",
  ({ text }) => {
    const imported = [...text.matchAll(/^\s*(?:import|from)\s+([\w.]+)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(imported.filter((name) => !name.startsWith(".") && !IMPORTS.has(name))).toEqual([]);
  },
);

test.each(SOURCES)("$name starts no thread or program, and runs no text as code", ({ text }) => {
  expect(text).not.toMatch(
    /threading|_thread|subprocess|pickle|marshal|ctypes|_Framework|os\.system|popen/i,
  );
  expect(text).not.toMatch(/\b(?:eval|exec|compile|__import__)\s*\(/);
});
