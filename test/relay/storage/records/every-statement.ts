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
    "storage/records/device-quota.ts",
    "storage/records/named-sounds.ts",
    "storage/records/operator-log.ts",
    "storage/records/operator-removals.ts",
    "storage/records/registration-keys.ts",
  ],
  copying: [
    "storage/records/copy.ts",
    "storage/records/copy-counts.ts",
    "storage/records/copy-state.ts",
    "storage/records/named-partials.ts",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Suite = keyof typeof SUITES;

/** The beginning of a name that a table follows, such as in `copy_insert_${table}`. */
const BEGINNING = /`([a-z]+(?:_[a-z]+)*_)\$\{/gu;

/** File → its text, of those that define statements. */
const FILES: ReadonlyMap<string, string> = new Map(
  globSync("**/*.ts", { cwd: RELAY })
    .map((file) => [file.replaceAll(sep, "/"), readFileSync(join(RELAY, file), "utf8")] as const)
    .filter(([, text]) => text.includes("statement(") || text.includes("statement<")),
);

/** Lists the statements that both databases need, wherever the relay defines them. */
export async function everyStatement(): Promise<readonly Statement[]> {
  for (const file of FILES.keys()) await import(join(RELAY, file));
  return allStatements().filter(({ only }) => only === undefined);
}

/** Returns the file that has the name of a statement, or the longest beginning of it. */
export function fileOf({ name }: Statement): string {
  const found = [...FILES].map(([file, text]) => {
    const begun = Array.from(text.matchAll(BEGINNING), ([, begins = ""]) => begins);
    const lengths = begun.filter((begins) => name.startsWith(begins)).map(({ length }) => length);
    return { file, length: text.includes(`"${name}"`) ? name.length : Math.max(0, ...lengths) };
  });
  const [first] = found.toSorted((one, other) => other.length - one.length);
  return first === undefined || first.length === 0 ? "no file" : first.file;
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
