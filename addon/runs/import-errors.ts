/** The import was cancelled. Downloaded files stay; the host holds nothing of the package. */
export class ImportCancelledError extends Error {
  override readonly name = "ImportCancelledError";
  readonly code = "CANCELLED";

  constructor(options?: ErrorOptions) {
    super("The import was cancelled.", options);
  }
}
