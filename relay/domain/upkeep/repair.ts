import type { PackageRecords, QuarantiningSoundStore, SoundKeys, StoreUpkeep } from "../ports.ts";
import { batchesOf, keysOf } from "./batches.ts";
import { findLostFiles, type LostFiles, markLost } from "./reconcile.ts";

export interface RepairableStores {
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly upkeep: StoreUpkeep;
  readonly sounds: QuarantiningSoundStore;
}

/** Sounds to move. They are listed before anything moves, so that no listing meets a moved sound. */
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
 * @param since relay time, for the quarantine
 */
export async function repair(
  stores: RepairableStores,
  { misplaced, unknown }: Repairable,
  since: number,
): Promise<Repairs> {
  const { sounds, upkeep } = stores;
  for (const batch of batchesOf(misplaced)) await sounds.quarantine(keysOf(batch), null);
  const markedLost: LostFiles[] = [];
  for await (const lost of findLostFiles(stores)) {
    await markLost(stores, lost, since);
    markedLost.push(lost);
  }
  const quarantined: string[] = [];
  for (const batch of batchesOf(unknown)) {
    const stillUnknown = await upkeep.findUnknown(keysOf(batch));
    await sounds.quarantine(stillUnknown, since);
    quarantined.push(...stillUnknown);
  }
  await sounds.tidy();
  return { putBack: keysOf(misplaced), quarantined, markedLost };
}
