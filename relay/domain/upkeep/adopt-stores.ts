import { judgeInstance } from "./judge-instance.ts";
import { batchesOf } from "./batches.ts";
import { foundSounds, writeInstance } from "./bind-stores.ts";
import type { BoundSoundStore, Ports, QuarantiningSoundStore, StoreUpkeep } from "../ports.ts";
import {
  findLostFiles,
  findMisplacedSounds,
  findUnknownSounds,
  type LostFiles,
  markLost,
} from "./reconcile.ts";
import { makeId } from "../pairing/tokens.ts";

/** The parts of both stores that adopting needs. Nothing else may use them meanwhile. */
export interface AdoptableStores extends Pick<
  Ports,
  "packages" | "soundKeys" | "clock" | "randomBytes"
> {
  readonly upkeep: StoreUpkeep;
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
 * quarantine, files whose bytes are gone leave their packages, and both get one id. Deletes nothing. Can be run again
 * after a crash, because the ids change last.
 * @returns undefined if the relay doesn't refuse them; nothing was changed
 */
export async function adoptStores(stores: AdoptableStores): Promise<Adoption | undefined> {
  const { upkeep, sounds, clock, randomBytes } = stores;
  const database = await upkeep.read();
  const found = await foundSounds(stores);
  if (judgeInstance(database, found).kind !== "refuse") return undefined;
  const misplaced = await collectKeys(findMisplacedSounds(stores));
  for (const batch of batchesOf(misplaced)) await sounds.quarantine(batch, null);
  const quarantined = await quarantineUnknown(stores);
  const lost: LostFiles[] = [];
  for await (const each of findLostFiles(stores)) {
    await markLost(stores, each, clock.now());
    lost.push(each);
  }
  // Importers know a database that has served by its id; a new one must not pass for the old one.
  const kept = database.instance?.instanceId ?? (database.hasServed ? found.instanceId : undefined);
  const instanceId = kept ?? makeId("ins", randomBytes);
  await writeInstance({ upkeep, sounds }, instanceId);
  return { instanceId, putBack: misplaced.length, quarantined, lost };
}

async function quarantineUnknown(stores: AdoptableStores): Promise<Adoption["quarantined"]> {
  const { sounds, clock } = stores;
  const unknown: string[] = [];
  let bytes = 0;
  for await (const sound of findUnknownSounds(stores)) {
    if (!sound.isFinished) continue;
    unknown.push(sound.key);
    bytes += sound.bytes;
  }
  for (const batch of batchesOf(unknown)) await sounds.quarantine(batch, clock.now());
  return { sounds: unknown.length, bytes };
}

/** Lists all keys before anything moves, so that no listing meets a moved sound. */
async function collectKeys(sounds: AsyncIterable<{ readonly key: string }>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of sounds) keys.push(key);
  return keys;
}
