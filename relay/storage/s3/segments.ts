import type { ListedObject, S3Bucket } from "./s3-bucket.ts";
import { parseUnfinished } from "./object-names.ts";
import { readObject } from "./read-object.ts";
import { StoreTroubleError } from "../../domain/ports.ts";

/** A piece of an unfinished sound, as an object of its own. */
export interface Segment {
  readonly name: string;
  readonly start: number;
  readonly bytes: number;
}

/**
 * The segments that make up a sound from its first byte on. What lies beyond a gap is left out. Of two that start at the
 * same byte, the one of the later writer counts: it was written knowing what came before.
 */
export function chainOf(listed: readonly ListedObject[]): readonly Segment[] {
  const newest = new Map<number, Segment & { readonly epoch: number }>();
  for (const { name, bytes } of listed) {
    const parsed = parseUnfinished(name);
    if (parsed?.kind !== "segment") continue;
    const { start, epoch } = parsed;
    if ((newest.get(start)?.epoch ?? 0) < epoch) newest.set(start, { name, start, bytes, epoch });
  }
  const chain: Segment[] = [];
  let next = newest.get(0);
  while (next !== undefined && next.bytes > 0) {
    const { name, start, bytes } = next;
    chain.push({ name, start, bytes });
    next = newest.get(start + bytes);
  }
  return chain;
}

export function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The bytes of segments, one after the other. */
export async function* readSegments(
  bucket: S3Bucket,
  segments: readonly Segment[],
): AsyncGenerator<Uint8Array> {
  for (const { name } of segments) {
    const opened = await bucket.get(name);
    if (opened === undefined) {
      throw new StoreTroubleError(`${name} is gone.`, { code: "NoSuchKey" });
    }
    yield* readObject(opened.body, bucket.patience.idleMs);
  }
}
