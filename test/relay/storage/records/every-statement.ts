import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { allStatements, type Statement } from "../../../../relay/storage/records/statement.ts";

const RELAY = join(import.meta.dirname, "../../../../relay");

/** The folders whose files define what both databases are asked. */
const FOLDERS = ["storage/records"];

/** Lists the statements that both databases need: those of every file that defines some. */
export async function everyStatement(): Promise<readonly Statement[]> {
  for (const folder of FOLDERS) {
    for (const file of await readdir(join(RELAY, folder))) {
      const path = join(RELAY, folder, file);
      if (/\bstatement[(<]/u.test(await readFile(path, "utf8"))) await import(path);
    }
  }
  return allStatements().filter(({ only }) => only === undefined);
}

/** Names of statements, or their beginnings, that no contract sends yet. */
const NOT_YET: readonly string[] = [];

/** Lists the names of statements that both databases need, and that none was sent. */
export async function neverSent(sent: ReadonlyMap<string, unknown>): Promise<readonly string[]> {
  const names = (await everyStatement()).map(({ name }) => name);
  const isLeftOut = (name: string) => NOT_YET.some((beginning) => name.startsWith(beginning));
  return names.filter((name) => !sent.has(name) && !isLeftOut(name));
}
