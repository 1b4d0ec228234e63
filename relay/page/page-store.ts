import { FIRST_VIEW, type PageView } from "./page-view.ts";

/** Holds what the page shows and tells who listens of every change. */
export class PageStore {
  readonly #listeners = new Set<() => void>();
  #view: PageView = FIRST_VIEW;

  get view(): PageView {
    return this.#view;
  }

  /** Calls the listener after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  change(change: Partial<PageView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
