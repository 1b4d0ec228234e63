import { Client } from "pg";

/** Everything that is counted, beside what the packages themselves add up to. */
const WRONG = `
  WITH of_devices AS (
    SELECT device_id,
      coalesce(sum(counts * (committed_at IS NOT NULL AND outcome IS NULL)::int), 0)::bigint AS waiting,
      coalesce(sum(counts * (announced_bytes - missing_bytes)
        + (room_held_until = 0)::int * partial_bytes), 0)::bigint AS stored,
      coalesce(sum((room_held_until > 0)::int * missing_bytes), 0)::bigint AS reserved
    FROM packages GROUP BY device_id),
  of_tiers AS (
    SELECT tier, sum(missing_bytes)::bigint AS bytes
    FROM packages, json_array_elements_text(room_tiers::json) AS tier
    WHERE room_held_until > 0 GROUP BY tier)
  SELECT 'device ' || device_id AS wrong FROM device_counts LEFT JOIN of_devices USING (device_id)
    WHERE (waiting_packages, stored_bytes, reserved_bytes)
      <> (coalesce(waiting, 0), coalesce(stored, 0), coalesce(reserved, 0))
  UNION ALL
  SELECT 'tier ' || tier FROM room_counts FULL JOIN of_tiers USING (tier)
    WHERE coalesce(room_counts.bytes, 0) <> coalesce(of_tiers.bytes, 0) AND tier < '~'
  UNION ALL
  SELECT 'all' FROM (SELECT coalesce(sum(bytes), 0) AS counted FROM room_counts WHERE tier >= '~') AS c,
    (SELECT coalesce(sum(reserved), 0) AS really FROM of_devices) AS r WHERE counted <> really
  UNION ALL
  SELECT 'partials of ' || package_id FROM packages
    WHERE partial_bytes <> (SELECT coalesce(sum(stored_bytes), 0) FROM partials
      WHERE partials.package_id = packages.package_id)
  UNION ALL
  SELECT 'package without a device ' || package_id FROM packages
    WHERE NOT EXISTS (SELECT 1 FROM devices WHERE devices.device_id = packages.device_id)`;

const DEADLOCKS = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";

interface FoundCounts {
  /** Names of wrong counters. */
  readonly wrong: readonly string[];
  /** Number of deadlocks that PostgreSQL has ended in this database. */
  readonly deadlocks: number;
}

export async function checkCounts(url: string): Promise<FoundCounts> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ wrong: string }>(WRONG);
    const counted = await client.query<{ deadlocks: number }>(DEADLOCKS);
    return {
      wrong: rows.map(({ wrong }) => wrong),
      deadlocks: counted.rows[0]?.deadlocks ?? 0,
    };
  } finally {
    await client.end();
  }
}
