/**
 * Ctrl-C under npm arrives twice, from the terminal and from npm. SIGTERM to a whole group of processes does so within
 * some milliseconds; another one that comes later was meant.
 */
const SAME_SIGNAL_MS = { SIGINT: 1000, SIGTERM: 200, SIGHUP: 1000 } as const;

/** The requests that a program gets by its process's signals. */
export interface StopSignals {
  /** Aborts on the first signal. */
  readonly asked: AbortSignal;
  /** Aborts when the program must not wait for anything. */
  readonly now: AbortSignal;
}

/** Returns a signal that aborts on the first request to stop. A second one ends the process. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  onSignals((signal, count) => {
    if (count === 1) stop.abort(new Error("Stopped."));
    else endBy(signal);
  });
  return stop.signal;
}

/**
 * Listens to signals for a program that finishes its work: SIGTERM asks it to stop. A second signal, and Ctrl-C or
 * hanging up in a terminal, make it stop at once; one more ends the process (rule K11).
 */
export function stopSignals(): StopSignals {
  const asked = new AbortController();
  const now = new AbortController();
  // A terminal that hung up no longer counts as one.
  const hasTerminal = process.stdin.isTTY;
  onSignals((signal, count) => {
    const isHasty = count > 1 || (hasTerminal && signal !== "SIGTERM");
    if (isHasty && now.signal.aborted) endBy(signal);
    if (isHasty) now.abort(new Error("Stopped at once."));
    asked.abort(new Error("Stopped."));
  });
  return { asked: asked.signal, now: now.signal };
}

/** Calls `onSignal` with each signal to stop and how many there were. Copies of one count as one. */
function onSignals(onSignal: (signal: NodeJS.Signals, count: number) => void): void {
  let count = 0;
  for (const [each, sameMs] of Object.entries(SAME_SIGNAL_MS)) {
    let heardAt = -Infinity;
    process.on(each, (signal: NodeJS.Signals) => {
      if (performance.now() - heardAt < sameMs) return;
      heardAt = performance.now();
      count += 1;
      onSignal(signal, count);
    });
  }
}

/** Ends the process as the signal does without listeners. */
function endBy(signal: NodeJS.Signals): void {
  for (const each of Object.keys(SAME_SIGNAL_MS)) process.removeAllListeners(each);
  process.kill(process.pid, signal);
}

/** Resolves when the signal aborts; keeps the process alive until then. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const alive = setInterval(() => {}, 2 ** 30);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  clearInterval(alive);
}
