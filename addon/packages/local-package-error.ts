/** The error when a folder isn't a package, or a file in it can't be used; the message is a sentence. */
export class LocalPackageError extends Error {
  override readonly name = "LocalPackageError";
  /** Not retryable. */
  readonly status = 404;
  /**
   * `FILE_ABSENT` or `IN_ICLOUD` of a file that isn't there (rule B8); `NO_PACKAGE` of a path without a package; else
   * undefined.
   */
  readonly code: LocalPackageCode | undefined;

  constructor(sentence: string, options: ErrorOptions & { readonly code?: LocalPackageCode } = {}) {
    super(sentence, options);
    this.code = options.code;
  }
}

export type LocalPackageCode = "FILE_ABSENT" | "IN_ICLOUD" | "NO_PACKAGE";
