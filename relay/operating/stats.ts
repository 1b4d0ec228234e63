import { askAll, statement, type Work } from "../storage/records/statement.ts";
import { LISTED_STATES, type ListedState, type ListedSwitch } from "./listed.ts";
import { listSwitches, STATE_OF_PACKAGE, timeOf } from "./lists.ts";

/** A relay at a glance. */
export interface Stats extends Counts {
  readonly packages: Readonly<Record<ListedState, number>>;
  readonly oldest_waiting_since: string | null;
  /** Announced bytes of the packages with files. */
  readonly bytes_announced: number;
  /** Number of these bytes that have not arrived. */
  readonly bytes_missing: number;
  readonly switches: readonly ListedSwitch[];
  /** Free bytes of the sounds' disk; null if they are unknown, as for a bucket. */
  readonly disk_free_bytes: number | null;
}

interface Counts {
  readonly devices: number;
  /** Number of devices that no app was ever paired with. */
  readonly devices_never_paired: number;
  readonly apps: number;
  readonly blocked_addresses: number;
  readonly blocked_devices: number;
  readonly denied_sounds: number;
}

const COUNTS = statement<Counts>(
  "view_counts",
  `SELECT (SELECT count(*) FROM devices) AS devices,
     (SELECT count(*) FROM devices WHERE has_paired = 0) AS devices_never_paired,
     (SELECT count(*) FROM pairings) AS apps,
     (SELECT count(*) FROM blocks WHERE kind = 'address') AS blocked_addresses,
     (SELECT count(*) FROM blocks WHERE kind = 'device') AS blocked_devices,
     (SELECT count(*) FROM denied_sounds) AS denied_sounds`,
);
const STATES = statement<{
  readonly state: string;
  readonly n: number;
  readonly oldest: number | null;
  readonly announced: number;
  readonly missing: number;
}>(
  "view_states",
  `SELECT ${STATE_OF_PACKAGE} AS state, count(*) AS n, min(committed_at) AS oldest,
     CAST(coalesce(sum(announced_bytes) FILTER (WHERE files_deleted = 0), 0) AS bigint) AS announced,
     CAST(coalesce(sum(missing_bytes) FILTER (WHERE files_deleted = 0), 0) AS bigint) AS missing
   FROM packages GROUP BY 1`,
);

/** Sums up a relay's records. @param free bytes of the sounds' disk */
export function* readStats(free: number | "unknown"): Work<Stats> {
  const [[counts], states] = yield* askAll(COUNTS(), STATES());
  if (counts === undefined) throw new Error("The database counted nothing.");
  const sumOf = (column: "announced" | "missing") =>
    states.reduce((sum, row) => sum + row[column], 0);
  const numbers = LISTED_STATES.map((name) => {
    return [name, states.find(({ state }) => state === name)?.n ?? 0] as const;
  });
  const oldest = states.find(({ state }) => state === "waiting")?.oldest;
  return {
    ...counts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the list's
    packages: Object.fromEntries(numbers) as Record<ListedState, number>,
    oldest_waiting_since: typeof oldest === "number" ? timeOf(oldest) : null,
    bytes_announced: sumOf("announced"),
    bytes_missing: sumOf("missing"),
    switches: yield* listSwitches(),
    disk_free_bytes: free === "unknown" ? null : free,
  };
}
