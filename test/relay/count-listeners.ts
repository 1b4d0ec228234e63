import type { Notifier } from "../../relay/domain/ports.ts";

/** Counts the listeners that start from now on and have not stopped. */
export function countListeners(notifier: Notifier): () => number {
  const listening = new Set<object>();
  const listen = notifier.listen.bind(notifier);
  notifier.listen = (topic, listener) => {
    const one = {};
    listening.add(one);
    const stop = listen(topic, listener);
    return () => {
      listening.delete(one);
      stop();
    };
  };
  return () => listening.size;
}
