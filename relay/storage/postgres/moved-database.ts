import { type MovedMark, parseMark, refuseMark } from "../disk/moved-mark.ts";
import type { Engine } from "../records/engine.ts";
import { readUpkeep } from "../records/upkeep.ts";

/** The row of `upkeep` in a database whose relay is moving to a data folder, or has moved (rule SC22). */
const MOVED = "moved";

/** Reads a database's mark. @returns undefined if there is none */
export async function readDatabaseMark(engine: Engine): Promise<MovedMark | undefined> {
  const json = (await engine.read(readUpkeep())).get(MOVED) ?? "";
  return json === "" ? undefined : parseMark(json);
}

/** Writes a database's mark, or takes it back. */
export function writeDatabaseMark(engine: Engine, mark: MovedMark | undefined): Promise<void> {
  return engine.change("keepUpkeep", { [MOVED]: mark === undefined ? "" : JSON.stringify(mark) });
}

/**
 * Refuses a database whose relay moves elsewhere. The caller has reported to the other processes, so that a move that
 * begins after this notices it.
 * @throws {InstanceMismatch} if the database's relay moves elsewhere, or has moved
 */
export async function refuseMovedDatabase(engine: Engine): Promise<void> {
  refuseMark(await readDatabaseMark(engine), {
    where: engine.where,
    what: "database",
    giveUp: `run this in the database: DELETE FROM upkeep WHERE name = '${MOVED}'`,
  });
}
