import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import type { PackageCensus, PackageManifest, PackageRecord } from "../../domain/ports.ts";
import { HEAD_COLUMNS, manifestOf, packageOf, type RowOf, type WholeRow } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

const WHOLE = `SELECT ${HEAD_COLUMNS}, device_id, app_id, uploaded, results, spare, taken_at, reported_at,
     room_held_until, room_tiers, manifest
  FROM packages JOIN manifests USING (package_id)`;

const FIND = statement<WholeRow>("find_package", `${WHOLE} WHERE package_id = :packageId`);
const MANIFESTS = statement<RowOf<"manifests">>(
  "find_manifests",
  (sql) =>
    `SELECT package_id, manifest FROM (
       SELECT package_id, manifest, asked.place AS at,
         sum(length(manifest)) OVER (ORDER BY asked.place) - length(manifest) AS before
       FROM ${sql.rowsOf(":asked", { id: "text", place: "number" })} AS asked
         JOIN manifests ON package_id = asked.id) AS found
     WHERE before < :maxCharacters ORDER BY at`,
);
const DUE = statement<WholeRow>(
  "list_due",
  `${WHOLE} WHERE package_id IN (
     SELECT package_id FROM (
       SELECT package_id FROM packages WHERE files_deleted = 0 AND files_end_at <= :now
       ORDER BY files_end_at LIMIT 0 + :limit) AS expired
     UNION
     SELECT package_id FROM (
       SELECT package_id FROM packages
       WHERE coalesce(wait_ends_at, upload_ends_at) <= CAST(:now AS bigint) - CAST(:statusWindowMs AS bigint)
         AND files_end_at <= :now
       ORDER BY files_end_at LIMIT 0 + :limit) AS gone)
   ORDER BY files_end_at LIMIT 0 + :limit`,
);
/** Number of packages that SQLite counts in about a millisecond. Other calls are served in between. */
const CHUNK = 2000;
const CENSUS = statement<CensusRow>(
  "count_packages",
  `SELECT max(place) AS last, count(*) AS count, min(committed_at) AS oldest,
     CASE WHEN outcome IS NOT NULL THEN outcome
       WHEN files_deleted = 1 OR files_end_at <= :now THEN 'expired'
       WHEN committed_at IS NULL THEN 'uploading' ELSE 'waiting' END AS status,
     CAST(coalesce(sum(missing_bytes) FILTER (WHERE room_held_until > :now AND room_held_until > 0), 0)
       AS bigint) AS reserved
   FROM (SELECT * FROM packages WHERE place > :after ORDER BY place LIMIT ${CHUNK}) AS chunk
   GROUP BY status`,
);

/** A package, and the number of characters of its JSON. */
interface FoundPackage {
  readonly record: PackageRecord;
  readonly characters: number;
}

/** @param known its manifest, which never changes */
export function* findPackage(
  packageId: string,
  known?: AnnouncedManifest,
): Work<FoundPackage | undefined> {
  const [row] = yield* ask(FIND({ packageId }));
  if (row === undefined) return undefined;
  const { manifest, uploaded, results } = row;
  const characters = manifest.length + uploaded.length + (results?.length ?? 0);
  return { record: packageOf(row, known ?? manifestOf(row)), characters };
}

/**
 * Reads manifests: as many as fit into so many characters of JSON, and the one that exceeds them.
 * @param known returns a manifest that is known
 */
export function* findManifests(
  packageIds: readonly string[],
  maxCharacters: number,
  known: (packageId: string) => AnnouncedManifest | undefined = () => undefined,
): Work<readonly PackageManifest[]> {
  const asked = JSON.stringify(packageIds.map((id, place) => ({ id, place })));
  const rows = yield* ask(MANIFESTS({ asked, maxCharacters }));
  return rows.map((row) => {
    const packageId = row.package_id;
    return { packageId, manifest: known(packageId) ?? manifestOf(row) };
  });
}

export function* listDue(
  now: number,
  statusWindowMs: number,
  limit: number,
): Work<readonly PackageRecord[]> {
  const rows = yield* ask(DUE({ now, statusWindowMs, limit }));
  return rows.map((row) => packageOf(row, manifestOf(row)));
}

interface CensusRow {
  readonly status: string;
  readonly count: number;
  readonly last: number;
  readonly oldest: number | null;
  readonly reserved: number;
}

/** Counts the packages in chunks. A changing one counts as before or after. */
export async function countPackages(
  now: number,
  read: (chunk: Work<readonly CensusRow[]>) => Promise<readonly CensusRow[]>,
): Promise<PackageCensus> {
  const counts = { uploading: 0, waiting: 0, imported: 0, partial: 0, failed: 0, expired: 0 };
  let oldestWaitingAt: number | null = null;
  let reservedBytes = 0;
  for (let [after, counted] = [0, CHUNK]; counted === CHUNK;) {
    const rows = await read(ask(CENSUS({ now, after })));
    counted = 0;
    for (const { status, count, last, oldest, reserved } of rows) {
      if (!isCounted(status, counts)) throw new Error(`A package has the outcome ${status}.`);
      counts[status] += count;
      counted += count;
      reservedBytes += reserved;
      after = Math.max(after, last);
      if (status === "waiting") {
        oldestWaitingAt = Math.min(oldestWaitingAt ?? Infinity, oldest ?? Infinity);
      }
    }
  }
  return { counts, oldestWaitingAt, reservedBytes };
}

function isCounted<Status extends string>(
  status: string,
  counts: Readonly<Record<Status, number>>,
): status is Status {
  return Object.hasOwn(counts, status);
}
