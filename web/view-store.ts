/** Holds what a page shows at one moment, never changed but replaced, and tells who listens of every change. */
export class ViewStore<View extends object> {
  readonly #listeners = new Set<() => void>();
  #view: View;

  constructor(first: View) {
    this.#view = first;
  }

  get view(): View {
    return this.#view;
  }

  /** Calls the listener after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  change(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
