import type { Dialect } from "../../../../relay/storage/records/dialect.ts";

/**
 * Makes the statement that lists everything that is counted otherwise than the packages themselves add up to, as text in
 * `wrong` (rule J4).
 */
export function wrongCounts(sql: Dialect): string {
  const sum = (number: string, condition = "true") =>
    `coalesce(sum(${number}) FILTER (WHERE ${condition}), 0)`;
  return `
  WITH of_apps AS (
    SELECT device_id, app_id, ${sum("counts", "committed_at IS NOT NULL AND outcome IS NULL")} AS waiting,
      ${sum("counts * (announced_bytes - missing_bytes)", "spare = 0")}
        + ${sum("partial_bytes", "room_held_until = 0")} AS stored,
      ${sum("missing_bytes", "room_held_until > 0")} AS reserved,
      ${sum("counts * (announced_bytes - missing_bytes)", "spare = 1")} AS spare
    FROM packages GROUP BY device_id, app_id),
  of_tiers AS (
    SELECT value AS tier, sum(missing_bytes) AS bytes FROM packages, ${sql.textsOf("room_tiers")}
    WHERE room_held_until > 0 GROUP BY value)
  SELECT 'app ' || app_id || ' of ' || device_id AS wrong
    FROM app_counts FULL JOIN of_apps USING (device_id, app_id)
    WHERE (coalesce(waiting_packages, 0), coalesce(stored_bytes, 0), coalesce(reserved_bytes, 0), coalesce(spare_bytes, 0))
      <> (coalesce(waiting, 0), coalesce(stored, 0), coalesce(reserved, 0), coalesce(spare, 0))
  UNION ALL
  SELECT 'tier ' || coalesce(room_counts.tier, of_tiers.tier)
    FROM room_counts FULL JOIN of_tiers ON room_counts.tier = of_tiers.tier
    WHERE coalesce(room_counts.bytes, 0) <> coalesce(of_tiers.bytes, 0)
      AND coalesce(room_counts.tier, of_tiers.tier) < '~'
  UNION ALL
  SELECT 'all' FROM (SELECT coalesce(sum(bytes), 0) AS counted FROM room_counts WHERE tier >= '~') AS c,
    (SELECT coalesce(sum(reserved), 0) AS really FROM of_apps) AS r WHERE counted <> really
  UNION ALL
  SELECT 'partials of ' || package_id FROM packages
    WHERE partial_bytes <> (SELECT coalesce(sum(stored_bytes), 0) FROM partials
      WHERE partials.package_id = packages.package_id)
  UNION ALL
  SELECT 'device without a lock ' || device_id FROM devices
    WHERE NOT EXISTS (SELECT 1 FROM device_locks WHERE device_locks.device_id = devices.device_id)
  UNION ALL
  SELECT 'package without a device ' || package_id FROM packages
    WHERE NOT EXISTS (SELECT 1 FROM devices WHERE devices.device_id = packages.device_id)`;
}
