import type { UpdateOutcome } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import {
  doomKeys,
  dropPackages,
  DROPPED_COLUMNS,
  type DroppedRow,
  endPartials,
  PARTIALS_COLUMN,
  partialsOf,
} from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_DEVICE_OF_PACKAGE } from "./locks.ts";
import { packageNotices } from "./notices.ts";
import { HAS_PACKAGE } from "./package-insert.ts";
import { NO_ROOM } from "./room.ts";
import { endsRoom, keysIn, type PackageColumns } from "./rows.ts";
import { ask, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";

/** Locks a package, and reads what its changes need. */
export const STORED = statement<StoredRow>(
  "lock_package",
  (sql) =>
    `SELECT uploaded, files_deleted, version, ${PARTIALS_COLUMN}, ${COUNTED_COLUMNS}
     FROM packages WHERE package_id = :package_id ${sql.lock}`,
);
const UPDATE = statement(
  "update_package",
  `UPDATE packages SET committed_at = :committed_at, wait_ends_at = :wait_ends_at, outcome = :outcome,
     lease_run = :lease_run, lease_ends_at = :lease_ends_at, files_end_at = :files_end_at,
     files_deleted = :files_deleted, missing_bytes = :missing_bytes, uploaded = :uploaded,
     results = :results, counts = :counts, room_held_until = :room_held_until, room_tiers = :room_tiers,
     room_address = CASE WHEN CAST(:room_held_until AS bigint) > 0 THEN room_address END,
     partial_bytes = :partial_bytes, version = version + 1, changed_by = :changed_by
   WHERE package_id = :package_id`,
);
const FIRST_REPORT = statement(
  "note_first_report",
  `INSERT INTO first_reports (package_id, device_id) VALUES (:package_id, :device_id)
   ON CONFLICT DO NOTHING`,
);
const MADE = statement(
  "made_change",
  "SELECT 1 FROM packages WHERE package_id = :package_id AND changed_by = :changed_by",
  "postgres",
);
/** Locks a package that is removed. */
export const REMOVABLE = statement<DroppedRow>(
  "lock_removable",
  (sql) =>
    `SELECT ${DROPPED_COLUMNS} FROM packages WHERE package_id = :package_id ${sql.lockToDelete}`,
);

export interface StoredRow extends CountedColumns {
  readonly uploaded: string;
  readonly files_deleted: number;
  readonly version: number;
  readonly has_partials: number;
}

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

export const PACKAGE_CHANGES = {
  updatePackage: change(updatePackage, {
    writes: "package",
    ifUnknown: wasMade,
  }),
  removePackage: change(removePackage, {
    writes: "package",
    // Asked only after PostgreSQL says that the transaction was committed.
    ifUnknown: function* ({ packageId }) {
      return (yield* ask(HAS_PACKAGE({ package_id: packageId }))).length === 0;
    },
  }),
};

/** Changes a package if its version is still the one that the caller read. */
export function* updatePackage(update: PackageUpdate): Work<UpdateOutcome> {
  const { packageId, deviceId: device_id, columns } = update;
  const package_id = packageId;
  yield* tell(LOCK_DEVICE({ device_id }));
  const [row] = yield* ask(STORED({ package_id }));
  if (row === undefined || row.version !== update.version) return "changed";
  const after = keysIn(columns);
  yield* doomKeys([...keysIn(row)].filter((key) => !after.has(key)));
  const isDeleted = columns.files_deleted > row.files_deleted;
  const ended = isDeleted
    ? yield* partialsOf([{ package_id, has_partials: row.has_partials }])
    : [];
  yield* endPartials(ended);
  const next = {
    ...row,
    ...countedIn(columns),
    counts: columns.files_deleted === 1 ? 0 : row.counts,
    partial_bytes: isDeleted ? 0 : row.partial_bytes,
    ...(endsRoom(columns) && NO_ROOM),
  };
  yield* tell(
    UPDATE({
      ...columns,
      package_id,
      counts: next.counts,
      room_held_until: next.room_held_until,
      room_tiers: next.room_tiers,
      partial_bytes: next.partial_bytes,
      changed_by: update.changedBy,
    }),
  );
  if (row.outcome === null && columns.outcome !== null) {
    yield* tell(FIRST_REPORT({ package_id, device_id }));
  }
  const counts = new CountChanges();
  counts.change(device_id, row, next);
  yield* counts.write();
  yield* notify(...packageNotices({ packageId, deviceId: device_id }));
  return "updated";
}

/** The columns of a change that are counted. */
function countedIn({ committed_at, outcome, missing_bytes }: PackageColumns) {
  return { committed_at, outcome, missing_bytes };
}

/** Looks whether a package has this change. Another one may have replaced it; then the outcome stays unknown. */
export function* wasMade({
  packageId,
  changedBy,
}: Pick<PackageUpdate, "packageId" | "changedBy">): Work<boolean> {
  return (yield* ask(MADE({ package_id: packageId, changed_by: changedBy }))).length === 1;
}

/** Removes a package if its version is still the one that the caller read. */
export function* removePackage({ packageId, version, isWithdrawn }: PackageRemoval): Work<boolean> {
  const package_id = packageId;
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ package_id }));
  const [row] = yield* ask(REMOVABLE({ package_id }));
  if (row === undefined || row.version !== version) return false;
  yield* dropPackages([row]);
  if (isWithdrawn) yield* noteRemoval("package", packageId);
  yield* notify(...packageNotices({ packageId, deviceId: row.device_id }));
  return true;
}
