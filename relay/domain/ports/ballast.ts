/**
 * An ability that a database may have: space that it keeps aside and gives up when its disk is full, so that
 * small changes still succeed: a withdrawal, an import, a deletion (rule Z7).
 */
export interface Ballast {
  /** Calls the listener whenever a change met a full disk, until the returned function is called. */
  watch(onFull: () => void): () => void;
  /**
   * Keeps the space aside again if the disk has enough room. Resolves with whether it is kept.
   * @throws if the disk fails for another reason than lack of room
   */
  refill(): Promise<boolean>;
}
