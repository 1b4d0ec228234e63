import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { allStatements, type Statement } from "../../../../relay/storage/records/statement.ts";

const RELAY = join(import.meta.dirname, "../../../../relay");

/** The folders whose files define what both databases are asked. */
const FOLDERS = ["storage/records", "operating"];

/** Names of the statements that only a move to another database sends. */
const OF_MOVES = /^(?:copy_|named_partials)/u;

/** Lists the statements that both databases need: those of every file that defines some. */
export async function everyStatement(): Promise<readonly Statement[]> {
  for (const folder of FOLDERS) {
    const files = await readdir(join(RELAY, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      const path = join(RELAY, folder, file);
      if (/\bstatement[(<]/u.test(await readFile(path, "utf8"))) await import(path);
    }
  }
  return allStatements().filter(({ only }) => only === undefined);
}

/**
 * Lists the names of statements that both databases need, and that one of them was never sent.
 * @param sent what it was sent, by name
 */
export async function neverSent(
  sent: ReadonlyMap<string, unknown>,
  of: "moves" | "all else" = "all else",
): Promise<readonly string[]> {
  return (await everyStatement())
    .map(({ name }) => name)
    .filter((name) => OF_MOVES.test(name) === (of === "moves") && !sent.has(name));
}
