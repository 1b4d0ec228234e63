/** Ctrl-C under npm arrives twice, from the terminal and from npm. */
const SAME_KEY_PRESS_MS = 1000;

/** Aborts on the first signal to stop. A second one, over a second later, ends the process. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let askedAt: number | undefined;
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const ask = (signal: NodeJS.Signals): void => {
    askedAt ??= performance.now();
    stop.abort(new Error("Stopped."));
    if (performance.now() - askedAt < SAME_KEY_PRESS_MS) return;
    for (const each of signals) process.removeListener(each, ask);
    process.kill(process.pid, signal);
  };
  for (const each of signals) process.on(each, ask);
  return stop.signal;
}

/** Resolves when the signal aborts; keeps the process alive until then. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const alive = setInterval(() => {}, 2 ** 30);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  clearInterval(alive);
}
