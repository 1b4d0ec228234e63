import type { RowOf } from "./rows.ts";
import { statement, tell, type Work } from "./statement.ts";

/** The columns of a package that its device and its tiers count. */
const COUNTED = [
  "package_id",
  "device_id",
  "counts",
  "committed_at",
  "outcome",
  "announced_bytes",
  "missing_bytes",
  "partial_bytes",
  "room_held_until",
  "room_tiers",
] as const;
export const COUNTED_COLUMNS = COUNTED.join(", ");
export type CountedRow = RowOf<"packages", (typeof COUNTED)[number]>;

/** The relay's whole room as a tier: the rows of `room_counts` that begin with it. */
export const ALL_ROOM = "~";

const ADD_OF_DEVICE = statement(
  "add_counts_of_device",
  `UPDATE device_counts SET waiting_packages = waiting_packages + :waiting,
     stored_bytes = stored_bytes + :stored, reserved_bytes = reserved_bytes + :reserved
   WHERE device_id = :device`,
);
const ADD_OF_DEVICES = statement(
  "add_device_counts",
  (sql) =>
    `UPDATE device_counts SET waiting_packages = waiting_packages + added.waiting,
       stored_bytes = stored_bytes + added.stored, reserved_bytes = reserved_bytes + added.reserved
     FROM ${sql.rowsOf(":devices", { device: "text", waiting: "number", stored: "number", reserved: "number" })} AS added
     WHERE device_id = added.device`,
);
const ADD_OF_TIERS = statement(
  "add_room_counts",
  (sql) =>
    `INSERT INTO room_counts AS counted (tier, bytes)
     SELECT CASE added.tier WHEN '${ALL_ROOM}' THEN ${sql.ownSlot("added.tier")} ELSE added.tier END AS slot, added.bytes
     FROM ${sql.rowsOf(":tiers", { tier: "text", bytes: "number" })} AS added WHERE true ORDER BY slot
     ON CONFLICT (tier) DO UPDATE SET bytes = counted.bytes + excluded.bytes`,
);

/** A change of a package: a new one has nothing before, and a removed one nothing after. */
export interface CountedChange {
  readonly before?: CountedRow;
  readonly after?: CountedRow;
}

/**
 * Changes the counters that quotas compare (rule J4): the device's waiting packages, stored and reserved bytes, and the
 * reserved bytes of address, networks and all. The caller has the devices' locks, and calls this as the last step that
 * waits for locks. It takes them in the order of `locks.ts`.
 */
export function* countChanges(changes: readonly CountedChange[]): Work<void> {
  const byDevice = new Map<string, DeviceCounts>();
  const byTier = new Map<string, number>();
  for (const { before, after } of changes) {
    if (before !== undefined) note(before, -1, byDevice, byTier);
    if (after !== undefined) note(after, 1, byDevice, byTier);
  }
  const devices = [...byDevice.values()].filter(
    ({ waiting, stored, reserved }) => waiting !== 0 || stored !== 0 || reserved !== 0,
  );
  const tiers = [...byTier]
    .map(([tier, bytes]) => ({ tier, bytes }))
    .filter(({ bytes }) => bytes !== 0);
  const all = devices.reduce((sum, { reserved }) => sum + reserved, 0);
  if (all !== 0) tiers.push({ tier: ALL_ROOM, bytes: all });
  const [first, second] = devices;
  if (second !== undefined) yield* tell(ADD_OF_DEVICES({ devices: JSON.stringify(devices) }));
  else if (first !== undefined) yield* tell(ADD_OF_DEVICE(first));
  if (tiers.length > 0) yield* tell(ADD_OF_TIERS({ tiers: JSON.stringify(tiers) }));
}

type DeviceCounts = {
  readonly device: string;
  readonly waiting: number;
  readonly stored: number;
  readonly reserved: number;
};

/** Adds the counters of a package, or subtracts them. */
function note(
  row: CountedRow,
  sign: 1 | -1,
  byDevice: Map<string, DeviceCounts>,
  byTier: Map<string, number>,
): void {
  const { device, waiting, stored, reserved } = countsOf(row);
  const known = byDevice.get(device);
  byDevice.set(device, {
    device,
    waiting: (known?.waiting ?? 0) + sign * waiting,
    stored: (known?.stored ?? 0) + sign * stored,
    reserved: (known?.reserved ?? 0) + sign * reserved,
  });
  if (reserved === 0) return;
  for (const tier of tiersOf(row.room_tiers)) {
    byTier.set(tier, (byTier.get(tier) ?? 0) + sign * reserved);
  }
}

/** Computes the counters of a package. Its partials are stored, unless it holds room, which is for them, too. */
function countsOf(row: CountedRow): DeviceCounts {
  const holdsRoom = row.room_held_until > 0;
  const isWaiting = row.committed_at !== null && row.outcome === null;
  const storedBytes = row.announced_bytes - row.missing_bytes;
  return {
    device: row.device_id,
    waiting: isWaiting ? row.counts : 0,
    stored: row.counts * storedBytes + (holdsRoom ? 0 : row.partial_bytes),
    reserved: holdsRoom ? row.missing_bytes : 0,
  };
}

/** Parses the address and the networks of held room. */
export function tiersOf(json: string): readonly string[] {
  const tiers: readonly string[] = JSON.parse(json);
  return tiers;
}
