/** What may have changed. */
export type Topic = `device:${string}` | `package:${string}` | `pairing:${string}`;

/** A message without state: whoever hears it reads the state anew (rule I3). */
export type Ring =
  | { readonly type: "packages.changed" }
  | { readonly type: "apps.changed" }
  | { readonly type: "code.used"; readonly app_name: string };

/**
 * Tells listeners that something changed.
 *
 * The adapter's duty: a ring reaches every listener of its topic, in this process before `ring`
 * resolves; a listener that throws harms no other; one that was stopped hears nothing more.
 * The caller's duty: ring only after the change is durable, and treat a ring as a hint.
 */
export interface Doorbell {
  ring(topic: Topic, ring: Ring): Promise<void>;
  /** Starts listening; gives the function that stops it. */
  listen(topic: Topic, hear: (ring: Ring) => void): () => void;
}
