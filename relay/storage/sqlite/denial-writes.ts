import type { DatabaseSync } from "node:sqlite";
import { type ByWhom, operationLog } from "./operator-log.ts";
import { removalNoter } from "./removals.ts";
import { number, text, uploadedOf } from "../rows.ts";
import { keyMover } from "./sound-key-writes.ts";

/** A sound to deny or to allow again, by its SHA-256 in lowercase hex. */
export interface DenialWrite extends ByWhom {
  readonly sha256: string;
}

/** What a denial took away: whether it is new, and the keys that are now doomed, by package. */
export interface DenialOutcome {
  readonly isNew: boolean;
  readonly doomed: ReadonlyMap<string, readonly string[]>;
}

/** The writes for denied sounds (rule AD5). Each runs inside its caller's transaction. */
export function denialWrites(database: DatabaseSync) {
  const log = operationLog(database);
  const note = removalNoter(database);
  const deny = sumDenier(database);
  const allow = database.prepare("DELETE FROM denied_sounds WHERE sha256 = ?");
  return {
    /** Also takes copies away that came while it was denied before, if there are any. */
    deny({ sha256, at, who }: DenialWrite): DenialOutcome {
      const outcome = deny(sha256, at);
      const { isNew, doomed } = outcome;
      if (isNew) note("denied", sha256);
      if (isNew || doomed.size > 0) {
        log({
          at,
          who,
          action: "deny",
          subject: sha256,
          detail: JSON.stringify([...doomed.keys()]),
        });
      }
      return outcome;
    },
    allow({ sha256, at, who }: DenialWrite): boolean {
      if (allow.run(sha256).changes === 0) return false;
      note("allowed", sha256);
      log({ at, who, action: "allow", subject: sha256 });
      return true;
    },
  };
}

/** Returns a function that denies a sum and takes its stored copies out of their packages. */
export function sumDenier(database: DatabaseSync): (sha256: string, at: number) => DenialOutcome {
  const insert = database.prepare(
    "INSERT OR IGNORE INTO denied_sounds (sha256, denied_at) VALUES (?, ?)",
  );
  // What has the sum nowhere in its text is no candidate, and needn't be parsed.
  const candidates = database.prepare(
    `SELECT package_id, uploaded, committed_at, item.value ->> 'file' AS file, item.value ->> 'bytes' AS bytes
     FROM packages JOIN manifests USING (package_id), json_each(manifest, '$.items') AS item
     WHERE files_deleted = 0 AND instr(manifest, ?1) > 0 AND item.value ->> 'sha256' = ?1
     ORDER BY package_id, item.key`,
  );
  const update = database.prepare(
    `UPDATE packages SET uploaded = (
         SELECT json_group_array(json(value)) FROM json_each(uploaded) WHERE value ->> 0 <> ?2),
       missing_bytes = missing_bytes + ?3, version = version + 1
     WHERE package_id = ?1`,
  );
  const moveKeys = keyMover(database);
  return (sha256, at) => {
    const isNew = insert.run(sha256, at).changes > 0;
    const doomed = new Map<string, string[]>();
    for (const row of candidates.all(sha256)) {
      const [packageId, file] = [text(row["package_id"]), text(row["file"])];
      const key = uploadedOf(row["uploaded"]).get(file);
      if (key === undefined) continue;
      moveKeys(new Set([key]), new Set());
      update.run(packageId, file, number(row["bytes"]));
      doomed.set(packageId, [...(doomed.get(packageId) ?? []), key]);
    }
    return { isNew, doomed };
  };
}

/**
 * Returns a function that says whether a denied sound would come into a package: a denial may come between the
 * relay's look and this write.
 */
export function denialFinder(
  database: DatabaseSync,
): (packageId: string, uploaded: string) => boolean {
  const any = database.prepare("SELECT 1 FROM denied_sounds LIMIT 1");
  const inPackage = database.prepare(
    `SELECT 1 FROM manifests, json_each(manifest, '$.items') AS item, json_each(?2) AS had
     JOIN denied_sounds ON sha256 = item.value ->> 'sha256'
     WHERE package_id = ?1 AND item.value ->> 'file' = had.value ->> 0 LIMIT 1`,
  );
  return (packageId, uploaded) =>
    any.get() !== undefined && inPackage.get(packageId, uploaded) !== undefined;
}
