/** A folder that is no package, or a file of it that can't be used; the message is a sentence. */
export class LocalPackageError extends Error {
  override readonly name = "LocalPackageError";
  /** Trying again changes nothing. */
  readonly status = 404;
}
