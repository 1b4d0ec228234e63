import type { DatabaseSync } from "node:sqlite";
import type { ResumingSoundKeys } from "../../domain/ports.ts";
import { number, text } from "../rows.ts";

/** The queries for the keys of sounds that no package has, over a read-only connection. */
export function soundKeyReads(
  database: DatabaseSync,
): Pick<ResumingSoundKeys, "listDoomed" | "findPartials"> {
  const doomed = database.prepare(
    "SELECT key FROM sound_keys WHERE state = 'doomed' AND key > ? ORDER BY key LIMIT +?",
  );
  const partials = database.prepare(
    "SELECT file, key, stored_bytes FROM partials WHERE package_id = ?",
  );
  return {
    findPartials: async (packageId) =>
      new Map(
        partials.all(packageId).map((row) => {
          const partial = { key: text(row["key"]), storedBytes: number(row["stored_bytes"]) };
          return [text(row["file"]), partial];
        }),
      ),
    listDoomed: async ({ after = "", limit }) =>
      doomed.all(after, limit).map((row) => text(row["key"])),
  };
}
