import type {
  PackageRecords,
  QuarantiningSoundStore,
  SoundKeys,
  StoreUpkeep,
} from "../domain/ports.ts";
import { batchesOf, keysOf } from "../domain/upkeep/batches.ts";
import { findLostFiles, type LostFiles, markLost } from "../domain/upkeep/reconcile.ts";

interface RepairableStores {
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly upkeep: StoreUpkeep;
  readonly sounds: QuarantiningSoundStore;
}

/** Keys of sounds to move. */
interface Repairable {
  readonly misplaced: readonly { readonly key: string }[];
  readonly unknown: readonly { readonly key: string }[];
}

/** The changes that a repair made. */
export interface Repairs {
  readonly putBack: readonly string[];
  readonly quarantined: readonly string[];
  readonly markedLost: readonly LostFiles[];
}

/**
 * Puts back quarantined sounds that a record knows, takes lost files out of their packages, and quarantines sounds
 * that no record knows, however many there are: an operator asked for it. Deletes nothing but empty folders. Safe
 * beside a running relay.
 */
export async function repair(
  stores: RepairableStores,
  { misplaced, unknown }: Repairable,
  wall: number,
): Promise<Repairs> {
  const { sounds, upkeep } = stores;
  const putBack = await forBatches(misplaced, async (keys) => {
    await sounds.quarantine(keys, null);
    return keys;
  });
  const since = Math.max(wall, (await upkeep.read()).time ?? 0);
  const markedLost: LostFiles[] = [];
  for await (const lost of findLostFiles(stores)) {
    await markLost(stores, lost, since);
    markedLost.push(lost);
  }
  const quarantined = await forBatches(unknown, async (keys) => {
    const stillUnknown = await upkeep.findUnknown(keys);
    await sounds.quarantine(stillUnknown, since);
    return stillUnknown;
  });
  await sounds.tidy();
  return { putBack, quarantined, markedLost };
}

/** Acts on keys in batches. Returns the keys that were acted on. */
async function forBatches(
  sounds: readonly { readonly key: string }[],
  act: (keys: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const done: string[] = [];
  for (const batch of batchesOf(sounds)) done.push(...(await act(keysOf(batch))));
  return done;
}
