// Names from 0.1.0 that were renamed. They stay until the next major version.

import type { Listener, Notification, Notifier, Topic } from "./domain/ports/notifier.ts";

/** @deprecated Use `Notification`. */
export type { Notification as Ring } from "./domain/ports/notifier.ts";

/** @deprecated Use `Notifier`. */
export interface Doorbell {
  ring(topic: Topic, ring: Notification): Promise<void>;
  listen(topic: Topic, hear: (ring: Notification) => void): () => void;
}

/** Whether a notifier is given, under its new name or its old one. */
export function givesNotifier(given: {
  readonly notifier?: unknown;
  readonly doorbell?: unknown;
}): boolean {
  return given.notifier !== undefined || given.doorbell !== undefined;
}

/**
 * Adapts a doorbell, passed to `buildRelay` under its old name, to the notifier port. A doorbell can't say
 * that something may have been missed, so the adapter knows the listeners of this process.
 * @param onError called with what a listener throws when it hears that
 */
export function notifierOf(doorbell: Doorbell, onError: (error: unknown) => void): Notifier {
  const listeners = new Map<symbol, Listener>();
  return {
    notify: (topic, notification) => doorbell.ring(topic, notification),
    listen: (topic, listener) => {
      const id = Symbol(topic);
      listeners.set(id, listener);
      const stop = doorbell.listen(topic, listener);
      return () => {
        listeners.delete(id);
        stop();
      };
    },
    missed: () => {
      const listening = [...listeners];
      for (const [id, listener] of listening) {
        if (!listeners.has(id)) continue;
        try {
          listener({ type: "missed" });
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** @deprecated Use `RelayClock`. */
export type { RelayClock as Clock } from "./domain/ports/clock.ts";
