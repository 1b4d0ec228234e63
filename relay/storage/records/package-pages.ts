import type { Owner, PackageHead, PackagePage } from "../../domain/ports.ts";
import { HEAD_COLUMNS, headOf, type HeadRow, type RowOf } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

/** A package in a list; `place` orders packages of the same time. */
type ListedRow = HeadRow & RowOf<"packages", "place" | "seen_at">;
const LISTED_COLUMNS = `packages.place, packages.seen_at, ${HEAD_COLUMNS}`;

const LIST_OWN = statement<ListedRow>(
  "list_own",
  `SELECT ${LISTED_COLUMNS} FROM packages
   WHERE device_id = :deviceId AND app_id = :appId AND (created_at, place) < (:at, :place)
   ORDER BY created_at DESC, place DESC LIMIT 0 + :limit`,
);

const IMPORTABLE = `packages.device_id = :deviceId AND committed_at IS NOT NULL AND files_deleted = 0
  AND files_end_at > :now`;
const LISTED = `${IMPORTABLE} AND (committed_at, packages.place) < (:at, :place)`;
const ORDER = "ORDER BY committed_at DESC, packages.place DESC LIMIT 0 + :limit";

// A package that was reported since the list began is listed at its place among the waiting ones. One statement reads
// both, so that nothing comes between.
const LIST_WAITING = statement<ListedRow>(
  "list_waiting",
  `SELECT * FROM (SELECT ${LISTED_COLUMNS} FROM packages WHERE outcome IS NULL AND ${LISTED} ${ORDER}) AS waiting
   UNION ALL
   SELECT * FROM (
     SELECT ${LISTED_COLUMNS} FROM first_reports CROSS JOIN packages
     WHERE packages.package_id = first_reports.package_id AND first_reports.device_id = :deviceId
       AND seq > :began AND outcome IS NOT NULL AND ${LISTED} ${ORDER}) AS reported
   ORDER BY committed_at DESC, place DESC LIMIT 0 + :limit`,
);
const LIST_REPORTED = statement<ListedRow>(
  "list_reported",
  `SELECT ${LISTED_COLUMNS} FROM packages WHERE outcome IS NOT NULL AND ${LISTED}
     AND NOT EXISTS (SELECT 1 FROM first_reports
       WHERE first_reports.package_id = packages.package_id AND seq > :began)
   ${ORDER}`,
);
// The first page has no place to begin at. It says which report was the last one before the list began.
const LIST_FIRST = statement<ListedRow & { readonly began: number; readonly is_waiting: number }>(
  "list_first",
  `SELECT listed.*, (SELECT coalesce(max(seq), 0) FROM first_reports WHERE device_id = :deviceId) AS began
   FROM (
     SELECT * FROM (SELECT ${LISTED_COLUMNS}, 1 AS is_waiting FROM packages
       WHERE outcome IS NULL AND ${IMPORTABLE} ${ORDER}) AS waiting
     UNION ALL
     SELECT * FROM (SELECT ${LISTED_COLUMNS}, 0 AS is_waiting FROM packages
       WHERE outcome IS NOT NULL AND ${IMPORTABLE} ${ORDER}) AS reported) AS listed
   ORDER BY is_waiting DESC, committed_at DESC, place DESC LIMIT 0 + :limit`,
);

/** A place in an app's own list, newest first. */
interface OwnPlace {
  readonly at: number;
  readonly place: number;
}

/** A place in a device's list. It lists what waited when it began, then what was reported before. */
interface ImportablePlace extends OwnPlace {
  /** The last first report before the list began. */
  readonly began: number;
  readonly isWaiting: boolean;
}

/** The place before the first package of any list. */
const TOP: OwnPlace = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER };

/** Lists a page of an app's own packages (rule S7). An index keeps its cost at its own size. */
export function* listOwn(
  { deviceId, appId }: Owner,
  { after, limit }: PackagePage,
): Work<readonly PackageHead[] | undefined> {
  const from = after === undefined ? TOP : parseOwnCursor(after);
  if (from === undefined) return undefined;
  const rows = yield* ask(LIST_OWN({ deviceId, appId, ...from, limit }));
  return rows.map((row) => listed(row, [row.created_at]));
}

/** Returns undefined for an invalid cursor. */
function parseOwnCursor(cursor: string): OwnPlace | undefined {
  const [, at, place] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return at === undefined || place === undefined
    ? undefined
    : { at: Number(at), place: Number(place) };
}

/** Lists a page of the importer's list (rule I5). An index keeps its cost at its own size. */
export function* listImportable(
  { deviceId, now }: { readonly deviceId: string; readonly now: number },
  { after, limit }: PackagePage,
): Work<readonly PackageHead[] | undefined> {
  if (after === undefined) {
    const rows = yield* ask(LIST_FIRST({ deviceId, now, limit }));
    return rows.map((row) => importable(row, row.began, row.is_waiting === 1));
  }
  const from = parseImportableCursor(after);
  if (from === undefined) return undefined;
  const { began, isWaiting, at, place } = from;
  const values = { deviceId, now, began };
  const waiting = isWaiting ? yield* ask(LIST_WAITING({ ...values, at, place, limit })) : [];
  const heads = waiting.map((row) => importable(row, began, true));
  if (heads.length === limit) return heads;
  const rest = isWaiting ? TOP : { at, place };
  const reported = yield* ask(LIST_REPORTED({ ...values, ...rest, limit: limit - heads.length }));
  return [...heads, ...reported.map((row) => importable(row, began, false))];
}

function importable(row: ListedRow, began: number, isWaiting: boolean): PackageHead {
  return listed(row, [isWaiting ? "w" : "r", began, row.committed_at]);
}

/** Makes the head of a package. Its cursor ends with its place. */
function listed(row: ListedRow, cursor: readonly unknown[]): PackageHead {
  const isSeen = row.seen_at !== null;
  return { ...headOf(row), isSeen, cursor: [...cursor, row.place].join("-") };
}

/** Returns undefined for an invalid cursor. */
function parseImportableCursor(cursor: string): ImportablePlace | undefined {
  const [, list, ...places] = /^([wr])-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  const [began, at, place] = places.map(Number);
  if (began === undefined || at === undefined || place === undefined) return undefined;
  return { began, isWaiting: list === "w", at, place };
}
