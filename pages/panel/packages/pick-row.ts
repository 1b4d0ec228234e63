import type {
  PanelFinishedRun,
  PanelPackage,
  PanelRun,
  PanelUsablePackage,
} from "../../../core/protocol/panel-api.ts";
import {
  type Difference,
  DISMISSED,
  isOnlySaved,
  NOT_SELECTED,
  type SoundResult,
  type SoundResults,
} from "../../../core/protocol/package-status.ts";
import { runSentence } from "../../../core/protocol/run-sentences.ts";
import { t } from "../../kit/page-language.ts";
import { ownWords } from "../text/own-words.ts";

/** A package in the panel's list, or its import into another host. */
export interface PickRow {
  /** Unique in the list, and valid as part of an element's id. */
  readonly key: string;
  readonly packageId: string;
  /** Name of the other host; absent for the importer's own hosts. */
  readonly otherHost?: string;
  readonly title: string;
  /** The package as last known; null where only a run is known, or where another row offers the package. */
  readonly offered: PanelPackage | null;
  /** Set once the package is neither offered nor imported any more, and only the page remembers it. */
  readonly isGone: boolean;
  readonly run: PanelRun | null;
  readonly past: PastImport | null;
}

/** The last import of a row's package. */
export interface PastImport {
  /** ISO 8601, UTC; null where only the relay knows it. */
  readonly at: string | null;
  /** Result of the run itself, or from the relay's report. */
  readonly result: PanelFinishedRun["result"] | { readonly results: SoundResults };
  /** The chosen sounds; absent where nobody chose. */
  readonly soundIds?: readonly string[];
}

/** The reason why a run ended without an outcome. */
type Failure = Extract<PanelFinishedRun["result"], { readonly error: string }>;

/** The status of a row, which decides a person's actions. `failed` means that its last run ended without an outcome. */
export type RowStatus =
  | "waiting"
  | "failed"
  | "running"
  | "done"
  | "dismissed"
  | "expired"
  | "unusable"
  | "gone";

/** Returns the unique key of a package's row, or of its import into another host. */
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

/** Checks whether an import has a reported result. */
export function isDone({ status }: PanelUsablePackage): boolean {
  return status === "imported" || status === "partial" || status === "failed";
}

/** Returns the reason why the row's last run ended without an outcome. */
export function failureOf({ past }: Pick<PickRow, "past">): Failure | null {
  return past !== null && "error" in past.result ? past.result : null;
}

/** Checks whether the last run's error offers another step than a plain import. */
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

/** Checks whether the row's sounds are on this computer, but none is in a session (rule N22). */
export function isSavedRow({ past, otherHost }: PickRow): boolean {
  const result = past?.result;
  if (result === undefined || "error" in result || otherHost !== undefined) return false;
  if ("results" in result) return isOnlySaved(result.results);
  return isOnlySaved(result.outcome.tracks);
}

/** Checks whether the row's Import starts a plain import. */
export function isImportable(row: PickRow): boolean {
  const status = rowStatusOf(row);
  return (
    usableOf(row) !== null && (status === "waiting" || (status === "failed" && !needsDecision(row)))
  );
}

/** One sound's result, in words. */
export interface ShownResult {
  readonly id: string;
  readonly name: string;
  readonly status: SoundResult["status"];
  /** The reason why it wasn't imported. */
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly differences: readonly Difference[];
}

/** Checks whether a sound was imported without differences. */
export function isAsAsked({ status, differences }: ShownResult): boolean {
  return status === "imported" && differences.length === 0;
}

/** Returns the results of the row's last import in package order; none for one without an outcome. */
export function soundResultsOf(row: PickRow): readonly ShownResult[] {
  const result = row.past?.result;
  if (result === undefined || "error" in result) return [];
  if ("outcome" in result) {
    return result.outcome.tracks.map(({ id, clip, status, error, notes, differences }) => ({
      id,
      name: clip,
      status,
      error: error === null ? null : wordsOfError(error),
      notes: notes.map(ownWords),
      differences,
    }));
  }
  return (usableOf(row)?.sounds ?? []).map(({ id, name }) => {
    const reported = Object.hasOwn(result.results, id) ? result.results[id] : undefined;
    const error = reported === undefined ? runSentence("NO_RESULT") : (reported.error ?? null);
    return {
      id,
      name,
      status: reported?.status ?? "failed",
      error: error === null ? null : wordsOfError(error),
      notes: (reported?.notes ?? []).map(ownWords),
      differences: reported?.differences ?? [],
    };
  });
}

/** Translates an error; the two reasons that are the same at every host have short words (rule N15). */
function wordsOfError(error: string): string {
  if (error === NOT_SELECTED) return t("panel.sound-not-selected");
  return error === DISMISSED ? t("panel.sound-dismissed") : ownWords(error);
}
