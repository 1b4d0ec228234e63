import { createHash } from "node:crypto";
import type {
  AnnouncedBytes,
  QuarantiningSoundStore,
  SoundStore,
  SoundWriter,
} from "../../../../relay/domain/ports.ts";

/** Different bytes for each seed. */
export function bytesOf(count: number, seed = 0): Buffer {
  const bytes = Buffer.alloc(count);
  for (let index = 0; index < count; index += 1) bytes[index] = (index * 31 + seed * 7 + 1) % 251;
  return bytes;
}

export function announced(bytes: Uint8Array): AnnouncedBytes {
  return { bytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Writes a copy of the bytes, in pieces of 64 KiB with a buffer of their own. */
export async function writeBytes(writer: SoundWriter, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) {
    await writer.write(new Uint8Array(bytes.subarray(at, at + 65_536)));
  }
}

/** Stores a sound. Returns its bytes. */
export async function storeSound(store: SoundStore, key: string, count = 1000): Promise<Buffer> {
  const bytes = bytesOf(count);
  const writer = await store.create(key, announced(bytes));
  await writeBytes(writer, bytes);
  await writer.finish();
  return bytes;
}

/** All bytes of a finished sound; undefined if there is none. */
export async function readSound(
  store: QuarantiningSoundStore,
  key: string,
): Promise<Buffer | undefined> {
  const size = (await store.sizes([key])).get(key) ?? 0;
  const pieces = await store.open(key, { start: 0, end: size - 1 });
  return pieces && Buffer.concat(await gather(pieces));
}

export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}
