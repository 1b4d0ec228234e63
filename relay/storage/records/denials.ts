import { change } from "./change.ts";
import { LOCK_DEVICE_OF_PACKAGE, LOCK_EXCLUSIVELY, LOCKS } from "./locks.ts";
import { type ByWhom, decision, logOperation } from "./operator-log.ts";
import { updatePackage, wasMade } from "./package-changes.ts";
import { findPackage } from "./package-reads.ts";
import { columnsOf, type RowOf } from "./rows.ts";
import { ask, hasRows, noteRemoval, statement, tell, type Work } from "./statement.ts";
import { insertInto } from "./schema.ts";

const DENY = statement(
  "deny_sound",
  `${insertInto("denied_sounds")} ON CONFLICT DO NOTHING RETURNING sha256`,
);
const ALLOW = statement(
  "allow_sound",
  "DELETE FROM denied_sounds WHERE sha256 = :sha256 RETURNING sha256",
);
const DETAIL = statement(
  "detail_denial",
  `UPDATE operator_log SET detail = :detail
   WHERE seq = (SELECT max(seq) FROM operator_log WHERE action = 'deny' AND subject = :sha256)
   RETURNING seq`,
);
// A manifest without the sum in its text can't have the sound, so it isn't parsed.
const CANDIDATES = statement<RowOf<"packages", "package_id">>(
  "denial_candidates",
  (sql) =>
    `SELECT package_id FROM packages JOIN manifests USING (package_id)
     WHERE files_deleted = 0 AND ${sql.contains("manifest", ":sha256")} ORDER BY package_id`,
);

/** A sound, by its SHA-256 in lowercase hex. */
export interface Sound {
  readonly sha256: string;
}

export interface DetailedDenial extends Sound, ByWhom {
  readonly isNew: boolean;
  /** Packages that lost copies. */
  readonly packages: readonly string[];
}

/**
 * The changes of denied sounds (rule AD5). A denial is three of them: `deny`, then `takeOut` for each candidate, then
 * `detailDenial` if that took anything. What an interrupted one left is removed by the next denial.
 */
export const DENIAL_CHANGES = {
  deny: decision<Sound>(deny, ({ sha256 }) => {
    return { action: "deny", subject: sha256, detail: "[]" };
  }),
  allow: decision<Sound>(allow, ({ sha256 }) => ({ action: "allow", subject: sha256 })),
  takeOut: change(takeOut, {
    writes: "package",
    ifUnknown: ({ packageId, sha256 }) => wasMade(packageId, denialOf(sha256)),
  }),
  detailDenial: change(function* (denial: DetailedDenial): Work<void> {
    const { sha256, isNew, packages } = denial;
    const detail = JSON.stringify(packages);
    if (isNew && (yield* hasRows(DETAIL({ sha256, detail })))) return;
    yield* logOperation(denial, { action: "deny", subject: sha256, detail });
  }),
};

/** Denies a sound from its commit on. Its copies stay in their packages. Returns false if it was denied before. */
export function* deny({ sha256, at }: Sound & Pick<ByWhom, "at">): Work<boolean> {
  yield* tell(LOCK_EXCLUSIVELY({ lock: LOCKS.denials }));
  if (!(yield* hasRows(DENY({ sha256, deniedAt: at })))) return false;
  yield* noteRemoval("denied", sha256);
  return true;
}

/** Returns false if the sound wasn't denied. */
export function* allow({ sha256 }: Sound): Work<boolean> {
  if (!(yield* hasRows(ALLOW({ sha256 })))) return false;
  yield* noteRemoval("allowed", sha256);
  return true;
}

/** Lists the packages that may have copies of a sound. */
export function* listCandidates(sha256: string): Work<readonly string[]> {
  return (yield* ask(CANDIDATES({ sha256 }))).map((row) => row.package_id);
}

/** Takes the copies of a sound out of a package. Returns their keys. */
export function* takeOut({
  packageId,
  sha256,
}: Sound & { readonly packageId: string }): Work<readonly string[]> {
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ packageId }));
  const record = (yield* findPackage(packageId))?.record;
  if (record === undefined || record.filesDeleted) return [];
  const copies = record.manifest.items.filter((item) => item.sha256 === sha256);
  const files = new Set(copies.map(({ file }) => file));
  const keys = [...record.uploaded].flatMap(([file, key]) => (files.has(file) ? [key] : []));
  if (keys.length === 0) return [];
  const uploaded = new Map([...record.uploaded].filter(([file]) => !files.has(file)));
  const columns = columnsOf({ ...record, uploaded });
  const { deviceId, version } = record;
  yield* updatePackage({ packageId, deviceId, version, columns, changedBy: denialOf(sha256) });
  return keys;
}

/** The id of the change that takes a sound out of a package. */
function denialOf(sha256: string): string {
  return `deny ${sha256}`;
}
