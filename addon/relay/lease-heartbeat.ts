import type { RelayPort } from "./relay-port.ts";
import type { Timers } from "../concurrency/timers.ts";

/** A lease lives for five minutes; a run that works says so every minute (rule S2). */
const BEAT_MS = 60_000;

/** A run's hold on a package. */
export interface Lease {
  readonly packageId: string;
  readonly runId: string;
}

/** Renews a run's hold each minute; gives the function that ends it. */
export function keepLease(
  { packageId, runId }: Lease,
  relay: Pick<RelayPort, "take">,
  timers: Timers,
): () => void {
  let isOver = false;
  let cancelBeat: (() => void) | undefined;
  const beatLater = () => {
    if (isOver) return;
    cancelBeat = timers.after(BEAT_MS, () => {
      // A beat that fails is made up for by the next one: the lease outlives several. Whether the
      // package is lost for good, the run's own calls find out.
      relay.take(packageId, { run_id: runId }).then(beatLater, beatLater);
    });
  };
  beatLater();
  return () => {
    isOver = true;
    cancelBeat?.();
  };
}
