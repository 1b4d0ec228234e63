import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BindableStores, bindStores } from "../../../../relay/domain/upkeep/bind-stores.ts";
import type {
  BoundSoundStore,
  StoredInstance,
  StoreUpkeep,
} from "../../../../relay/domain/ports.ts";
import { systemRandomBytes } from "../../../../relay/storage/system.ts";
import { seeded } from "../../../contracts/relay/records/seeded.ts";
import { randomSeeds } from "../../../runner/random-seed.ts";
import { MemoryDisk, MemorySounds } from "../../../../docs/examples/stores/memory-sounds.ts";
import { sqliteInMemory } from "../sqlite-in-memory.ts";

/** Database and sounds that several processes share, each of whose calls takes a while of its own. */
function sharedStores(seed: number): BindableStores & { readonly close: () => void } {
  const random = seeded(seed);
  const pause = async () => {
    for (let turns = random.below(6); turns > 0; turns -= 1) await nextTurn();
  };
  const { upkeep, close } = sqliteInMemory();
  let instance: StoredInstance | undefined;
  let ofSounds: string | undefined;
  const keep: StoreUpkeep["keep"] = async ({ instance: next }) => {
    await pause();
    instance = next;
    await pause();
  };
  const sounds: BoundSoundStore = Object.assign(new MemorySounds(new MemoryDisk()), {
    readInstance: async () => {
      await pause();
      return ofSounds;
    },
    keepInstance: async (instanceId: string) => {
      await pause();
      ofSounds = instanceId;
      await pause();
    },
  });
  return {
    upkeep: {
      ...upkeep,
      read: async () => {
        await pause();
        return { ...(await upkeep.read()), instance };
      },
      keep,
      proposeInstance: async (instanceId) => {
        await pause();
        instance ??= { instanceId, isBound: false };
        return instance.instanceId;
      },
    },
    sounds,
    close,
  };
}

test("[Z1] ten relays that start at once on new stores agree on one instance", async () => {
  for (const seed of randomSeeds(50)) {
    const { upkeep, sounds, close } = sharedStores(seed);
    const starts = Array.from({ length: 10 }, () =>
      bindStores({ upkeep, sounds }, systemRandomBytes),
    );
    const ids = new Set(await Promise.all(starts));
    expect([seed, ids.size]).toEqual([seed, 1]);
    expect((await upkeep.read()).instance).toEqual({ instanceId: [...ids][0], isBound: true });
    expect(await sounds.readInstance()).toBe([...ids][0]);
    close();
  }
});
