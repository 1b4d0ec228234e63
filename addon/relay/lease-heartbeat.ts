import type { RelayPort } from "./relay-port.ts";
import type { Timers } from "../concurrency/timers.ts";

/** A lease lasts five minutes; an active run renews it every minute (rule S2). */
const BEAT_MS = 60_000;

export interface Lease {
  readonly packageId: string;
  readonly runId: string;
}

/** Renews a lease every minute until the returned function is called. */
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
      // A failed heartbeat needs no handling: the lease outlives several of them, and the run's own
      // calls notice when the package is gone.
      relay.take(packageId, { run_id: runId }).then(beatLater, beatLater);
    });
  };
  beatLater();
  return () => {
    isOver = true;
    cancelBeat?.();
  };
}
