/**
 * Closes resources in the reverse of the order they were opened in. Node has `AsyncDisposableStack` from
 * version 24 on, but the library supports Node 22.
 */
export class ClosingStack implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = [];

  use<Resource extends Disposable | AsyncDisposable>(resource: Resource): Resource {
    this.defer(() =>
      Symbol.asyncDispose in resource
        ? resource[Symbol.asyncDispose]()
        : resource[Symbol.dispose](),
    );
    return resource;
  }

  /** Adds a step to run on disposal. */
  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Runs every step, even after one fails, then throws the first error. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
