import type { StoreWrites } from "../../domain/ports.ts";

/** Counts the writes that run, and measures each. */
export class MeasuredWrites implements StoreWrites {
  #waiting = 0;
  readonly #listeners = new Set<(ms: number) => void>();

  get waiting(): number {
    return this.#waiting;
  }

  onWritten(listener: (ms: number) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The same object, whose calls with these names are measured. */
  measure<Thing extends object>(thing: Thing, names: readonly (keyof Thing & string)[]): Thing {
    const measured: ReadonlySet<string | symbol> = new Set(names);
    return new Proxy(thing, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function" || !measured.has(key)) return member;
        return (...args: unknown[]): unknown =>
          this.#measure(async () => Reflect.apply(member, target, args));
      },
    });
  }

  async #measure(write: () => unknown): Promise<unknown> {
    const began = performance.now();
    this.#waiting += 1;
    try {
      return await write();
    } finally {
      this.#waiting -= 1;
      for (const listener of this.#listeners) listener(performance.now() - began);
    }
  }
}
