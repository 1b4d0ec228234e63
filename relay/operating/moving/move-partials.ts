import type { DatabaseSync } from "node:sqlite";
import type { ResumedSound } from "../../domain/ports.ts";
import { number, text } from "../../storage/rows.ts";
import type { OperatedSounds } from "../open-operated.ts";

/** A file that is sent in several calls. */
interface MovedPartial {
  readonly key: string;
  readonly storedBytes: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Copies what has come of files that are sent in several calls, so that no app is answered a smaller offset.
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

/** How many of the dropped ones had bytes. */
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

/** The stored bytes from `start` up to `end`, which isn't included. */
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
