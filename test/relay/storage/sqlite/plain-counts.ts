import type { DatabaseSync } from "node:sqlite";
import { type InsertVerdict, judgeInsert } from "../../../../core/quotas/judge-insert.ts";
import type {
  InsertOptions,
  InsertOutcome,
  PackageRecord,
} from "../../../../relay/domain/ports.ts";
import { answerOf, newColumnsOf, number } from "../../../../relay/storage/sqlite/rows.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** What an announcement should be answered, from plain sums over the tables. */
export function plainOutcome(
  database: DatabaseSync,
  record: PackageRecord,
  { now, quotas, address, idempotency }: InsertOptions,
): InsertOutcome {
  const { deviceId, appId } = record;
  const all = (sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values);
  const one = (sql: string, ...values: (string | number)[]) =>
    number(database.prepare(`SELECT coalesce((${sql}), 0) AS value`).get(...values)?.["value"]);

  const hour = all(
    "SELECT at FROM announcements WHERE device_id = ? AND app_id = ? AND abs(at - ?) < ? ORDER BY at",
    deviceId,
    appId,
    now,
    HOUR_MS,
  );
  const day = all(
    "SELECT at, bytes FROM announcements WHERE address = ? AND abs(at - ?) < ? ORDER BY at, rowid",
    address,
    now,
    DAY_MS,
  );
  const [answer] = all(
    "SELECT * FROM idempotency_keys WHERE device_id = ? AND app_id = ? AND key = ?",
    deviceId,
    appId,
    idempotency?.key ?? "",
  );
  const nthLatest = hour.at(-quotas.packagesPerHour);
  const live = "FROM packages WHERE files_deleted = 0 AND files_end_at >";
  const verdict = judgeInsert(
    {
      deviceExists: all("SELECT 1 FROM devices WHERE device_id = ?", deviceId).length > 0,
      earlier: answer && answerOf(answer),
      nthLatestAt: nthLatest && number(nthLatest["at"]),
      addressBytes: day.reduce((sum, { bytes }) => sum + number(bytes), 0),
      waitingPackages: one(
        `SELECT count(*) ${live} ? AND device_id = ? AND committed_at IS NOT NULL AND outcome IS NULL`,
        now,
        deviceId,
      ),
      deviceBytes: one(`SELECT sum(announced_bytes) ${live} ? AND device_id = ?`, now, deviceId),
      missingBytes: one(`SELECT sum(missing_bytes) ${live} ? AND committed_at IS NULL`, now),
    },
    quotas,
    { bytes: newColumnsOf(record).announced_bytes, now },
  );
  return outcomeOf(verdict, day, now);
}

function outcomeOf(
  verdict: InsertVerdict,
  day: readonly Record<string, unknown>[],
  now: number,
): InsertOutcome {
  if (verdict.kind === "admitted") return { kind: "inserted" };
  if (verdict.kind !== "address-limit") return verdict;
  let { excessBytes } = verdict;
  const freeing = day.find(({ bytes }) => (excessBytes -= number(bytes)) <= 0);
  return { kind: "address-limit", freeAt: number(freeing?.["at"] ?? now) + DAY_MS };
}

/** The counters that differ from a plain sum over the packages that they count, as text. */
export function wrongCounters(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      `SELECT device_id || ' waiting' AS wrong FROM devices WHERE waiting_packages <> (
         SELECT count(*) FROM packages WHERE packages.device_id = devices.device_id
           AND counts = 1 AND committed_at IS NOT NULL AND outcome IS NULL)
       UNION ALL
       SELECT device_id || ' bytes' FROM devices WHERE announced_bytes <> (
         SELECT coalesce(sum(packages.announced_bytes), 0) FROM packages
         WHERE packages.device_id = devices.device_id AND counts = 1)
       UNION ALL
       SELECT 'missing bytes' FROM totals WHERE missing_bytes <> (
         SELECT coalesce(sum(missing_bytes), 0) FROM packages
         WHERE counts = 1 AND committed_at IS NULL)`,
    )
    .all()
    .map(({ wrong }) => String(wrong));
}

/** Of the keys ever made, those that aren't in exactly one place: doomed, or in one package. */
export function misplacedKeys(
  database: DatabaseSync,
  made: ReadonlySet<string>,
): readonly string[] {
  const places = database
    .prepare(
      `SELECT key FROM sound_keys WHERE state = 'doomed'
       UNION ALL
       SELECT value ->> 1 FROM packages, json_each(uploaded) WHERE files_deleted = 0`,
    )
    .all()
    .map(({ key }) => String(key));
  return [...made].filter((key) => places.filter((place) => place === key).length !== 1);
}
