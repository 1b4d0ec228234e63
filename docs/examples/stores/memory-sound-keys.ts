import {
  type BegunPartial,
  packageOfKey,
  type EndedKeys,
  type KeptPartial,
  type KeyPage,
  type PartialSound,
  type PendingEnd,
  type SoundKeys,
} from "../../../relay/index.ts";
import { keysOf, type MemoryDatabase, takesFile } from "./memory-database.ts";

/** The keys that no package has: pending and doomed ones (rule J2). Some are partials (rule U10). */
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

  async beginPartial({ key, file }: BegunPartial) {
    const record = this.#tables.packages.get(packageOfKey(key));
    if (record === undefined || !takesFile(record, file)) return false;
    if (!this.#tables.pending.has(key)) throw new Error(`${key} isn't pending.`);
    const files = this.#filesOf(key);
    const isTaken = files.has(file) || this.#fileOf(key) !== undefined;
    if (isTaken) throw new Error(`${file} or ${key} has a partial already.`);
    files.set(file, { key, storedBytes: 0 });
    this.#changed();
    return true;
  }

  async findPartials(packageId: string) {
    const record = this.#tables.packages.get(packageId);
    if (record === undefined || record.filesDeleted) return undefined;
    return new Map(this.#tables.partials.get(packageId));
  }

  async keepPartial({ key, storedBytes, received }: KeptPartial) {
    const file = this.#fileOf(key);
    if (file === undefined) return false;
    this.#filesOf(key).set(file, { key, storedBytes });
    if (received.bytes > 0) this.#tables.received.push(received);
    this.#changed();
    return true;
  }

  async doom(keys: EndedKeys) {
    const { doomed } = this.#tables;
    const ended =
      "partial" in keys
        ? [keys.partial].filter((key) => this.#fileOf(key) !== undefined)
        : this.#endedBy(keys);
    this.#tables.forgetPending(ended);
    for (const key of ended) doomed.add(key);
    if (ended.length > 0) this.#changed();
  }

  async list({ after = "", limit, ...page }: KeyPage) {
    const keys = page.state === "doomed" ? [...this.#tables.doomed] : this.#endedBy(page);
    return keys
      .filter((key) => key > after)
      .toSorted()
      .slice(0, limit);
  }

  async remove(keys: readonly string[]) {
    this.#tables.forgetPending(keys);
    for (const key of keys) this.#tables.doomed.delete(key);
    this.#changed();
  }

  #endedBy({ endedBy, partialsEndedBy = endedBy }: PendingEnd): string[] {
    return [...this.#tables.pending]
      .filter(([, endsAt]) => endsAt <= endedBy)
      .filter(([key, endsAt]) => endsAt <= partialsEndedBy || this.#fileOf(key) === undefined)
      .map(([key]) => key);
  }

  #filesOf(key: string) {
    const { partials } = this.#tables;
    const files = partials.get(packageOfKey(key)) ?? new Map<string, PartialSound>();
    partials.set(packageOfKey(key), files);
    return files;
  }

  /** The file that a key is the partial of. */
  #fileOf(key: string): string | undefined {
    return [...this.#filesOf(key)].find(([, partial]) => partial.key === key)?.[0];
  }
}
