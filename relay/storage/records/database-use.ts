import type { WriteOptions } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";

/** Notices whether a database was used, so that an idle relay writes nothing (rule Z17). */
export class DatabaseUse {
  readonly #engine: Pick<Engine, "use">;
  /** Its use after the last write that is only made where there was some. */
  #left: string | undefined;

  constructor(engine: Pick<Engine, "use">) {
    this.#engine = engine;
  }

  /** Writes. With `onlyIfUsed` only if something else was written since, or failed. */
  async write(act: () => Promise<void>, { onlyIfUsed = false }: WriteOptions = {}): Promise<void> {
    if (onlyIfUsed && this.#isLeft()) return;
    await act();
    if (onlyIfUsed) this.#left = this.#engine.use?.();
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
