import type { DatabaseSync } from "node:sqlite";
import type { SoundKeys } from "../../domain/ports.ts";
import { text } from "./rows.ts";

/** The queries for the keys of sounds that no package has, over a read-only connection. */
export function soundKeyReads(database: DatabaseSync): Pick<SoundKeys, "listDoomed"> {
  const doomed = database.prepare(
    "SELECT key FROM sound_keys WHERE state = 'doomed' AND key > ? ORDER BY key LIMIT ?",
  );
  return {
    listDoomed: async ({ after = "", limit }) =>
      doomed.all(after, limit).map((row) => text(row["key"])),
  };
}
