/** What a notification is about. */
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
 * The adapter delivers each notification to every listener of its topic: in this process before `notify`
 * resolves, and in every other process soon after. Where one may have been lost, it tells the listeners that
 * they may have missed something; a notification is never lost without that. A listener that throws does not
 * affect the others, and a stopped listener hears nothing more.
 *
 * The caller notifies only after the change is durable, treats a notification as a hint, and looks again by
 * itself every 30 seconds.
 */
export interface Notifier {
  /** What delays notifications between processes at present: a sentence for the operator. undefined if nothing does. */
  readonly trouble?: string | undefined;
  notify(topic: Topic, notification: Notification): Promise<void>;
  /** Starts listening. Returns a function that stops it. */
  listen(topic: Topic, listener: Listener): () => void;
  /** Tells every listener in this process that it may have missed something. */
  missed(): void;
}
