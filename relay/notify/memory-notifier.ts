import type { Doorbell, Ring, Topic } from "../domain/notifier.ts";

/** A doorbell within one process. */
export class MemoryDoorbell implements Doorbell {
  readonly #listeners = new Map<Topic, Set<(ring: Ring) => void>>();
  readonly #onTrouble: (error: unknown) => void;

  /** @param onTrouble told of what a listener threw */
  constructor(onTrouble: (error: unknown) => void) {
    this.#onTrouble = onTrouble;
  }

  async ring(topic: Topic, ring: Ring): Promise<void> {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // Whoever starts to listen meanwhile waits for the next ring; whoever stops hears no more.
    const listening = [...listeners];
    for (const hear of listening) {
      if (!listeners.has(hear)) continue;
      try {
        hear(ring);
      } catch (error) {
        this.#onTrouble(error);
      }
    }
  }

  listen(topic: Topic, hear: (ring: Ring) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // A function of its own, so that one listener may listen twice.
    const listener = (ring: Ring) => hear(ring);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) {
        this.#listeners.delete(topic);
      }
    };
  }
}
