import { createHash } from "node:crypto";
import { BATCH, pagesOf } from "../../domain/upkeep/batches.ts";
import { eachUntilOneFails } from "../../storage/disk/try-each.ts";
import type { Engine } from "../../storage/records/engine.ts";
import { listNamedPartials, type NamedPartial } from "../../storage/records/named-partials.ts";
import type { NamedSound } from "../../storage/records/named-sounds.ts";
import { namedSounds } from "../named-sounds.ts";
import type { OperatedSounds } from "../open-operated.ts";
import type { MoveStores } from "./move-stores.ts";

interface MovingSounds {
  readonly from: MoveStores;
  readonly to: OperatedSounds;
  readonly onSound: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Counts the sounds of all packages. */
export async function countSounds(
  engine: Engine,
): Promise<{ readonly sounds: number; readonly bytes: number }> {
  let [sounds, bytes] = [0, 0];
  for await (const batch of soundsOf(engine)) {
    sounds += batch.length;
    bytes += batch.reduce((sum, one) => sum + one.bytes, 0);
  }
  return { sounds, bytes };
}

function soundsOf(engine: Engine) {
  return namedSounds((work) => engine.readSlowly(work));
}

/**
 * Copies the sounds that aren't there yet, and hashes each on its way. A sound that differs from its announcement
 * isn't copied.
 * @returns the keys of those
 */
export async function moveSounds(moving: MovingSounds): Promise<readonly string[]> {
  const damaged: string[] = [];
  for await (const batch of soundsOf(moving.from.records.engine)) {
    const sizes = await moving.to.sizes(batch.map(({ key }) => key));
    const missing = batch.filter(({ key, bytes }) => sizes.get(key) !== bytes);
    // A leftover of an interrupted copy would keep the key in use.
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

/** Copies a sound. Returns false if its bytes are gone, or differ from their announcement. */
async function copySound(
  { from, to }: MovingSounds,
  { key, bytes, sha256 }: NamedSound,
): Promise<boolean> {
  const writer = await to.create(key, { bytes, sha256 });
  try {
    const hash = createHash("sha256");
    const pieces = await from.sounds.open(key, { start: 0, end: bytes - 1 });
    for await (const piece of pieces ?? []) {
      hash.update(piece);
      await writer.write(piece);
    }
    const isWhole = pieces !== undefined && hash.digest("hex") === sha256;
    await (isWhole ? writer.finish() : writer.discard());
    return isWhole;
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}

/** The outcome for files that are sent in several calls. */
export interface MovedPartials {
  /** Number of files that continue at the target. */
  readonly copied: number;
  /** Keys of the others: nothing of these files has arrived, or it is gone. They are sent again from their beginning. */
  readonly dropped: ReadonlySet<string>;
  /** Number of these files of which something had arrived. */
  readonly restarted: number;
}

/** Copies what has arrived of files that are sent in several calls. */
export async function movePartials(moving: MovingSounds): Promise<MovedPartials> {
  const dropped = new Set<string>();
  let [copied, restarted] = [0, 0];
  const { engine } = moving.from.records;
  const pages = pagesOf<NamedPartial>((last) =>
    engine.readSlowly(listNamedPartials({ after: last?.key, limit: BATCH })),
  );
  for await (const page of pages) {
    for (const partial of page) {
      moving.signal?.throwIfAborted();
      const hasBegun = partial.storedBytes > 0;
      if (hasBegun && (await copyPartial(moving, partial))) copied += 1;
      else dropped.add(partial.key);
      if (hasBegun && dropped.has(partial.key)) restarted += 1;
    }
  }
  return { copied, dropped, restarted };
}

/** Copies a partial from its beginning: after a power cut, the bytes of an interrupted copy may be others. */
async function copyPartial(
  { from, to }: MovingSounds,
  { key, storedBytes, bytes, sha256 }: NamedPartial,
): Promise<boolean> {
  const source = await from.sounds.resume(key);
  if (source === undefined) return false;
  try {
    if (source.storedBytes < storedBytes) return false;
    await to.delete([key]);
    const writer = await to.create(key, { bytes, sha256 });
    try {
      let left = storedBytes;
      for await (const piece of source.read()) {
        if (left > 0) await writer.write(piece.subarray(0, left));
        left -= piece.length;
      }
    } catch (error) {
      await writer.discard().catch(() => {});
      throw error;
    }
    return (await writer.suspend()) === storedBytes;
  } finally {
    await source.writer.suspend();
  }
}
