// Names from 0.1.0 that were renamed. They stay until the next major version.

import type { Notification, Notifier, Topic } from "./domain/ports/notifier.ts";

/** @deprecated Use `Notification`. */
export type { Notification as Ring } from "./domain/ports/notifier.ts";

/** @deprecated Use `Notifier`. */
export interface Doorbell {
  ring(topic: Topic, ring: Notification): Promise<void>;
  listen(topic: Topic, hear: (ring: Notification) => void): () => void;
}

/** Adapts a doorbell, passed to `buildRelay` under its old name, to the notifier port. */
export function notifierOf(doorbell: Doorbell): Notifier {
  return {
    notify: (topic, notification) => doorbell.ring(topic, notification),
    listen: (topic, listener) => doorbell.listen(topic, listener),
  };
}

/** @deprecated Use `RelayClock`. */
export type { RelayClock as Clock } from "./domain/ports/clock.ts";
