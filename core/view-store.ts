/** Holds a page's immutable view and notifies listeners of every change. */
export class ViewStore<View extends object> {
  readonly #listeners = new Set<() => void>();
  #view: View;

  constructor(first: View) {
    this.#view = first;
  }

  get view(): View {
    return this.#view;
  }

  /** Calls the listener after each change. Returns a function that unsubscribes it. */
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
