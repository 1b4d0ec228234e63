// Each message is for the operator: where, what happened, and what to do.

/** Returns what an error consists of: the errors of several calls that failed together, or the error alone. */
export function partsOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors.flatMap(partsOf) : [error];
}

/** The store ran out of space despite the reservation. */
export class StoreFullError extends Error {
  override readonly name = "StoreFullError";
}

/** Another program holds the store's lock for too long. Nothing was changed. */
export class StoreBusyError extends Error {
  override readonly name = "StoreBusyError";
}

/** The system keeps the store from its disk: the disk fails, is gone, read-only or not allowed. */
export class StoreTroubleError extends Error {
  override readonly name = "StoreTroubleError";
  /** The system's, such as `EIO`. */
  readonly code: string;

  constructor(message: string, { code, ...options }: ErrorOptions & { readonly code: string }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The store was exchanged, damaged or removed while the relay ran. Whether the change would last is unknown, so
 * it counts as not done. If it is the database, the relay ends. The message is a sentence for the operator.
 */
export class StoreLostError extends Error {
  override readonly name = "StoreLostError";
}

/** Checks whether a store has trouble that may end without a change of the program. */
export function isStoreError(error: unknown): boolean {
  const kinds = [StoreBusyError, StoreFullError, StoreLostError, StoreTroubleError];
  return kinds.some((kind) => error instanceof kind);
}
