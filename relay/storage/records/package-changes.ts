import type { DoomedKeys, UpdateOutcome } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { countChanges } from "./counts.ts";
import {
  doomKeys,
  dropPackages,
  endPartials,
  lockPackages,
  partialsOf,
  type StoredRow,
} from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_DEVICE_OF_PACKAGE, LOCK_DEVICES_OF_PACKAGES } from "./locks.ts";
import { packageNotices } from "./notices.ts";
import { HAS_PACKAGE } from "./package-insert.ts";
import { NO_ROOM } from "./room.ts";
import { keysIn, type PackageColumns } from "./rows.ts";
import { ask, hasRows, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";

/** Locks a package that is changed. */
export const STORED = lockPackages("lock_package", "package_id = :packageId FOR NO KEY UPDATE");
/** Locks a package that is removed. */
export const REMOVABLE = lockPackages("lock_removable", "package_id = :packageId FOR UPDATE");
const UPDATE = statement(
  "update_package",
  `UPDATE packages SET committed_at = :committed_at, wait_ends_at = :wait_ends_at, outcome = :outcome,
     lease_run = :lease_run, lease_ends_at = :lease_ends_at, files_end_at = :files_end_at,
     files_deleted = :files_deleted, missing_bytes = :missing_bytes, uploaded = :uploaded,
     results = :results, taken_at = :taken_at, reported_at = :reported_at, counts = :counts, spare = :spare,
     room_held_until = :room_held_until, room_tiers = :room_tiers,
     room_address = CASE WHEN CAST(:room_held_until AS bigint) > 0 THEN room_address END,
     partial_bytes = :partial_bytes, version = version + 1, changed_by = :changed_by
   WHERE package_id = :package_id`,
);
const NOTE_LISTED = statement(
  "note_listed",
  (sql) =>
    `UPDATE packages SET seen_at = noted.at
     FROM ${sql.rowsOf(":noted", { id: "text", at: "number" })} AS noted
     WHERE package_id = noted.id AND seen_at IS NULL`,
);
const FIRST_REPORT = statement(
  "note_first_report",
  `INSERT INTO first_reports (package_id, device_id) VALUES (:packageId, :deviceId)
   ON CONFLICT DO NOTHING`,
);
const MADE = statement(
  "made_change",
  "SELECT 1 FROM packages WHERE package_id = :packageId AND changed_by = :changedBy",
  "postgres",
);

/** A change that applies only if the package still has this version. */
export interface PackageUpdate {
  readonly packageId: string;
  readonly deviceId: string;
  readonly version: number;
  readonly columns: PackageColumns;
  /** Id of this change. */
  readonly changedBy: string;
}

/** A package to remove. Only a withdrawal is noted (rule Z11): an expired package expires again. */
export interface PackageRemoval {
  readonly packageId: string;
  readonly version: number;
  readonly isWithdrawn: boolean;
}

/** The time at which a package was first in its importer's list. */
export interface ListedAt {
  readonly id: string;
  readonly at: number;
}

export const PACKAGE_CHANGES = {
  noteListed: change(noteListed, { ifUnknown: "repeat" }),
  updatePackage: change(updatePackage, {
    writes: "package",
    ifUnknown: ({ packageId, changedBy }) => wasMade(packageId, changedBy),
  }),
  removePackage: change(removePackage, {
    writes: "package",
    // Asked only after PostgreSQL says that the transaction was committed.
    ifUnknown: function* ({ packageId }) {
      return !(yield* hasRows(HAS_PACKAGE({ packageId })));
    },
  }),
};

/** Changes a package if its version is still the one that the caller read. */
export function* updatePackage(update: PackageUpdate): Work<UpdateOutcome> {
  const { packageId, deviceId, version, columns, changedBy } = update;
  yield* tell(LOCK_DEVICE({ deviceId }));
  const [row] = yield* ask(STORED({ packageId }));
  if (row === undefined || row.version !== version) return "changed";
  const after = keysIn(columns);
  yield* doomKeys([...keysIn(row)].filter((key) => !after.has(key)));
  const isDeleted = columns.files_deleted > row.files_deleted;
  if (isDeleted) yield* endPartials(yield* partialsOf([row]));
  const next = {
    ...row,
    ...columns,
    counts: columns.files_deleted === 1 ? 0 : row.counts,
    partial_bytes: isDeleted ? 0 : row.partial_bytes,
    ...(endsRoom(columns) && NO_ROOM),
  };
  yield* tell(UPDATE({ ...next, changed_by: changedBy }));
  if (row.outcome === null && columns.outcome !== null) {
    yield* tell(FIRST_REPORT({ packageId, deviceId }));
  }
  yield* countChanges([{ before: row, after: next }]);
  yield* notify(...packageNotices(row));
  return "updated";
}

/** Notes when packages were first listed. The records that relays remember don't have that. */
function* noteListed(listed: readonly ListedAt[]): Work<void> {
  const packageIds = listed.map(({ id }) => id);
  yield* tell(
    LOCK_DEVICES_OF_PACKAGES({ packageIds }),
    NOTE_LISTED({ noted: JSON.stringify(listed) }),
  );
}

/** Checks whether a package no longer needs room for missing bytes. */
function endsRoom({ committed_at, files_deleted, missing_bytes }: PackageColumns): boolean {
  return committed_at !== null || files_deleted === 1 || missing_bytes === 0;
}

/** Looks whether a package has this change. Another one may have replaced it; then the outcome stays unknown. */
export function wasMade(packageId: string, changedBy: string): Work<boolean> {
  return hasRows(MADE({ packageId, changedBy }));
}

/** Removes a package if its version is still the one that the caller read. */
function* removePackage({
  packageId,
  version,
  isWithdrawn,
}: PackageRemoval): Work<DoomedKeys | undefined> {
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ packageId }));
  const [row] = yield* ask(REMOVABLE({ packageId }));
  if (row === undefined || row.version !== version) return undefined;
  return { doomed: yield* removePackages([row], isWithdrawn) };
}

/** Removes locked packages. A backup doesn't bring those back that were withdrawn. Returns the keys that this dooms. */
export function* removePackages(
  rows: readonly StoredRow[],
  areWithdrawn: boolean,
): Work<readonly string[]> {
  const doomed = yield* dropPackages(rows, { keepsQuarantined: !areWithdrawn });
  for (const row of areWithdrawn ? rows : []) yield* noteRemoval("package", row.package_id);
  yield* notify(...rows.flatMap(packageNotices));
  return doomed;
}
