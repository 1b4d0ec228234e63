import { InstanceMismatch } from "./instance-mismatch.ts";
import {
  type FoundDatabase,
  type FoundSounds,
  type InstanceVerdict,
  judgeInstance,
} from "./judge-instance.ts";
import {
  type BoundSoundStore,
  isBound,
  type Ports,
  quarantines,
  type SoundStore,
  type StoreUpkeep,
} from "../ports.ts";
import { makeId } from "../pairing/tokens.ts";

/** A database and a sound store that can both remember their instance. */
export interface BindableStores {
  readonly upkeep: StoreUpkeep;
  readonly sounds: BoundSoundStore;
}

/** Returns the stores if both have the ability. */
export function bindableStores({
  upkeep,
  sounds,
}: Pick<Ports, "upkeep" | "sounds">): BindableStores | undefined {
  return upkeep !== undefined && isBound(sounds) ? { upkeep, sounds } : undefined;
}

/**
 * Makes sure that database and sounds belong together, and binds them where neither belongs to another (rule Z1).
 * Nothing may be deleted before. Several processes may do it at the same time: they agree on one id.
 * @returns their instance id
 * @throws {InstanceMismatch} if they don't; nothing was changed
 */
export async function bindStores(
  stores: BindableStores,
  randomBytes: Ports["randomBytes"],
): Promise<string> {
  let verdict = await judge(stores);
  // Another process may have bound them between the two looks. It writes to the database first.
  if (verdict.kind === "refuse") verdict = await judge(stores);
  if (verdict.kind === "refuse") throw new InstanceMismatch(verdict.reason);
  if (verdict.kind === "bound") return verdict.instanceId;
  const proposed = verdict.instanceId ?? makeId("ins", randomBytes);
  const instanceId = await stores.upkeep.proposeInstance(proposed);
  await writeInstance(stores, instanceId);
  return instanceId;
}

async function judge(stores: BindableStores): Promise<InstanceVerdict> {
  return judgeInstance(await stores.upkeep.read(), await foundSounds(stores));
}

/**
 * Checks the stores for a start that has not opened the database yet.
 * @param database undefined if there is none
 * @throws {InstanceMismatch} if it and the sounds don't belong together
 */
export async function refuseMismatch(
  database: FoundDatabase | undefined,
  sounds: BoundSoundStore,
): Promise<void> {
  const verdict = judgeInstance(database, await foundSounds({ sounds }));
  if (verdict.kind === "refuse") throw new InstanceMismatch(verdict.reason);
}

/**
 * Gives both the same id. The database is unbound until the sounds have it, so that a crash at any point is
 * completed by the next start.
 */
export async function writeInstance(
  { upkeep, sounds }: BindableStores,
  instanceId: string,
): Promise<void> {
  await upkeep.keep({ instance: { instanceId, isBound: false } });
  await sounds.keepInstance(instanceId);
  await upkeep.keep({ instance: { instanceId, isBound: true } });
}

export async function foundSounds({
  sounds,
}: Pick<BindableStores, "sounds">): Promise<FoundSounds> {
  return { instanceId: await sounds.readInstance(), holdsSounds: await holdsSounds(sounds) };
}

/** Checks whether a store holds any sound, finished or not, also in the quarantine. */
export async function holdsSounds(sounds: SoundStore): Promise<boolean> {
  for await (const _ of sounds.list()) return true;
  if (!quarantines(sounds)) return false;
  for await (const _ of sounds.listQuarantined()) return true;
  return false;
}
