import type { SoundResults } from "../../../core/package-status.ts";
import type {
  PanelFinishedRun,
  PanelPackage,
  PanelState,
  PanelUsablePackage,
} from "../../../core/protocol/panel-api.ts";

/** A package that can be imported, or a folder that can't. */
export interface WaitingPackage {
  readonly offered: PanelPackage;
  /** Why its last import on this computer came to nothing. */
  readonly failure: Failure | null;
}

/** Why a run ended without an outcome. */
export type Failure = Extract<PanelFinishedRun["result"], { readonly error: string }>;

/** An import that is over. */
export interface PastImport {
  readonly packageId: string;
  readonly title: string;
  /** ISO 8601, UTC; null where only the relay remembers it. */
  readonly at: string | null;
  /** What came of it: told by the run itself, or what the relay was told. */
  readonly result: PanelFinishedRun["result"] | { readonly results: SoundResults };
  /** What to import again; null where it is gone. */
  readonly offered: PanelUsablePackage | null;
}

/**
 * Sorts the packages by what a person can do with them; one that is being imported now is in neither
 * list. Of several imports of a package only the last is told, and one that came to nothing is told
 * where the package still waits.
 */
export function groupPackages({ packages, runs, finished }: PanelState): {
  readonly waiting: readonly WaitingPackage[];
  readonly past: readonly PastImport[];
} {
  const running = new Set(runs.map(({ packageId }) => packageId));
  const last = lastOfEach(finished);
  const idle = packages.filter(({ packageId }) => !running.has(packageId));
  const waiting = idle
    .filter((offered) => !isDone(offered))
    .map((offered) => ({ offered, failure: failureOf(last.get(offered.packageId)) }));

  const toldAbove = new Set(
    waiting.filter(({ failure }) => failure !== null).map(({ offered }) => offered.packageId),
  );
  const usable = new Map(idle.filter(isUsable).map((offered) => [offered.packageId, offered]));
  const runsToTell = [...last.values()].filter(
    ({ packageId }) => !running.has(packageId) && !toldAbove.has(packageId),
  );
  return {
    waiting,
    past: [
      ...runsToTell.map(({ packageId, title, at, result }) => ({
        packageId,
        title,
        at,
        result,
        offered: usable.get(packageId) ?? null,
      })),
      ...[...usable.values()].filter(({ packageId }) => !last.has(packageId)).flatMap(fromRelay),
    ],
  };
}

function lastOfEach(finished: readonly PanelFinishedRun[]): Map<string, PanelFinishedRun> {
  const last = new Map<string, PanelFinishedRun>();
  for (const run of finished) if (!last.has(run.packageId)) last.set(run.packageId, run);
  return last;
}

/** An import that another importer did, or this one long ago. */
function fromRelay(offered: PanelUsablePackage): readonly PastImport[] {
  const { packageId, title, results } = offered;
  if (!isDone(offered) || results === null) return [];
  return [{ packageId, title, at: null, result: { results }, offered }];
}

function isUsable(offered: PanelPackage): offered is PanelUsablePackage {
  return !("error" in offered);
}

function isDone(offered: PanelPackage): boolean {
  return isUsable(offered) && ["imported", "partial", "failed"].includes(offered.status);
}

function failureOf(run: PanelFinishedRun | undefined): Failure | null {
  return run !== undefined && "error" in run.result ? run.result : null;
}
