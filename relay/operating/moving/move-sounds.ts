import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { ResumedSound, SoundStore } from "../../domain/ports.ts";
import { batchesOf } from "../../domain/upkeep/batches.ts";
import { eachUntilOneFails } from "../../storage/disk/try-each.ts";
import { number, text } from "../../storage/rows.ts";
import type { NamedSound } from "../../storage/sqlite/records-beside.ts";
import type { OperatedSounds } from "../open-operated.ts";

interface MovingSounds {
  readonly from: SoundStore;
  readonly to: OperatedSounds;
  readonly onSound: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies the sounds that aren't there yet, and hashes each on its way. A sound that differs from its announcement
 * isn't copied.
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

/** A file that is sent in several calls. */
interface MovedPartial {
  readonly key: string;
  readonly storedBytes: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Copies the received bytes of files that are sent in several calls, so that no app is answered a smaller offset.
 * @returns the keys of those whose bytes are gone: their files are sent again from their beginning
 */
export async function movePartials(
  source: DatabaseSync,
  {
    from,
    to,
    signal,
  }: {
    readonly from: OperatedSounds;
    readonly to: OperatedSounds;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadonlySet<string>> {
  const dropped = new Set<string>();
  for (const partial of partialsIn(source)) {
    signal?.throwIfAborted();
    if (partial.storedBytes === 0 || !(await copyPartial(from, to, partial))) {
      dropped.add(partial.key);
    }
  }
  return dropped;
}

/** Counts the dropped partials that had bytes. */
export function countBegun(source: DatabaseSync, keys: ReadonlySet<string>): number {
  return partialsIn(source).filter(({ key, storedBytes }) => keys.has(key) && storedBytes > 0)
    .length;
}

function partialsIn(source: DatabaseSync): readonly MovedPartial[] {
  const rows = source
    .prepare(
      `SELECT partials.key, stored_bytes, item.value ->> 'bytes' AS bytes, item.value ->> 'sha256' AS sha256
       FROM partials JOIN manifests USING (package_id), json_each(manifest, '$.items') AS item
       WHERE item.value ->> 'file' = partials.file ORDER BY partials.key`,
    )
    .all();
  return rows.map((row) => ({
    key: text(row["key"]),
    storedBytes: number(row["stored_bytes"]),
    bytes: number(row["bytes"]),
    sha256: text(row["sha256"]),
  }));
}

async function copyPartial(
  from: OperatedSounds,
  to: OperatedSounds,
  { key, storedBytes, bytes, sha256 }: MovedPartial,
): Promise<boolean> {
  const source = await from.resume(key);
  if (source === undefined) return false;
  try {
    if (source.storedBytes < storedBytes) return false;
    const target = await to.resume(key);
    const begun = target?.storedBytes ?? 0;
    const writer = target?.writer ?? (await to.create(key, { bytes, sha256 }));
    try {
      for await (const piece of between(source, begun, storedBytes)) await writer.write(piece);
    } catch (error) {
      await writer.suspend().catch(() => {});
      throw error;
    }
    return (await writer.suspend()) >= storedBytes;
  } finally {
    await source.writer.suspend();
  }
}

/** Reads the stored bytes from `start` up to `end`, which isn't included. */
async function* between(
  source: ResumedSound,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of source.read()) {
    const [from, to] = [Math.max(0, start - at), Math.min(piece.length, end - at)];
    if (to > from) yield piece.subarray(from, to);
    at += piece.length;
    if (at >= end) return;
  }
}
