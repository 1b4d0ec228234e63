import type { SoundResults } from "../../../core/protocol/package-status.ts";
import type {
  PanelFinishedRun,
  PanelPackage,
  PanelState,
  PanelUsablePackage,
} from "../../../core/protocol/panel-api.ts";

/** A package that can be imported, or a folder that can't. */
export interface WaitingPackage {
  readonly offered: PanelPackage;
  /** Why its last import on this computer failed. */
  readonly failure: Failure | null;
}

/** Why a run ended without an outcome. */
export type Failure = Extract<PanelFinishedRun["result"], { readonly error: string }>;

/** A finished import. */
export interface PastImport {
  readonly packageId: string;
  /** Absent for the importer's own host. */
  readonly otherHost?: string;
  readonly title: string;
  /** ISO 8601, UTC; null where only the relay knows it. */
  readonly at: string | null;
  /** From the run itself, or from the relay's report. */
  readonly result: PanelFinishedRun["result"] | { readonly results: SoundResults };
  /** The package to import again; null where it is gone, or offered elsewhere. */
  readonly offered: PanelUsablePackage | null;
}

/**
 * Groups packages by what a person can do with them, except those in an active run. Only the last import
 * of a package per host is listed; one that failed at the own host is shown at the waiting package.
 */
export function groupPackages({ packages, runs, finished }: PanelState): {
  readonly waiting: readonly WaitingPackage[];
  readonly past: readonly PastImport[];
} {
  const running = new Set(runs.map(({ packageId }) => packageId));
  const last = lastOfEach(finished);
  const own = new Map(last.filter(isOwn).map((run) => [run.packageId, run]));
  const idle = packages.filter(({ packageId }) => !running.has(packageId));
  const waiting = idle
    .filter((offered) => !isDone(offered))
    .map((offered) => ({ offered, failure: failureOf(own.get(offered.packageId)) }));

  const shownAbove = new Set(
    waiting.filter(({ failure }) => failure !== null).map(({ offered }) => offered.packageId),
  );
  const usable = new Map(idle.filter(isUsable).map((offered) => [offered.packageId, offered]));
  const runsToShow = last.filter(
    (run) => !running.has(run.packageId) && !(isOwn(run) && shownAbove.has(run.packageId)),
  );
  const listed = new Set(last.map(({ packageId }) => packageId));
  return {
    waiting,
    past: [
      ...runsToShow.map((run) => {
        const offered = usable.get(run.packageId) ?? null;
        // A package that is waiting, or was imported into the own host, has its button there.
        const isThere = own.has(run.packageId) || !isDone(offered);
        return fromRun(run, isOwn(run) || !isThere ? offered : null);
      }),
      ...[...usable.values()].filter(({ packageId }) => !listed.has(packageId)).flatMap(fromRelay),
    ],
  };
}

function fromRun(run: PanelFinishedRun, offered: PanelUsablePackage | null): PastImport {
  return { ...run, offered };
}

/** Returns the unique name of an import's card, valid as an element id. */
export function cardNameOf({
  packageId,
  otherHost,
}: Pick<PastImport, "packageId" | "otherHost">): string {
  return otherHost === undefined ? packageId : `${packageId}-${otherHost}`;
}

/** Returns the last run per package and host, newest first. */
function lastOfEach(finished: readonly PanelFinishedRun[]): readonly PanelFinishedRun[] {
  const names = finished.map(cardNameOf);
  return finished.filter((run, index) => names.indexOf(cardNameOf(run)) === index);
}

function isOwn({ otherHost }: PanelFinishedRun): boolean {
  return otherHost === undefined;
}

/** An import by another importer, or by this one long ago. */
function fromRelay(offered: PanelUsablePackage): readonly PastImport[] {
  const { packageId, title, results } = offered;
  if (!isDone(offered) || results === null) return [];
  return [{ packageId, title, at: null, result: { results }, offered }];
}

function isUsable(offered: PanelPackage): offered is PanelUsablePackage {
  return !("error" in offered);
}

function isDone(offered: PanelPackage | null): boolean {
  return (
    offered !== null &&
    isUsable(offered) &&
    ["imported", "partial", "failed"].includes(offered.status)
  );
}

function failureOf(run: PanelFinishedRun | undefined): Failure | null {
  return run !== undefined && "error" in run.result ? run.result : null;
}
