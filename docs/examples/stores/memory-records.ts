import type { RecordStore, StoreChanges } from "../../../relay/index.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import { MemoryPackages } from "./memory-packages.ts";
import { MemoryPairings } from "./memory-pairings.ts";
import { MemorySoundKeys } from "./memory-sound-keys.ts";

export { MemoryDatabase } from "./memory-database.ts";

/** One process's connection to the database. It caches nothing, so it has nothing to drop. */
export class MemoryRecords implements RecordStore, AsyncDisposable {
  readonly pairings: MemoryPairings;
  readonly packages: MemoryPackages;
  readonly soundKeys: MemorySoundKeys;
  readonly changes: StoreChanges;
  readonly #tables: MemoryDatabase;

  constructor(tables: MemoryDatabase) {
    const changed = () => tables.changedBy(this);
    this.#tables = tables;
    this.pairings = new MemoryPairings(tables, changed);
    this.packages = new MemoryPackages(tables, changed);
    this.soundKeys = new MemorySoundKeys(tables, changed);
    this.changes = {
      watch: (onChange) => {
        const watcher = { of: this, onChange };
        tables.watchers.add(watcher);
        return () => tables.watchers.delete(watcher);
      },
    };
  }

  async [Symbol.asyncDispose]() {
    for (const watcher of this.#tables.watchers) {
      if (watcher.of === this) this.#tables.watchers.delete(watcher);
    }
  }
}
