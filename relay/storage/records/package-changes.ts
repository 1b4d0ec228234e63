import type { ReceivedBytes, UpdateOutcome, PartialTurn } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import {
  doomKeys,
  dropPackages,
  DROPPED_COLUMNS,
  type DroppedRow,
  endPartials,
  type PartialRow,
  PARTIALS_COLUMN,
  partialsOf,
  takePending,
} from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_DEVICE_OF_PACKAGE, LOCK_SHARED, LOCKS } from "./locks.ts";
import { packageNotices } from "./notices.ts";
import { addReceived } from "./received.ts";
import { NO_ROOM } from "./room.ts";
import { endsRoom, keysIn, type PackageColumns, uploadedOf } from "./rows.ts";
import { ask, noteRemoval, notify, statement, tell, Undone, type Work } from "./statement.ts";
import { requireTurn } from "./turns.ts";

const STORED = statement<StoredRow>(
  "lock_package",
  (sql) =>
    `SELECT uploaded, files_deleted, version, ${COUNTED_COLUMNS},
       ${PARTIALS_COLUMN}
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
const DENIED = statement(
  "denied_among",
  (sql) => `SELECT 1 FROM denied_sounds WHERE ${sql.among("sha256", ":sums")} LIMIT 1`,
);
const MADE = statement(
  "made_change",
  "SELECT 1 FROM packages WHERE package_id = :package_id AND changed_by = :changed_by",
);
/** Locks a package that is removed. */
export const REMOVABLE = statement<DroppedRow>(
  "lock_removable",
  (sql) =>
    `SELECT ${DROPPED_COLUMNS} FROM packages WHERE package_id = :package_id ${sql.lockToDelete}`,
);
const STAYS = statement("package_stays", "SELECT 1 FROM packages WHERE package_id = :package_id");

interface StoredRow extends CountedColumns {
  readonly uploaded: string;
  readonly files_deleted: number;
  readonly version: number;
  readonly partials: number;
}

/** A change that applies only if the package still has this version. */
export interface PackageUpdate {
  readonly packageId: string;
  readonly deviceId: string;
  readonly version: number;
  readonly columns: PackageColumns;
  /** The announced SHA-256 of its uploaded files. */
  readonly sums: readonly string[];
  /** Id of this change. */
  readonly changedBy: string;
  readonly received: ReceivedBytes | undefined;
  readonly turn: PartialTurn | undefined;
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
      return (yield* ask(STAYS({ package_id: packageId }))).length === 0;
    },
  }),
};

/** Changes a package if its version is still the one that the caller read. */
export function* updatePackage(update: PackageUpdate): Work<UpdateOutcome> {
  const { packageId, deviceId: device_id, columns, received } = update;
  const package_id = packageId;
  yield* requireTurn(update.turn);
  yield* tell(LOCK_DEVICE({ device_id }));
  const [row] = yield* ask(STORED({ package_id }));
  if (row === undefined || row.version !== update.version) return "changed";
  const [before, after] = [keysIn(row), keysIn(columns)];
  const added = [...after].filter((key) => !before.has(key));
  // The caller looks again, and finds it denied.
  if (added.length > 0 && (yield* isDenied(update.sums))) return "changed";
  if (!(yield* takePending(added))) throw new Undone("key-gone");
  yield* doomKeys([...before].filter((key) => !after.has(key)));
  const ended = yield* endedPartials(packageId, row, columns);
  yield* endPartials(ended, after);
  const next = nextCounted(row, columns, ended);
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
  if (received !== undefined) yield* addReceived(received);
  const counts = new CountChanges();
  counts.change(device_id, row, next);
  yield* counts.write();
  yield* notify(...packageNotices({ packageId, deviceId: device_id }));
  return "updated";
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

/** Checks whether one of these sounds is denied. A denial waits until the change is made, and then finds it. */
function* isDenied(sums: readonly string[]): Work<boolean> {
  yield* tell(LOCK_SHARED({ lock: LOCKS.denials }));
  return (yield* ask(DENIED({ sums }))).length > 0;
}

/** Reads the partials that end: all if the files are deleted, and otherwise those of files that the package got. */
function* endedPartials(
  packageId: string,
  row: StoredRow,
  columns: PackageColumns,
): Work<readonly PartialRow[]> {
  const isDeleted = columns.files_deleted > row.files_deleted;
  if (!isDeleted && columns.uploaded === row.uploaded) return [];
  const partials = yield* partialsOf([{ package_id: packageId, partials: row.partials }]);
  if (isDeleted) return partials;
  const uploaded = uploadedOf(columns.uploaded);
  return partials.filter(({ file }) => uploaded.has(file));
}

function nextCounted(
  row: StoredRow,
  columns: PackageColumns,
  ended: readonly PartialRow[],
): CountedColumns {
  const partialBytes = ended.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0);
  const held =
    row.room_held_until === 0 ? 0 : Math.max(row.room_held_until, columns.room_held_until);
  return {
    announced_bytes: row.announced_bytes,
    committed_at: columns.committed_at,
    outcome: columns.outcome,
    missing_bytes: columns.missing_bytes,
    counts: columns.files_deleted === 1 ? 0 : row.counts,
    partial_bytes: row.partial_bytes - partialBytes,
    ...(endsRoom(columns) || held === 0
      ? NO_ROOM
      : { room_held_until: held, room_tiers: row.room_tiers }),
  };
}
