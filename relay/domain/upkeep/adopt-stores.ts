import { all } from "./batches.ts";
import { foundSounds, writeInstance } from "./bind-stores.ts";
import { judgeInstance } from "./judge-instance.ts";
import type { BoundSoundStore, Ports, QuarantiningSoundStore } from "../ports.ts";
import { findMisplacedSounds, findUnknownSounds, type LostFiles } from "./reconcile.ts";
import { repair, type RepairableStores } from "./repair.ts";
import { makeId } from "../pairing/tokens.ts";

/** The parts of both stores that adopting needs. Nothing else may use them meanwhile. */
export interface AdoptableStores extends RepairableStores, Pick<Ports, "clock" | "randomBytes"> {
  readonly sounds: BoundSoundStore & QuarantiningSoundStore;
}

/** The result of adopting. */
export interface Adoption {
  readonly instanceId: string;
  /** Number of sounds that a record knows, and that left the quarantine. */
  readonly putBack: number;
  /** The sounds that no record knows. */
  readonly quarantined: { readonly sounds: number; readonly bytes: number };
  readonly lost: readonly LostFiles[];
}

/**
 * Binds a database and sounds that a relay refuses to use together (rule Z1): sounds that no record knows go into the
 * quarantine, files whose bytes are gone leave their packages, and both get one id. Deletes no sound. Can be run again
 * after a crash, because the ids change last.
 * @returns undefined if the relay doesn't refuse them; nothing was changed
 */
export async function adoptStores(stores: AdoptableStores): Promise<Adoption | undefined> {
  const { upkeep, sounds, clock, randomBytes } = stores;
  const database = await upkeep.read();
  const found = await foundSounds(stores);
  if (judgeInstance(database, found).kind !== "refuse") return undefined;
  const misplaced = await all(findMisplacedSounds(stores));
  const unknown = (await all(findUnknownSounds(stores))).filter(({ isFinished }) => isFinished);
  const repairs = await repair(stores, { misplaced, unknown }, clock.now());
  // Importers know a database that has served by its id; a new one must not pass for the old one.
  const kept = database.instance?.instanceId ?? (database.hasServed ? found.instanceId : undefined);
  const instanceId = kept ?? makeId("ins", randomBytes);
  await writeInstance({ upkeep, sounds }, instanceId);
  return {
    instanceId,
    putBack: misplaced.length,
    quarantined: {
      sounds: unknown.length,
      bytes: unknown.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    lost: repairs.markedLost,
  };
}
