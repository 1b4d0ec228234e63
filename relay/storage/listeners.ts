/** The listeners of one kind of event. */
export class Listeners<Arguments extends readonly unknown[] = []> {
  readonly #all = new Set<(...given: Arguments) => void>();

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (...given: Arguments) => void): () => void {
    // A new function for each call, so that the same listener can be added twice.
    const added = (...given: Arguments) => listener(...given);
    this.#all.add(added);
    return () => void this.#all.delete(added);
  }

  call(...given: Arguments): void {
    for (const listener of this.#all) listener(...given);
  }

  clear(): void {
    this.#all.clear();
  }
}
