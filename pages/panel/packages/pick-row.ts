import type {
  PanelFinishedRun,
  PanelPackage,
  PanelRun,
  PanelUsablePackage,
} from "../../../core/protocol/panel-api.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";

/** A package in the panel's list, or its import into another host. */
export interface PickRow {
  /** Unique in the list, and valid as part of an element's id. */
  readonly key: string;
  readonly packageId: string;
  /** Absent for the importer's own hosts. */
  readonly otherHost?: string;
  readonly title: string;
  /** As last known; null where only a run is known, or where the package is offered in another row. */
  readonly offered: PanelPackage | null;
  /** Neither offered nor imported any more: only the page remembers it. */
  readonly isGone: boolean;
  readonly run: PanelRun | null;
  readonly past: PastImport | null;
}

/** The last import of a row's package. */
export interface PastImport {
  /** ISO 8601, UTC; null where only the relay knows it. */
  readonly at: string | null;
  /** From the run itself, or from the relay's report. */
  readonly result: PanelFinishedRun["result"] | { readonly results: SoundResults };
  /** The chosen sounds; absent where nobody chose. */
  readonly soundIds?: readonly string[];
}

/** Why a run ended without an outcome. */
export type Failure = Extract<PanelFinishedRun["result"], { readonly error: string }>;

/** What a person can do with a row. `failed`: its last run ended without an outcome. */
export type RowStatus =
  | "waiting"
  | "failed"
  | "running"
  | "done"
  | "dismissed"
  | "expired"
  | "unusable"
  | "gone";

/** Returns the unique name of a package's row, or of its import into another host. */
export function rowKeyOf({
  packageId,
  otherHost,
}: Pick<PickRow, "packageId" | "otherHost">): string {
  return otherHost === undefined ? packageId : `${packageId}-${otherHost}`;
}

/** Returns the row's package if it can be imported. */
export function usableOf({ offered }: Pick<PickRow, "offered">): PanelUsablePackage | null {
  return offered === null || "error" in offered ? null : offered;
}

/** Whether an import has a reported result. */
export function isDone({ status }: PanelUsablePackage): boolean {
  return status === "imported" || status === "partial" || status === "failed";
}

/** Returns why the row's last run ended without an outcome. */
export function failureOf({ past }: Pick<PickRow, "past">): Failure | null {
  return past !== null && "error" in past.result ? past.result : null;
}

/** Whether the last run's error offers another step than a plain import. */
export function needsDecision(row: Pick<PickRow, "past">): boolean {
  const code = failureOf(row)?.code;
  return code === "ALREADY_PLACED" || code === "RUN_ELSEWHERE";
}

export function rowStatusOf(row: PickRow): RowStatus {
  const { offered, isGone, run, past } = row;
  if (run !== null) return "running";
  if (isGone) return past === null ? "gone" : "done";
  if (offered !== null && "error" in offered) return "unusable";
  if (offered?.isDismissed === true) return "dismissed";
  if (failureOf(row) !== null) return offered?.status === "expired" ? "expired" : "failed";
  if (past !== null) return "done";
  return offered?.status === "expired" ? "expired" : "waiting";
}
