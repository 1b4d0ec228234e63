import { type MovedMark, parseMark, refuseMark } from "../disk/moved-mark.ts";
import { statement } from "../records/statement.ts";
import type { Connections } from "./connections.ts";

/** The row of `upkeep` in a database whose relay is moving to a data folder, or has moved (rule SC22). */
const MOVED = "moved";

const READ = statement<{ readonly value: string }>(
  "read_moved",
  `SELECT value FROM upkeep WHERE name = '${MOVED}'`,
  "postgres",
);
const WRITE = statement(
  "write_moved",
  `INSERT INTO upkeep (name, value) VALUES ('${MOVED}', :mark)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  "postgres",
);
const REMOVE = statement("remove_moved", `DELETE FROM upkeep WHERE name = '${MOVED}'`, "postgres");

/** Reads a database's mark. @returns undefined if there is none */
export async function readDatabaseMark(connections: Connections): Promise<MovedMark | undefined> {
  const [row] = await connections.read(READ());
  return row && parseMark(row.value);
}

/** Writes a database's mark, or removes it. */
export async function writeDatabaseMark(
  connections: Connections,
  mark: MovedMark | undefined,
): Promise<void> {
  await connections.write(mark === undefined ? REMOVE() : WRITE({ mark: JSON.stringify(mark) }));
}

/**
 * Refuses a database whose relay moves elsewhere. The caller's heartbeat has begun, so that a move that begins now
 * notices it.
 * @throws {InstanceMismatch} if the database's relay moves elsewhere, or has moved
 */
export async function refuseMovedDatabase(connections: Connections): Promise<void> {
  refuseMark(await readDatabaseMark(connections), {
    where: connections.where,
    what: "database",
    giveUp: `run this in the database: DELETE FROM upkeep WHERE name = '${MOVED}'`,
  });
}
