import type { UseCases } from "./use-cases.ts";

/** Counts from now on who listens for notifications. */
export function countListeners({ context: { notifier } }: Pick<UseCases, "context">): {
  readonly count: number;
} {
  const listening = { count: 0 };
  const listen = notifier.listen.bind(notifier);
  notifier.listen = (...of) => {
    const stop = listen(...of);
    listening.count += 1;
    return () => {
      listening.count -= 1;
      stop();
    };
  };
  return listening;
}
