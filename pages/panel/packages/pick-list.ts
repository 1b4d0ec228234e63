import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { needsDecision, type PickRow, rowStatusOf, usableOf } from "./pick-row.ts";
import { rowsOf } from "./rows-of.ts";

export type PickView = "waiting" | "history";

/** The rows of one view, in the order of the screen (rule N13). */
export interface PickList {
  readonly view: PickView;
  readonly rows: readonly PickRow[];
  /** The number of rows when the view was opened: the others were appended. One object for as long as it is open. */
  readonly opened: { readonly count: number };
}

/** Lists a view as a person opens it: what waits, oldest first, or what is over, newest first. */
export function openPickList(view: PickView, state: PanelState | null): PickList {
  const rows = state === null ? [] : rowsOf(state);
  const listed = rows.filter((row) => viewOf(row) === view);
  const sorted = view === "waiting" ? listed : listed.toSorted(newestFirst);
  return { view, rows: sorted, opened: { count: sorted.length } };
}

/** Follows the state without moving a row: new ones are appended, and none leaves. */
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

/** The view in which a row is listed when it is opened. */
export function viewOf(row: PickRow): PickView {
  return ["done", "dismissed", "gone"].includes(rowStatusOf(row)) ? "history" : "waiting";
}

/** Whether the row's Import starts a plain import. */
export function isImportable(row: PickRow): boolean {
  const status = rowStatusOf(row);
  return (
    usableOf(row) !== null && (status === "waiting" || (status === "failed" && !needsDecision(row)))
  );
}

function newestFirst({ past: a }: PickRow, { past: b }: PickRow): number {
  return (b?.at ?? "").localeCompare(a?.at ?? "");
}
