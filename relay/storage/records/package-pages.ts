import type { Owner, PackageHead, PackagePage } from "../../domain/ports.ts";
import { HEAD_COLUMNS, headOf, number, type Row } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

/** `place` orders packages of the same time. */
const LISTED_COLUMNS = `packages.place, ${HEAD_COLUMNS}`;

const LIST_OWN = statement<Row>(
  "list_own",
  `SELECT ${LISTED_COLUMNS} FROM packages
   WHERE device_id = :device_id AND app_id = :app_id AND (created_at, place) < (:at, :place)
   ORDER BY created_at DESC, place DESC LIMIT 0 + :limit`,
);

const LISTED = `packages.device_id = :device_id AND committed_at IS NOT NULL AND files_deleted = 0
  AND files_end_at > :now AND (committed_at, packages.place) < (:at, :place)`;
const ORDER = "ORDER BY committed_at DESC, packages.place DESC LIMIT 0 + :limit";

// A package that was reported since the list began is listed at its place among the waiting ones. One statement reads
// both, so that nothing comes between.
const LIST_WAITING = statement<Row>(
  "list_waiting",
  `SELECT * FROM (SELECT ${LISTED_COLUMNS} FROM packages WHERE outcome IS NULL AND ${LISTED} ${ORDER}) AS waiting
   UNION ALL
   SELECT * FROM (
     SELECT ${LISTED_COLUMNS} FROM first_reports CROSS JOIN packages
     WHERE packages.package_id = first_reports.package_id AND first_reports.device_id = :device_id
       AND seq > :began AND outcome IS NOT NULL AND ${LISTED} ${ORDER}) AS reported
   ORDER BY committed_at DESC, place DESC LIMIT 0 + :limit`,
);
const LIST_REPORTED = statement<Row>(
  "list_reported",
  `SELECT ${LISTED_COLUMNS} FROM packages WHERE outcome IS NOT NULL AND ${LISTED}
     AND NOT EXISTS (SELECT 1 FROM first_reports
       WHERE first_reports.package_id = packages.package_id AND seq > :began)
   ${ORDER}`,
);
// The first page has no place to begin at. It says which report was the last one before the list began.
const FIRST = `packages.device_id = :device_id AND committed_at IS NOT NULL AND files_deleted = 0
  AND files_end_at > :now`;
const LIST_FIRST = statement<Row>(
  "list_first",
  `SELECT listed.*, (SELECT coalesce(max(seq), 0) FROM first_reports WHERE device_id = :device_id) AS began
   FROM (
     SELECT * FROM (SELECT ${LISTED_COLUMNS}, 1 AS is_waiting FROM packages
       WHERE outcome IS NULL AND ${FIRST} ${ORDER}) AS waiting
     UNION ALL
     SELECT * FROM (SELECT ${LISTED_COLUMNS}, 0 AS is_waiting FROM packages
       WHERE outcome IS NOT NULL AND ${FIRST} ${ORDER}) AS reported) AS listed
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
  const rows = yield* ask(LIST_OWN({ device_id: deviceId, app_id: appId, ...from, limit }));
  return rows.map((row) => {
    return headOf(row, `${number(row["created_at"])}-${number(row["place"])}`);
  });
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
  if (after === undefined) return yield* listFirst(deviceId, now, limit);
  const from = parseImportableCursor(after);
  if (from === undefined) return undefined;
  const values = { device_id: deviceId, now, began: from.began };
  const placed = ({ at, place }: OwnPlace, most: number) => ({ ...values, at, place, limit: most });
  const first = from.isWaiting ? yield* ask(LIST_WAITING(placed(from, limit))) : [];
  const heads = first.map((row) => headOf(row, importableCursorOf(row, from)));
  if (heads.length === limit) return heads;
  const rest = from.isWaiting ? { ...TOP, began: from.began, isWaiting: false } : from;
  const reported = yield* ask(LIST_REPORTED(placed(rest, limit - heads.length)));
  return [...heads, ...reported.map((row) => headOf(row, importableCursorOf(row, rest)))];
}

function* listFirst(deviceId: string, now: number, limit: number): Work<readonly PackageHead[]> {
  const rows = yield* ask(LIST_FIRST({ device_id: deviceId, now, limit }));
  return rows.map((row) => {
    const place = { began: number(row["began"]), isWaiting: row["is_waiting"] === 1 };
    return headOf(row, importableCursorOf(row, place));
  });
}

function importableCursorOf(
  row: Row,
  { began, isWaiting }: Pick<ImportablePlace, "began" | "isWaiting">,
): string {
  const place = [began, number(row["committed_at"]), number(row["place"])];
  return [isWaiting ? "w" : "r", ...place].join("-");
}

/** Returns undefined for an invalid cursor. */
function parseImportableCursor(cursor: string): ImportablePlace | undefined {
  const [, list, ...places] = /^([wr])-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  const [began, at, place] = places.map(Number);
  if (began === undefined || at === undefined || place === undefined) return undefined;
  return { began, isWaiting: list === "w", at, place };
}
