import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPages } from "./read-pages.ts";

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
