/** An ability that a database may have: it tells how its writes get on, for metrics. */
export interface StoreWrites {
  /** Writes that were asked for and are not durable yet. */
  readonly waiting: number;
  /**
   * Calls `listener` after each write, refused ones too, with the milliseconds from the call to its answer. Returns a
   * function that stops it.
   */
  onWritten(listener: (ms: number) => void): () => void;
}
