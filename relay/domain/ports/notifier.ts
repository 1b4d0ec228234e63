/** The subject of a notification. */
export type Topic = `device:${string}` | `package:${string}` | `pairing:${string}`;

/** A notification carries no state: its receiver reads the state again over HTTP (rule I3). */
export type Notification =
  | { readonly type: "packages.changed" }
  | { readonly type: "apps.changed" }
  | { readonly type: "pairing.asked" }
  | { readonly type: "code.used"; readonly app_name: string };

/** Notifications may have been lost. A listener that gets this reads the state again. */
export interface Missed {
  readonly type: "missed";
}

export type Listener = (heard: Notification | Missed) => void;

/**
 * Notifies listeners that something changed.
 *
 * The adapter delivers each notification to every listener of its topic: in this process before `notify` resolves, and
 * in every other process soon after. If one may have been lost, it tells the listeners that they may have missed
 * something; no notification is lost without that. A listener that throws does not affect the others, and a stopped
 * listener hears nothing more.
 *
 * The caller notifies only after the change is durable, treats a notification as a hint, and looks again every 30
 * seconds anyway.
 */
export interface Notifier {
  /**
   * The present cause of delayed notifications between processes, as a sentence for the operator; undefined if there is
   * none.
   */
  readonly trouble?: string | undefined;
  notify(topic: Topic, notification: Notification): Promise<void>;
  /** Starts listening. Returns a function that stops it. */
  listen(topic: Topic, listener: Listener): () => void;
  /** Tells every listener in this process that it may have missed something. */
  missed(): void;
}
