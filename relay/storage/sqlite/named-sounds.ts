import type { DatabaseSync } from "node:sqlite";
import { number, text } from "../rows.ts";

/** A sound that a package has. */
export interface NamedSound {
  readonly key: string;
  /** As it was announced, lowercase hex. */
  readonly sha256: string;
  /** As it was announced. */
  readonly bytes: number;
}

/** The sounds of all packages whose files are not deleted. */
export function* namedSounds(database: DatabaseSync): Generator<NamedSound, void, void> {
  const rows = database.prepare(
    `SELECT had.value ->> 1 AS key, item.value ->> 'sha256' AS sha256,
       item.value ->> 'bytes' AS bytes
     FROM packages JOIN manifests USING (package_id), json_each(uploaded) AS had,
       json_each(manifest, '$.items') AS item
     WHERE files_deleted = 0 AND item.value ->> 'file' = had.value ->> 0`,
  );
  for (const row of rows.iterate()) {
    yield { key: text(row["key"]), sha256: text(row["sha256"]), bytes: number(row["bytes"]) };
  }
}

/** Returns a function that says whether a package has a sound now. */
export function soundFinder(database: DatabaseSync): (key: string) => boolean {
  const find = database.prepare(
    `SELECT 1 FROM packages, json_each(uploaded) AS had
     WHERE package_id = ? AND files_deleted = 0 AND had.value ->> 1 = ?`,
  );
  return (key) => find.get(key.split("/")[0] ?? "", key) !== undefined;
}
