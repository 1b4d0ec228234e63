import type { RowOf } from "./rows.ts";
import { statement, tell, type Work } from "./statement.ts";

/** The columns of a package that its app and its tiers count. */
const COUNTED = [
  "package_id",
  "device_id",
  "app_id",
  "counts",
  "spare",
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

const NUMBERS = ["waiting_packages", "stored_bytes", "reserved_bytes", "spare_bytes"] as const;
const APP_COLUMNS = ["device_id", "app_id", ...NUMBERS].join(", ");
const SET_SUMS = NUMBERS.map((name) => `${name} = counted.${name} + excluded.${name}`).join(", ");
const ADD_OF_APP = statement(
  "add_counts_of_app",
  `INSERT INTO app_counts AS counted (${APP_COLUMNS})
   VALUES (:device_id, :app_id, ${NUMBERS.map((name) => `:${name}`).join(", ")})
   ON CONFLICT (device_id, app_id) DO UPDATE SET ${SET_SUMS}`,
);
const ADD_OF_APPS = statement(
  "add_app_counts",
  (sql) =>
    `INSERT INTO app_counts AS counted (${APP_COLUMNS})
     SELECT ${APP_COLUMNS} FROM ${sql.rowsOf(":apps", {
       device_id: "text",
       app_id: "text",
       waiting_packages: "number",
       stored_bytes: "number",
       reserved_bytes: "number",
       spare_bytes: "number",
     })} AS added WHERE true ORDER BY device_id, app_id
     ON CONFLICT (device_id, app_id) DO UPDATE SET ${SET_SUMS}`,
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
 * Changes the counters that quotas compare (rule J4): the waiting packages and the bytes of apps, and the reserved bytes of
 * address, networks and all. The caller has the devices' locks, and calls this as the last step that waits for locks. It
 * takes them in the order of `locks.ts`.
 */
export function* countChanges(changes: readonly CountedChange[]): Work<void> {
  const byApp = new Map<string, AppCounts>();
  const byTier = new Map<string, number>();
  for (const { before, after } of changes) {
    if (before !== undefined) note(before, -1, byApp, byTier);
    if (after !== undefined) note(after, 1, byApp, byTier);
  }
  const apps = [...byApp.values()].filter((counts) => NUMBERS.some((name) => counts[name] !== 0));
  const tiers = [...byTier]
    .map(([tier, bytes]) => ({ tier, bytes }))
    .filter(({ bytes }) => bytes !== 0);
  const all = apps.reduce((sum, { reserved_bytes: reserved }) => sum + reserved, 0);
  if (all !== 0) tiers.push({ tier: ALL_ROOM, bytes: all });
  const [first, second] = apps;
  if (second !== undefined) yield* tell(ADD_OF_APPS({ apps: JSON.stringify(apps) }));
  else if (first !== undefined) yield* tell(ADD_OF_APP(first));
  if (tiers.length > 0) yield* tell(ADD_OF_TIERS({ tiers: JSON.stringify(tiers) }));
}

type AppCounts = RowOf<"app_counts">;

/** Adds the counters of a package, or subtracts them. */
function note(
  row: CountedRow,
  sign: 1 | -1,
  byApp: Map<string, AppCounts>,
  byTier: Map<string, number>,
): void {
  const counts = countsOf(row);
  const { device_id, app_id, reserved_bytes: reserved } = counts;
  const key = JSON.stringify([device_id, app_id]);
  const known = byApp.get(key);
  const sum = (name: (typeof NUMBERS)[number]) => (known?.[name] ?? 0) + sign * counts[name];
  byApp.set(key, {
    device_id,
    app_id,
    waiting_packages: sum("waiting_packages"),
    stored_bytes: sum("stored_bytes"),
    reserved_bytes: sum("reserved_bytes"),
    spare_bytes: sum("spare_bytes"),
  });
  if (reserved === 0) return;
  for (const tier of tiersOf(row.room_tiers)) {
    byTier.set(tier, (byTier.get(tier) ?? 0) + sign * reserved);
  }
}

/** Computes the counters of a package. Its partials are stored, unless it holds room, which is for them, too. */
function countsOf(row: CountedRow): AppCounts {
  const holdsRoom = row.room_held_until > 0;
  const isWaiting = row.committed_at !== null && row.outcome === null;
  const storedBytes = row.counts * (row.announced_bytes - row.missing_bytes);
  const isSpare = row.spare === 1;
  return {
    device_id: row.device_id,
    app_id: row.app_id,
    waiting_packages: isWaiting ? row.counts : 0,
    stored_bytes: (isSpare ? 0 : storedBytes) + (holdsRoom ? 0 : row.partial_bytes),
    reserved_bytes: holdsRoom ? row.missing_bytes : 0,
    spare_bytes: isSpare ? storedBytes : 0,
  };
}

/** Parses the address and the networks of held room. */
export function tiersOf(json: string): readonly string[] {
  const tiers: readonly string[] = JSON.parse(json);
  return tiers;
}
