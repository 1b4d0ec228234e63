/** Notices what other processes change in the store. */
export interface StoreChanges {
  /**
   * Calls `onChange` within a second after another process has changed something; it may also call it for no
   * reason. What the adapter itself caches is dropped by then. Returns a function that stops it.
   */
  watch(onChange: () => void): () => void;
}
