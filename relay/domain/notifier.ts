/** What may have changed. */
export type Topic = `device:${string}` | `package:${string}` | `pairing:${string}`;

/** A message without state: its receiver reads the state again over HTTP (rule I3). */
export type Notification =
  | { readonly type: "packages.changed" }
  | { readonly type: "apps.changed" }
  | { readonly type: "code.used"; readonly app_name: string };

/**
 * Notifies listeners that something changed.
 *
 * The adapter's duty: a notification reaches every listener of its topic, in this process before
 * `notify` resolves; a listener that throws harms no other; a stopped one gets nothing more.
 * The caller's duty: notify only after the change is durable, and treat a notification as a hint.
 */
export interface Notifier {
  notify(topic: Topic, notification: Notification): Promise<void>;
  /** Starts listening; returns the function that stops it. */
  listen(topic: Topic, listener: (notification: Notification) => void): () => void;
}
