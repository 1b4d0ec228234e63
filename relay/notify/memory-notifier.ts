import type { Listener, Missed, Notification, Notifier, Topic } from "../domain/ports.ts";

const MISSED: Missed = { type: "missed" };

/** Notifies listeners within one process. */
export class MemoryNotifier implements Notifier {
  readonly #listeners = new Map<Topic, Set<Listener>>();
  readonly #onError: (error: unknown) => void;

  /** Makes a notifier. @param onError called with a listener's error */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  async notify(topic: Topic, notification: Notification): Promise<void> {
    this.#tell(this.#listeners.get(topic) ?? new Set(), notification);
  }

  listen(topic: Topic, onHeard: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // A new function for each call, so that the same listener can be added twice.
    const listener: Listener = (heard) => onHeard(heard);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) {
        this.#listeners.delete(topic);
      }
    };
  }

  missed(): void {
    const topics = [...this.#listeners.values()];
    for (const listeners of topics) this.#tell(listeners, MISSED);
  }

  #tell(listeners: Set<Listener>, heard: Notification | Missed): void {
    // A listener added meanwhile waits for the next notification; a removed one gets no more.
    const listening = [...listeners];
    for (const listener of listening) {
      if (!listeners.has(listener)) continue;
      try {
        listener(heard);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
