// Names of 0.1.0 that have a new one. They stay until the next major version.

import type { Notification, Notifier, Topic } from "./domain/notifier.ts";

/** @deprecated Use `Notification`. */
export type { Notification as Ring } from "./domain/notifier.ts";

/** @deprecated Use `Notifier`. */
export interface Doorbell {
  ring(topic: Topic, ring: Notification): Promise<void>;
  listen(topic: Topic, hear: (ring: Notification) => void): () => void;
}

/** A doorbell that `buildRelay` was given under its old name, as the port it is now. */
export function notifierOf(doorbell: Doorbell): Notifier {
  return {
    notify: (topic, notification) => doorbell.ring(topic, notification),
    listen: (topic, listener) => doorbell.listen(topic, listener),
  };
}
