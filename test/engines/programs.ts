import { accessSync, constants, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program of the operating system that an engine needs, and Debian's package that brings it. */
interface NeededProgram {
  readonly name: string;
  readonly debianPackage: string;
}

const NEEDED: readonly NeededProgram[] = [
  { name: "initdb", debianPackage: "postgresql" },
  { name: "postgres", debianPackage: "postgresql" },
  { name: "pgbouncer", debianPackage: "pgbouncer" },
  { name: "haproxy", debianPackage: "haproxy" },
  { name: "memcached", debianPackage: "memcached" },
  { name: "swift-proxy-server", debianPackage: "swift-proxy" },
  { name: "swift-account-server", debianPackage: "swift-account" },
  { name: "swift-container-server", debianPackage: "swift-container" },
  { name: "swift-object-server", debianPackage: "swift-object" },
  { name: "setpriv", debianPackage: "util-linux" },
];

/** Debian keeps PostgreSQL's own programs out of PATH, and a user's PATH has no sbin. */
function foldersOfPrograms(): readonly string[] {
  const versions = globSync("/usr/lib/postgresql/*/bin").toSorted(
    (one, other) => versionOf(other) - versionOf(one),
  );
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...versions, ...path, "/usr/sbin", "/usr/local/sbin"];
}

function versionOf(folder: string): number {
  return Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0);
}

/**
 * The path of a program that an engine needs.
 * @throws with the Debian package that brings it, if it isn't installed
 */
export function findProgram(name: string): string {
  const found = name.includes("/") ? name : lookFor(name);
  if (found !== undefined) return found;
  const needed = NEEDED.find((program) => program.name === name);
  throw new Error(
    `${name} is not installed. On Debian: apt-get install ${needed?.debianPackage ?? name}`,
  );
}

/** Describes the missing engines; undefined if none is missing. */
export function describeMissingEngines(): string | undefined {
  const missing = NEEDED.filter(({ name }) => lookFor(name) === undefined);
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name, debianPackage }) => `  ${name}, in ${debianPackage}`);
  const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))];
  return [
    "These programs are not installed, each with the Debian package that brings it:",
    ...names,
    `On Debian: apt-get install --no-install-recommends ${packages.join(" ")}`,
  ].join("\n");
}

/** Lists the engines that are not installed here, each with its Debian package: `pgbouncer (pgbouncer)`. */
export function missingEngines(): string[] {
  return NEEDED.filter(({ name }) => lookFor(name) === undefined).map(
    ({ name, debianPackage }) => `${name} (${debianPackage})`,
  );
}

function lookFor(name: string): string | undefined {
  return foldersOfPrograms()
    .map((folder) => join(folder, name))
    .find((path) => isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
