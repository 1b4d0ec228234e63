/** What a notification is about. */
export type Topic = `device:${string}` | `package:${string}` | `pairing:${string}`;

/** A notification carries no state: its receiver reads the state again over HTTP (rule I3). */
export type Notification =
  | { readonly type: "packages.changed" }
  | { readonly type: "apps.changed" }
  | { readonly type: "code.used"; readonly app_name: string };

/**
 * Notifies listeners that something changed.
 *
 * The adapter delivers each notification to every listener of its topic, in this process before `notify`
 * resolves. A listener that throws does not affect the others, and a stopped listener gets nothing more.
 * The caller notifies only after the change is durable, and treats a notification as a hint.
 */
export interface Notifier {
  notify(topic: Topic, notification: Notification): Promise<void>;
  /** Starts listening. Returns a function that stops it. */
  listen(topic: Topic, listener: (notification: Notification) => void): () => void;
}
