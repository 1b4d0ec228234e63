import type { WriteOptions } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

/** Notices whether a database was used, so that an idle relay writes nothing (rule Z17). */
export class DatabaseUse {
  readonly #engine: Pick<Engine, "use">;
  /** Its use after the last write with options, and what is no use. */
  #left: string | undefined;

  constructor(engine: Pick<Engine, "use">) {
    this.#engine = engine;
  }

  /** Writes. With `onlyIfUsed` only if something was written since the last write with options, or failed. */
  async write(act: () => Promise<void>, options?: WriteOptions): Promise<void> {
    if (options?.onlyIfUsed === true && this.#isLeft()) return;
    await act();
    if (options !== undefined) this.#left = this.#engine.use?.();
  }

  /** Tries a write, which counts as use. With `onlyIfUsed` only if `write` would. */
  async attempt(act: () => Promise<void>, options?: WriteOptions): Promise<void> {
    if (options?.onlyIfUsed !== true || !this.#isLeft()) await act();
  }

  /** Writes something that is no use. */
  async aside(act: () => Promise<void>): Promise<void> {
    const wasLeft = this.#isLeft();
    await act();
    if (wasLeft) this.#left = this.#engine.use?.();
  }

  #isLeft(): boolean {
    return this.#left !== undefined && this.#engine.use?.() === this.#left;
  }
}
