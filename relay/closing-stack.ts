/**
 * What has to be closed again, in the reverse of the order in which it was opened. Node has this as
 * `AsyncDisposableStack` from version 24 on; the library promises 22.
 */
export class ClosingStack implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = [];

  /** Takes something that can be disposed of, and gives it back. */
  use<Resource extends Disposable | AsyncDisposable>(resource: Resource): Resource {
    this.defer(() =>
      Symbol.asyncDispose in resource
        ? resource[Symbol.asyncDispose]()
        : resource[Symbol.dispose](),
    );
    return resource;
  }

  /** Takes a step to be done at the end. */
  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Does every step, also when one fails; then throws what failed first. */
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
