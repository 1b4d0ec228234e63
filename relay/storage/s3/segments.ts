import { Readable } from "node:stream";
import { type AnnouncedBytes, StoreTroubleError } from "../../domain/ports.ts";
import { eachUntilOneFails } from "../disk/try-each.ts";
import { codeOf } from "../error-codes.ts";
import { makeCertain, metadataOf } from "./look-up.ts";
import { parseUnfinished, soundName } from "./object-names.ts";
import { PART_BYTES } from "./puts.ts";
import type { ListedObject, S3Bucket } from "./s3-bucket.ts";
import type { PartedUpload, UploadedPart } from "./s3-uploads.ts";

/** A piece of an unfinished sound, as a separate object. */
export interface Segment {
  readonly name: string;
  readonly start: number;
  readonly bytes: number;
}

/**
 * Chains the segments of a sound from its first byte on. Segments beyond a gap are left out. Of two that start at the
 * same byte, the later writer's counts, because that writer knew what came before.
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

/** Reads the bytes of segments, one after the other. */
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

/**
 * Reads the pieces of an answer. Ends its connection when the reader stops early, and when the service is silent for
 * too long. The reader itself may take any time.
 */
export async function* readObject(body: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const giveUp = () =>
    body.destroy(Object.assign(new Error("The rest didn't come in time."), { code: "ETIMEDOUT" }));
  try {
    for (;;) {
      const timer = setTimeout(giveUp, idleMs);
      const next = await pieces.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    const sentence = "The service ended in the midst of a sound.";
    throw new StoreTroubleError(sentence, { code: codeOf(error) || "EPROTO", cause: error });
  } finally {
    body.destroy();
  }
}

/** Smallest size that the service accepts for any part but the last. */
export const LEAST_PART_BYTES = 5 * 1024 * 1024;
const MOST_TRIES = 3;

/** The parts of a sound that was written in segments. */
interface Joining {
  readonly bucket: S3Bucket;
  readonly key: string;
  readonly announced: AnnouncedBytes;
  readonly segments: readonly Segment[];
}

/** Makes one object of the segments. The service copies segments that are large enough; the others are sent again. */
export async function joinSegments(joining: Joining): Promise<void> {
  const { bucket, key, announced, segments } = joining;
  const name = soundName(key);
  const send = sizeOf(segments) <= PART_BYTES ? () => sendAll(joining) : () => joinLarge(joining);
  try {
    await makeCertain(bucket, name, announced, send);
  } catch (error) {
    await bucket.uploads.abortUploads(name, new Set([name])).catch(() => undefined);
    throw error;
  }
}

async function sendAll({ bucket, key, announced, segments }: Joining): Promise<void> {
  const { bytes, sha256 } = announced;
  await again(async (signal) => {
    const body = Readable.from(readSegments(bucket, segments), { objectMode: false });
    await bucket.put(soundName(key), {
      body,
      bytes,
      sha256,
      metadata: metadataOf(announced),
      signal,
    });
  }, bucket.patience.copyMs);
}

async function joinLarge({ bucket, key, announced, segments }: Joining): Promise<void> {
  const name = soundName(key);
  const upload = await bucket.uploads.start(name, metadataOf(announced));
  const parts: UploadedPart[] = [];
  const groups = groupsOf(segments).map((group, index) => ({ group, index }));
  await eachUntilOneFails(groups, async ({ group, index }) => {
    parts[index] = await makePart(bucket, upload, { partNumber: index + 1, group });
  });
  await bucket.uploads.completeUpload(upload, parts);
}

async function makePart(
  bucket: S3Bucket,
  upload: PartedUpload,
  { partNumber, group }: { readonly partNumber: number; readonly group: readonly Segment[] },
): Promise<UploadedPart> {
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    return bucket.uploads.copyPart(upload, partNumber, only.name);
  }
  return again((signal) => {
    const body = Readable.from(readSegments(bucket, group), { objectMode: false });
    return bucket.uploads.putPart(upload, partNumber, { body, bytes: sizeOf(group), signal });
  }, bucket.patience.copyMs);
}

/** Groups neighbors that are large enough together to be a part. The last group may be small. */
function groupsOf(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const groups: Segment[][] = [];
  let group: Segment[] = [];
  for (const segment of segments) {
    group.push(segment);
    if (sizeOf(group) < LEAST_PART_BYTES) continue;
    groups.push(group);
    group = [];
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Repeats a call. Its bytes can be sent again, because they are stored. */
async function again<Result>(
  send: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}
