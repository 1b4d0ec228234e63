import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { allStatements, type Statement } from "../../../../relay/storage/records/statement.ts";

const RELAY = join(import.meta.dirname, "../../../../relay");

/**
 * The suites that run on both databases. Each has the files and folders below `relay/` whose statements it sends to both; a
 * folder is without the files that another suite names.
 */
export const SUITES = {
  contracts: ["storage/records"],
  operating: [
    "operating",
    "storage/records/decisions.ts",
    "storage/records/denials.ts",
    "storage/records/named-sounds.ts",
    "storage/records/operator-log.ts",
    "storage/records/operator-records.ts",
    "storage/records/operator-removals.ts",
  ],
  copying: [
    "storage/records/copy.ts",
    "storage/records/copy-counts.ts",
    "storage/records/copy-state.ts",
    "storage/records/named-partials.ts",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Suite = keyof typeof SUITES;

/** The name where a statement is defined. One that ends in `_` is followed by the name of a table. */
const DEFINED = /\bstatement(?:<[^()]*>)?\(\s*["`](\w+)/gu;

/** Name as it is defined → file. */
const FILES = new Map(
  globSync("**/*.ts", { cwd: RELAY }).flatMap((file) => {
    const names = readFileSync(join(RELAY, file), "utf8").matchAll(DEFINED);
    return Array.from(names, ([, name = ""]) => [name, file.replaceAll(sep, "/")] as const);
  }),
);

/** Lists the statements that both databases need, wherever the relay defines them. */
export async function everyStatement(): Promise<readonly Statement[]> {
  for (const file of new Set(FILES.values())) await import(join(RELAY, file));
  return allStatements().filter(({ only }) => only === undefined);
}

/** Returns the file that defines a statement. */
export function fileOf({ name }: Statement): string {
  const begins = (defined: string) => defined.endsWith("_") && name.startsWith(defined);
  return FILES.get(name) ?? FILES.get([...FILES.keys()].find(begins) ?? "") ?? "no file";
}

/** Returns the suite that sends the statements of a file to both databases. */
export function suiteOf(file: string): Suite | undefined {
  const suites: readonly Suite[] = ["contracts", "operating", "copying"];
  const naming = (isNamed: (part: string) => boolean) =>
    suites.find((suite) => SUITES[suite].some(isNamed));
  return naming((part) => part === file) ?? naming((part) => file.startsWith(`${part}/`));
}

/** Lists the names of a suite's statements that a database was never sent. @param sent what it was sent, by name */
export async function neverSent(
  suite: Suite,
  sent: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> {
  return (await everyStatement())
    .filter((one) => suiteOf(fileOf(one)) === suite && !sent.has(one.name))
    .map(({ name }) => name);
}
