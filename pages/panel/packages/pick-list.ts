import type {
  PanelState,
  PanelFinishedRun,
  PanelPackage,
} from "../../../core/protocol/panel-api.ts";
import {
  needsDecision,
  type PickRow,
  rowStatusOf,
  usableOf,
  isDone,
  type PastImport,
  rowKeyOf,
} from "./pick-row.ts";

export type PickView = "waiting" | "history";

/** The rows of one view, in the order of the screen (rule N13). */
export interface PickList {
  readonly view: PickView;
  readonly rows: readonly PickRow[];
  /**
   * Number of rows when the view was opened; later ones were appended. It stays the same object while the view is open.
   */
  readonly opened: { readonly count: number };
}

/** Lists a view when a person opens it: waiting packages, oldest first, or the history, newest first. */
export function openPickList(view: PickView, state: PanelState | null): PickList {
  const rows = state === null ? [] : rowsOf(state);
  const listed = rows.filter((row) => viewOf(row) === view);
  const sorted = view === "waiting" ? listed : listed.toSorted(newestFirst);
  return { view, rows: sorted, opened: { count: sorted.length } };
}

/** Follows the state without moving a row: new rows are appended, and none is removed. */
export function followPickList({ view, rows, opened }: PickList, state: PanelState): PickList {
  const now = new Map(rowsOf(state).map((row) => [row.key, row]));
  const known = new Set(rows.map(({ key }) => key));
  return {
    view,
    opened,
    rows: [
      ...rows.map((row) => now.get(row.key) ?? { ...row, isGone: true, run: null }),
      ...[...now.values()].filter((row) => !known.has(row.key) && viewOf(row) === view),
    ],
  };
}

/** Returns the view that lists a row when it is opened. */
export function viewOf(row: PickRow): PickView {
  return ["done", "dismissed", "gone"].includes(rowStatusOf(row)) ? "history" : "waiting";
}

/** Checks whether the row's Import starts a plain import. */
export function isImportable(row: PickRow): boolean {
  const status = rowStatusOf(row);
  return (
    usableOf(row) !== null && (status === "waiting" || (status === "failed" && !needsDecision(row)))
  );
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
