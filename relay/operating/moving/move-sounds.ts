import { createHash } from "node:crypto";
import { batchesOf } from "../../domain/upkeep/batches.ts";
import type { SoundStore } from "../../domain/ports.ts";
import type { NamedSound } from "../../storage/sqlite/named-sounds.ts";
import { eachUntilOneFails } from "../../storage/disk/try-each.ts";
import type { OperatedSounds } from "../open-operated.ts";

export interface MovingSounds {
  readonly from: SoundStore;
  readonly to: OperatedSounds;
  readonly onSound: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies the sounds that aren't there yet, and hashes each on its way. One that isn't what was announced isn't copied.
 * @returns the keys of those
 */
export async function moveSounds(
  moving: MovingSounds,
  sounds: readonly NamedSound[],
): Promise<readonly string[]> {
  const damaged: string[] = [];
  for (const batch of batchesOf(sounds)) {
    const sizes = await moving.to.sizes(batch.map(({ key }) => key));
    const missing = batch.filter(({ key, bytes }) => sizes.get(key) !== bytes);
    // What an interrupted copy left would keep the key in use.
    await moving.to.delete(missing.map(({ key }) => key));
    const missingKeys = new Set(missing.map(({ key }) => key));
    await eachUntilOneFails(batch, async (sound) => {
      moving.signal?.throwIfAborted();
      const isNew = missingKeys.has(sound.key);
      if (isNew && !(await copySound(moving, sound))) damaged.push(sound.key);
      moving.onSound(isNew ? sound.bytes : 0);
    });
  }
  return damaged;
}

/** False if the sound's bytes are gone, or aren't those that were announced. */
async function copySound(
  { from, to }: MovingSounds,
  { key, bytes, sha256 }: NamedSound,
): Promise<boolean> {
  const pieces = await from.open(key, { start: 0, end: bytes - 1 });
  if (pieces === undefined) return false;
  const announced = { bytes, sha256, comesWhole: true };
  const writer = await to.create(key, announced);
  try {
    const hash = createHash("sha256");
    for await (const piece of pieces) {
      hash.update(piece);
      await writer.write(piece);
    }
    if (hash.digest("hex") !== sha256) {
      await writer.discard();
      return false;
    }
    await writer.finish();
    return true;
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}
