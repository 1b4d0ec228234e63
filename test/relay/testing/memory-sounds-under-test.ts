import { MemoryDisk, MemorySounds } from "../../../docs/examples/stores/memory-sounds.ts";
import type { ListingSoundStore } from "../../../relay/domain/ports.ts";
import type { SoundStoreUnderTest } from "../../contracts/relay/sounds/sounds-case.ts";

/** The example's sound store. A power cut keeps its finished sounds, and nothing of the others. */
export async function makeMemorySounds(): Promise<SoundStoreUnderTest<ListingSoundStore>> {
  let disk = new MemoryDisk();
  return {
    open: async () => Object.assign(new MemorySounds(disk), { [Symbol.asyncDispose]: noop }),
    powerCut: async () => {
      const { finished } = disk;
      disk = new MemoryDisk();
      for (const [key, bytes] of finished) disk.finished.set(key, bytes);
    },
    [Symbol.asyncDispose]: noop,
  };
}

async function noop(): Promise<void> {}
