import type { Notification, Notifier, Topic } from "../domain/notifier.ts";

/** Notifies listeners within one process. */
export class MemoryNotifier implements Notifier {
  readonly #listeners = new Map<Topic, Set<(notification: Notification) => void>>();
  readonly #onError: (error: unknown) => void;

  /** @param onError called with what a listener throws */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  async notify(topic: Topic, notification: Notification): Promise<void> {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // A listener added meanwhile waits for the next notification; a removed one gets no more.
    const listening = [...listeners];
    for (const listener of listening) {
      if (!listeners.has(listener)) continue;
      try {
        listener(notification);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  listen(topic: Topic, onNotification: (notification: Notification) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // A new function for each call, so that the same listener can be added twice.
    const listener = (notification: Notification) => onNotification(notification);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) {
        this.#listeners.delete(topic);
      }
    };
  }
}
