import type { SoundKeys } from "../../relay/index.ts";
import { keysOf, type MemoryDatabase } from "./memory-database.ts";

/** The keys that no package has: pending and doomed ones (rule J2). */
export class MemorySoundKeys implements SoundKeys {
  readonly #tables: MemoryDatabase;
  readonly #changed: () => void;

  constructor(tables: MemoryDatabase, changed: () => void) {
    this.#tables = tables;
    this.#changed = changed;
  }

  async addPending(key: string, endsAt: number) {
    const { packages, pending, doomed } = this.#tables;
    const isPart = [...packages.values()].some((record) => keysOf(record).includes(key));
    if (isPart || pending.has(key) || doomed.has(key)) throw new Error(`${key} is in use.`);
    pending.set(key, endsAt);
    this.#changed();
  }

  async doomPending(time: number) {
    const { pending, doomed } = this.#tables;
    const ended = [...pending].filter(([, endsAt]) => endsAt <= time);
    for (const [key] of ended) {
      pending.delete(key);
      doomed.add(key);
    }
    if (ended.length > 0) this.#changed();
  }

  async listDoomed({ after = "", limit }: Parameters<SoundKeys["listDoomed"]>[0]) {
    const keys = [...this.#tables.doomed].filter((key) => key > after);
    return keys.toSorted().slice(0, limit);
  }

  async strike(keys: readonly string[]) {
    for (const key of keys) {
      this.#tables.pending.delete(key);
      this.#tables.doomed.delete(key);
    }
    this.#changed();
  }
}
