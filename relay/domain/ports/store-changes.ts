/** Notices what other processes change in the store. */
export interface StoreChanges {
  /**
   * Calls `onChange` within a second after another process has changed something; it may also call it for no
   * reason. What the adapter itself caches is dropped by then. Returns a function that stops it.
   */
  watch(onChange: () => void): () => void;
  /**
   * True where reads never lag: then it calls for what a relay remembers beyond a call, and need not for anything else.
   * That is a renamed or removed device, a revoked token, an unpaired app, and what an operator decides.
   */
  readonly onlyRemembered?: boolean;
}
