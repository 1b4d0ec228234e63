import { randomUUID } from "node:crypto";
import type {
  PackageRecord,
  PartialTurn,
  ReceivedBytes,
  UpdateOutcome,
} from "../../domain/ports.ts";
import { columnsOf, endsRoom, keysIn, type PackageColumns } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import { NO_ROOM } from "./expiry.ts";
import {
  doomKeys,
  dropPackages,
  DROPPED_COLUMNS,
  type DroppedRow,
  endPartials,
  type PartialRow,
  readPartials,
  takePending,
} from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_DEVICE_OF_PACKAGE, LOCK_SHARED, LOCKS } from "./lock-order.ts";
import { packageNotices, sendNotices } from "./notices.ts";
import { requireTurn } from "./partial-turns.ts";
import { addReceived } from "./room-counts.ts";
import { statement } from "./statement.ts";

const STORED = statement(
  "lock_package",
  `SELECT uploaded, files_deleted, version, ${COUNTED_COLUMNS} FROM packages
   WHERE package_id = $1 FOR NO KEY UPDATE`,
);
const UPDATE = statement(
  "update_package",
  `UPDATE packages SET committed_at = $2, wait_ends_at = $3, outcome = $4, lease_run = $5,
     lease_ends_at = $6, files_end_at = $7, files_deleted = $8, missing_bytes = $9, uploaded = $10,
     results = $11, counts = $12, room_held_until = $13, room_tiers = $14,
     room_address = CASE WHEN $13::bigint > 0 THEN room_address END, partial_bytes = $15,
     version = version + 1, changed_by = $16
   WHERE package_id = $1`,
);
const FIRST_REPORT = statement(
  "note_first_report",
  `INSERT INTO first_reports (package_id, device_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);
const DENIED = statement(
  "denied_among",
  "SELECT 1 FROM denied_sounds WHERE sha256 = ANY($1::text[]) LIMIT 1",
);
const MADE = statement(
  "made_change",
  "SELECT 1 FROM packages WHERE package_id = $1 AND changed_by = $2",
);
const REMOVABLE = statement(
  "lock_removable",
  `SELECT ${DROPPED_COLUMNS} FROM packages WHERE package_id = $1 FOR UPDATE`,
);
const GONE = statement("package_gone", "SELECT 1 FROM packages WHERE package_id = $1");

interface StoredRow extends CountedColumns {
  readonly uploaded: string;
  readonly files_deleted: number;
  readonly version: number;
}

/** An error that undoes the transaction. */
class KeyGoneError extends Error {}

/** Returns the compare-and-swap of a package. */
export function packageUpdate(connections: Connections) {
  return async (
    record: PackageRecord,
    received?: ReceivedBytes,
    turn?: PartialTurn,
  ): Promise<UpdateOutcome> => {
    const change = randomUUID();
    try {
      const act = async (tx: Transaction) => {
        await requireTurn(tx, turn);
        return update(tx, record, received, change);
      };
      return await connections.transaction(act, {
        // Another change may have replaced it already. Then the outcome stays unknown, and the caller learns that.
        ifUnknown: async () =>
          (await connections.readSlowly(MADE, [record.packageId, change])).length === 1,
      });
    } catch (error) {
      if (error instanceof KeyGoneError) return "key-gone";
      throw error;
    }
  };
}

async function update(
  tx: Transaction,
  record: PackageRecord,
  received: ReceivedBytes | undefined,
  change: string,
): Promise<UpdateOutcome> {
  const { packageId, deviceId } = record;
  tx.send(LOCK_DEVICE, [deviceId]);
  const [stored, partials] = await Promise.all([
    tx.query<StoredRow>(STORED, [packageId]),
    readPartials(tx, [packageId]),
  ]);
  const [row] = stored;
  if (row === undefined || row.version !== record.version) return "changed";
  const columns = columnsOf(record);
  const [before, after] = [keysIn(row), keysIn(columns)];
  const added = [...after].filter((key) => !before.has(key));
  // The caller looks again, and finds it denied.
  if (added.length > 0 && (await isDenied(tx, record))) return "changed";
  if (!(await takePending(tx, added))) throw new KeyGoneError();
  doomKeys(
    tx,
    [...before].filter((key) => !after.has(key)),
  );
  const ended = endedPartials(partials, row, columns, record);
  endPartials(tx, ended, after);
  const next = nextCounted(row, columns, ended);
  sendUpdate(tx, record, columns, next, change);
  if (row.outcome === null && columns.outcome !== null)
    tx.send(FIRST_REPORT, [packageId, deviceId]);
  if (received !== undefined) addReceived(tx, received);
  const counts = new CountChanges();
  counts.change(deviceId, row, next);
  counts.write(tx);
  sendNotices(tx, packageNotices(record));
  return "updated";
}

function sendUpdate(
  tx: Transaction,
  { packageId }: PackageRecord,
  columns: PackageColumns,
  next: CountedColumns,
  change: string,
): void {
  tx.send(UPDATE, [
    packageId,
    columns.committed_at,
    columns.wait_ends_at,
    columns.outcome,
    columns.lease_run,
    columns.lease_ends_at,
    columns.files_end_at,
    columns.files_deleted,
    columns.missing_bytes,
    columns.uploaded,
    columns.results,
    next.counts,
    next.room_held_until,
    next.room_tiers,
    next.partial_bytes,
    change,
  ]);
}

/** Returns a function that removes one package. */
export function packageRemoval(connections: Connections) {
  return (packageId: string, version: number): Promise<boolean> =>
    connections.transaction(
      async (tx) => {
        tx.send(LOCK_DEVICE_OF_PACKAGE, [packageId]);
        const [rows, partials] = await Promise.all([
          tx.query<DroppedRow>(REMOVABLE, [packageId]),
          readPartials(tx, [packageId]),
        ]);
        const [row] = rows;
        if (row === undefined || row.version !== version) return false;
        dropPackages(tx, [row], partials);
        sendNotices(tx, packageNotices({ packageId, deviceId: row.device_id }));
        return true;
      },
      {
        // Checked only after PostgreSQL says that the transaction was committed.
        ifUnknown: async () => (await connections.readSlowly(GONE, [packageId])).length === 0,
      },
    );
}

/** Checks whether a denied sound is in a package. A denial waits until the change is made, and then finds it. */
async function isDenied(tx: Transaction, { manifest, uploaded }: PackageRecord): Promise<boolean> {
  tx.send(LOCK_SHARED, [LOCKS.denials]);
  const sums = manifest.items.filter(({ file }) => uploaded.has(file)).map(({ sha256 }) => sha256);
  return (await tx.query(DENIED, [sums])).length > 0;
}

/** Returns the partials that end: all if the files are deleted, and otherwise those of files that the package got. */
function endedPartials(
  partials: readonly PartialRow[],
  row: StoredRow,
  columns: PackageColumns,
  { uploaded }: PackageRecord,
): readonly PartialRow[] {
  if (columns.files_deleted > row.files_deleted) return partials;
  if (columns.uploaded === row.uploaded) return [];
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
