/** The error when a folder isn't a package, or a file in it can't be used; the message is a sentence. */
export class LocalPackageError extends Error {
  override readonly name = "LocalPackageError";
  /** Not retryable. */
  readonly status = 404;
}
