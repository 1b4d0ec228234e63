import { inspect, isDeepStrictEqual } from "node:util";

/** A relay or an importer no longer has what it acknowledged. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

/** Compares what was acknowledged with what there is, and counts. */
export class Checks {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @throws {BrokenPromise} that names the fact, with what was found and promised */
  same(fact: string, found: unknown, promised: unknown): void {
    this.#count += 1;
    if (isDeepStrictEqual(found, promised)) return;
    throw new BrokenPromise(`${fact}: found ${inspect(found)}, promised ${inspect(promised)}`);
  }

  /** @throws {BrokenPromise} */
  holds(fact: string, isKept: boolean): void {
    this.#count += 1;
    if (!isKept) throw new BrokenPromise(fact);
  }

  /** Looks again until the fact holds. @throws {BrokenPromise} after a minute */
  async becomes(
    fact: string,
    look: () => Promise<unknown>,
    promised: unknown,
    { deadlineMs = 60_000 } = {},
  ): Promise<void> {
    const end = performance.now() + deadlineMs;
    let found = await look();
    while (!isDeepStrictEqual(found, promised) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      found = await look();
    }
    this.same(fact, found, promised);
  }
}
