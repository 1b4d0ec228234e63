import { statement, tell, type Work } from "./statement.ts";

/** The columns of a package that its device and its tiers count. */
export interface CountedColumns {
  readonly counts: number;
  readonly committed_at: number | null;
  readonly outcome: string | null;
  readonly announced_bytes: number;
  readonly missing_bytes: number;
  readonly partial_bytes: number;
  /** End of the held room; 0 without room. */
  readonly room_held_until: number;
  /** Address and networks of the held room, as JSON. */
  readonly room_tiers: string;
}

export const COUNTED_COLUMNS =
  "counts, committed_at, outcome, announced_bytes, missing_bytes, partial_bytes, room_held_until, room_tiers";

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

/**
 * The changes that a transaction makes to the counters that quotas compare (rule J4): the device's waiting packages,
 * stored and reserved bytes, and the reserved bytes of address, networks and all. The caller has the devices' locks,
 * and calls `write` as the last call that waits for locks.
 */
export class CountChanges {
  readonly #devices = new Map<string, { waiting: number; stored: number; reserved: number }>();
  readonly #tiers = new Map<string, number>();

  /** Counts a package that was inserted. */
  add(deviceId: string, columns: CountedColumns): void {
    this.#note(deviceId, columns, 1);
  }

  /** Stops counting a package that was removed. */
  remove(deviceId: string, columns: CountedColumns): void {
    this.#note(deviceId, columns, -1);
  }

  change(deviceId: string, before: CountedColumns, after: CountedColumns): void {
    this.remove(deviceId, before);
    this.add(deviceId, after);
  }

  /** Writes the changes, in the order of `locks.ts`. */
  *write(): Work<void> {
    const devices = [...this.#devices]
      .map(([device, counts]) => ({ device, ...counts }))
      .filter(({ waiting, stored, reserved }) => waiting !== 0 || stored !== 0 || reserved !== 0);
    const tiers = [...this.#tiers]
      .map(([tier, bytes]) => ({ tier, bytes }))
      .filter(({ bytes }) => bytes !== 0);
    const all = devices.reduce((sum, { reserved }) => sum + reserved, 0);
    if (all !== 0) tiers.push({ tier: ALL_ROOM, bytes: all });
    const [first, second] = devices;
    if (second !== undefined) yield* tell(ADD_OF_DEVICES({ devices: JSON.stringify(devices) }));
    else if (first !== undefined) yield* tell(ADD_OF_DEVICE(first));
    if (tiers.length > 0) yield* tell(ADD_OF_TIERS({ tiers: JSON.stringify(tiers) }));
  }

  #note(deviceId: string, columns: CountedColumns, sign: 1 | -1): void {
    const { waiting, stored, reserved } = countsOf(columns);
    const known = this.#devices.get(deviceId) ?? { waiting: 0, stored: 0, reserved: 0 };
    known.waiting += sign * waiting;
    known.stored += sign * stored;
    known.reserved += sign * reserved;
    this.#devices.set(deviceId, known);
    if (reserved === 0) return;
    for (const tier of tiersOf(columns.room_tiers)) {
      this.#tiers.set(tier, (this.#tiers.get(tier) ?? 0) + sign * reserved);
    }
  }
}

/** Computes the counters of a package. Its partials are stored, unless it holds room, which is for them, too. */
function countsOf(columns: CountedColumns) {
  const holdsRoom = columns.room_held_until > 0;
  const isWaiting = columns.committed_at !== null && columns.outcome === null;
  return {
    waiting: columns.counts * (isWaiting ? 1 : 0),
    stored:
      columns.counts * (columns.announced_bytes - columns.missing_bytes) +
      (holdsRoom ? 0 : columns.partial_bytes),
    reserved: holdsRoom ? columns.missing_bytes : 0,
  };
}

/** Parses the address and the networks of held room. */
export function tiersOf(json: string): readonly string[] {
  const tiers: readonly string[] = JSON.parse(json);
  return tiers;
}
