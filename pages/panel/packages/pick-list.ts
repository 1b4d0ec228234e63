import type {
  PanelState,
  PanelFinishedRun,
  PanelPackage,
} from "../../../core/protocol/panel-api.ts";
import { ALL_PACKAGES, isFiltered, matches, type PickFilter } from "./pick-filter.ts";
import {
  type PickRow,
  rowStatusOf,
  usableOf,
  isDone,
  type PastImport,
  rowKeyOf,
} from "./pick-row.ts";

export type PickView = "waiting" | "history";

/** Greatest number of packages that a person finds without a search (rule N24). */
const MAX_SHORT = 10;

/** The rows of one view, in the order of the screen (rules N13 and N24). */
export interface PickList {
  readonly view: PickView;
  readonly filter: PickFilter;
  /** True if the list has a search and filters. It stays the same while the view is open. */
  readonly isLong: boolean;
  readonly rows: readonly PickRow[];
  /**
   * Number of rows when the view was opened; later ones were appended. It stays the same object while the view is open.
   */
  readonly opened: { readonly count: number };
}

/**
 * Lists a view when a person opens it, or changes its filter. Waiting packages come oldest first, or newest first in a
 * long list; the history comes newest first.
 */
export function openPickList(
  view: PickView,
  state: PanelState | null,
  {
    filter = ALL_PACKAGES,
    isLong: wasLong = false,
  }: Partial<Pick<PickList, "filter" | "isLong">> = {},
): PickList {
  const rows = state === null ? [] : rowsOf(state);
  const listed = rows.filter((row) => viewOf(row) === view);
  const isLong = wasLong || listed.length > MAX_SHORT;
  const waiting = isLong ? listed.toReversed() : listed;
  const sorted = view === "waiting" ? waiting : listed.toSorted(newestFirst);
  const found = sorted.filter((row) => matches(row, filter));
  return { view, filter, isLong, rows: found, opened: { count: found.length } };
}

/** Follows the state without moving a row: new rows are appended, and none is removed. */
export function followPickList(list: PickList, state: PanelState): PickList {
  const { view, filter, rows } = list;
  // Nothing can move in an empty list.
  if (rows.length === 0 && !isFiltered(filter)) return openPickList(view, state, list);
  const now = new Map(rowsOf(state).map((row) => [row.key, row]));
  const known = new Set(rows.map(({ key }) => key));
  const arrived = [...now.values()].filter(
    (row) => !known.has(row.key) && viewOf(row) === view && matches(row, filter),
  );
  const kept = rows.map((row) => now.get(row.key) ?? goneRow(row));
  return { ...list, rows: [...kept, ...arrived] };
}

function goneRow(row: PickRow): PickRow {
  return { ...row, isGone: true, run: null };
}

/** Returns the view that lists a row when it is opened. */
export function viewOf(row: PickRow): PickView {
  return ["done", "dismissed", "gone"].includes(rowStatusOf(row)) ? "history" : "waiting";
}

function newestFirst({ past: a }: PickRow, { past: b }: PickRow): number {
  return (b?.at ?? "").localeCompare(a?.at ?? "");
}

/**
 * Lists a state's packages, oldest first, with their runs and last results; then the runs and results that have no
 * package here. An import into another host has its own row.
 */
export function rowsOf({ packages, runs, finished }: PanelState): readonly PickRow[] {
  const rows = new Map<string, PickRow>();
  for (const offered of [...packages].reverse()) addPackage(rows, offered);
  // `finished` has the newest result of each row first.
  const own = new Set(
    finished.filter(({ otherHost }) => otherHost === undefined).map(({ packageId }) => packageId),
  );
  for (const ended of finished) addFinished(rows, ended, own);
  for (const run of runs) {
    const key = rowKeyOf(run);
    const row = rows.get(key) ?? emptyRow(run);
    rows.set(key, { ...row, run, isGone: false });
  }
  const elsewhere = new Set(
    [...rows.values()].flatMap(({ packageId, otherHost, offered }) =>
      otherHost !== undefined && offered !== null ? [packageId] : [],
    ),
  );
  return [...rows.values()].filter((row) => !isSaidElsewhere(row, elsewhere)).map(withRelayResults);
}

function addPackage(rows: Map<string, PickRow>, offered: PanelPackage): void {
  const row = emptyRow(offered);
  rows.set(row.key, { ...row, offered, isGone: false });
}

/** @param own the packages with a result at the importer's own hosts */
function addFinished(
  rows: Map<string, PickRow>,
  ended: PanelFinishedRun,
  own: ReadonlySet<string>,
): void {
  const key = rowKeyOf(ended);
  const row = rows.get(key) ?? {
    ...emptyRow(ended),
    offered: own.has(ended.packageId) ? null : offeredElsewhere(rows, ended),
  };
  if (row.past !== null || isNewSince(row, ended)) return;
  const { at, result, soundIds } = ended;
  const past: PastImport = { at, result, ...(soundIds !== undefined && { soundIds }) };
  rows.set(key, { ...row, past, isGone: row.offered === null });
}

/** Returns a package to offer in another host's row, because it was only imported there. */
function offeredElsewhere(
  rows: ReadonlyMap<string, PickRow>,
  { packageId, otherHost }: PanelFinishedRun,
): PanelPackage | null {
  const own = rows.get(packageId);
  const usable = own === undefined ? null : usableOf(own);
  return usable !== null && otherHost !== undefined && isDone(usable) ? usable : null;
}

/** Checks whether an inbox package was changed since it was imported, and so waits again. */
function isNewSince(row: PickRow, { result }: PanelFinishedRun): boolean {
  const usable = usableOf(row);
  return usable?.origin === "inbox" && usable.status === "waiting" && "outcome" in result;
}

/** @param elsewhere packages that are offered in the row of another host */
function isSaidElsewhere(row: PickRow, elsewhere: ReadonlySet<string>): boolean {
  if (row.otherHost !== undefined || row.past !== null || row.run !== null) return false;
  return elsewhere.has(row.packageId);
}

/** Adds the relay's results of an import by another importer, or by this one long ago. */
function withRelayResults(row: PickRow): PickRow {
  const usable = usableOf(row);
  if (row.past !== null || usable === null || usable.results === null || !isDone(usable)) {
    return row;
  }
  return { ...row, past: { at: null, result: { results: usable.results } } };
}

function emptyRow(of: {
  readonly packageId: string;
  readonly otherHost?: string;
  readonly title: string;
}): PickRow {
  const { packageId, otherHost, title } = of;
  return {
    key: rowKeyOf(of),
    packageId,
    ...(otherHost !== undefined && { otherHost }),
    title,
    offered: null,
    isGone: true,
    run: null,
    past: null,
  };
}
