import { setTimeout as sleep } from "node:timers/promises";
import type { CompletedPart } from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import { eachUntilOneFails } from "../disk/try-each.ts";
import { type Claim, FIRST_EPOCH } from "./claims.ts";
import { parseUnfinished, soundName } from "./object-names.ts";
import type { ListedObject, S3Bucket } from "./s3-bucket.ts";
import type { Pieces } from "./s3-calls.ts";
import { isRefused } from "./s3-trouble.ts";

/** Size from which received bytes become a segment. A sound that isn't larger needs none. */
export const SEGMENT_BYTES = 8 * 1024 * 1024;
/** Smallest size that the service accepts for any part but the last. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;
/** Pauses before each look for an object whose call had no certain outcome: the service may be about to show it. */
const PAUSES_MS = [0, 250, 1_000] as const;

/** Consecutive bytes of an unfinished sound. */
export interface Segment {
  readonly bytes: number;
  /** The object that has them; undefined while they are in memory. */
  readonly name?: string;
  readonly read: () => Pieces;
}

export function storedSegment(bucket: S3Bucket, name: string, bytes: number): Segment {
  const read = async function* (): AsyncGenerator<Uint8Array> {
    const got = await bucket.open(name);
    if (got === undefined) throw new StoreTroubleError(`${name} is gone.`, { code: "NoSuchKey" });
    yield* got;
  };
  return { bytes, name, read };
}

/**
 * Chains the segments of a sound from its first byte on. Segments beyond a gap are left out. Of two that start at the
 * same byte, the later writer's counts, because that writer knew what came before, and of one writer the longer.
 * @param listed the sound's unfinished objects in the order of their names
 */
export function chainOf(bucket: S3Bucket, listed: readonly ListedObject[]): readonly Segment[] {
  const newest = new Map<number, ListedObject>();
  for (const each of listed) {
    const start = parseUnfinished(each.name)?.start;
    if (start !== undefined) newest.set(start, each);
  }
  const chain: Segment[] = [];
  let end = 0;
  for (let next = newest.get(0); next !== undefined && next.bytes > 0; next = newest.get(end)) {
    chain.push(storedSegment(bucket, next.name, next.bytes));
    end += next.bytes;
  }
  return chain;
}

export function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads segments, one after the other. */
export async function* readSegments(segments: readonly Segment[]): AsyncGenerator<Uint8Array> {
  for (const { read } of segments) yield* read();
}

/**
 * Makes a sound's object of its segments: by one call, or by a multipart upload if it is larger than a segment. If
 * that fails, the object may exist nevertheless, so it is looked up.
 * @throws {Error} the failure, unless the whole object is there
 */
export async function makeSound(
  bucket: S3Bucket,
  claim: Claim,
  segments: readonly Segment[],
): Promise<void> {
  const name = soundName(claim.key);
  try {
    if (claim.announced.bytes > SEGMENT_BYTES) await join(bucket, claim, segments);
    else await bucket.put(name, claim.announced, () => readSegments(segments));
  } catch (error) {
    if (await isMade(bucket, claim, isRefused(error) ? [0] : PAUSES_MS)) return;
    await bucket.uploads.abort(name, new Set([name])).catch(() => undefined);
    throw error;
  }
}

/** The service copies segments that are large enough to be a part. Others are read and sent. */
async function join(
  { uploads }: S3Bucket,
  { key, epoch, announced: { sha256 } }: Claim,
  segments: readonly Segment[],
): Promise<void> {
  const name = soundName(key);
  // An earlier writer that was killed may have left its upload.
  if (epoch > FIRST_EPOCH) await uploads.abort(name, new Set([name]));
  const upload = await uploads.start(name, { sha256 });
  const parts: CompletedPart[] = [];
  await eachUntilOneFails([...groupsOf(segments).entries()], async ([index, group]) => {
    const [only, ...others] = group;
    const copied = others.length === 0 ? only?.name : undefined;
    const sent = { bytes: sizeOf(group), read: () => readSegments(group) };
    parts[index] = await (copied === undefined
      ? uploads.putPart(upload, index + 1, sent)
      : uploads.copyPart(upload, index + 1, copied));
  });
  await uploads.complete(upload, parts);
}

/** Groups neighbors that are large enough together to be a part. The last group may be small. */
function groupsOf(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    if (last === undefined || sizeOf(last) >= LEAST_PART_BYTES) groups.push([segment]);
    else last.push(segment);
  }
  return groups;
}

async function isMade(
  bucket: S3Bucket,
  { key, announced: { bytes, sha256 } }: Claim,
  pauses: readonly number[],
): Promise<boolean> {
  for (const pause of pauses) {
    await sleep(pause);
    const found = await bucket.head(soundName(key)).catch(() => undefined);
    if (found?.bytes === bytes && found.metadata["sha256"] === sha256) return true;
  }
  return false;
}
