import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import type { Host } from "../hosts/host.ts";
import { type PackageSource, reporterOf } from "../packages/package-source.ts";
import type { Outbox } from "../relay/outbox.ts";
import { mergeEarlier } from "../../core/report/merge-earlier.ts";
import { earlierReportStands, resultsAnywhere } from "./earlier-results.ts";
import { soundResults } from "../../core/report/import-outcome.ts";
import type { Journal } from "./journal.ts";
import type { RunRecord } from "./journal-lines.ts";
import type { EndedRun } from "./late-looks.ts";

interface RunToEnd {
  readonly host: Host;
  readonly source: PackageSource;
  readonly outbox: Pick<Outbox, "put" | "tryDeliver">;
  readonly journal: Journal;
  /** The record of the package before the run. */
  readonly before: RunRecord;
  /** Ids of the sounds that the run was about; undefined for all. */
  readonly soundIds: readonly string[] | undefined;
  /** True if an interrupted run may have left sounds in a host that can't resume it. */
  readonly hasLeftovers: boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

type StoredEnd = Omit<EndedRun, "resultsOf"> & {
  /** Returns the results of the sounds that the run was about. */
  readonly ownResults: (outcome: ImportOutcome) => SoundResults;
};

/** Reports a run's results and ends its journal. @param outcome of this run alone */
export async function endRun(outcome: ImportOutcome, run: RunToEnd): Promise<StoredEnd> {
  const { host, source, outbox, journal, before, soundIds, hasLeftovers } = run;
  const { packageId, listed } = source;
  const reportsTo = reporterOf(source);
  const { status } = outcome;
  const isFailed = status === "failed";
  const isChosen = (id: string) => soundIds?.includes(id) ?? true;
  const ownResults = ({ tracks }: ImportOutcome) =>
    soundResults(tracks.filter(({ id }) => isChosen(id)));
  const results = ownResults(outcome);
  const about = { host, runId: journal.runId, packageId, reportsTo, results, ownResults };
  const recordUnfinished = () => journal.recordUnfinished({ keepsEarlier: hasLeftovers });
  const earlier = resultsAnywhere(before, host, listed?.results);
  if (reportsTo !== undefined && isFailed && earlierReportStands(before, { earlier, soundIds })) {
    // An earlier report says that the package is in a host, which is still true (rule R7).
    recordUnfinished();
    return { ...about, reported: undefined };
  }
  const isOver = !isFailed || !hasLeftovers;
  const how = { results, replacesEarlier: host.can.replacesEarlier === true && !isFailed };
  const reported = soundResults(mergeEarlier(outcome, { isChosen, earlier }).tracks);
  if (reportsTo !== undefined) {
    const end = isOver ? journal.reportedEnd(status, how) : undefined;
    await outbox.put(packageId, reported, reportsTo, end);
  }
  if (isOver) journal.noteEnd(status, how);
  else recordUnfinished();
  if (reportsTo === undefined) return { ...about, reported: undefined };
  const isKnown = await outbox.tryDeliver(packageId, reportsTo);
  run.onProgress({ phase: "reported", isKnown });
  return { ...about, reported };
}
