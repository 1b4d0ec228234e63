import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { AnnouncedBytes, SoundStore, SoundWriter } from "../../../../relay/domain/ports.ts";
import type { ContractCase, StoreUnderTest } from "../contract.ts";

/** A sound store for one case. */
export interface SoundStoreUnderTest<
  Sounds extends SoundStore = SoundStore,
> extends StoreUnderTest<Sounds> {
  /**
   * Cuts the power: ends every instance, closes the files that its writers hold open, and drops everything that no
   * resolved call made durable. Calls that are still running may do anything that doesn't reach the store. The next
   * `open` finds the state that a restarted machine would find.
   */
  powerCut(): Promise<void>;
}

/** Makes an empty sound store for one case. */
export type MakeSoundStore<Sounds extends SoundStore = SoundStore> = () => Promise<
  SoundStoreUnderTest<Sounds>
>;

/** One promise of any sound store. */
export interface SoundsCase<Sounds extends SoundStore = SoundStore> {
  readonly title: string;
  readonly run: (under: SoundStoreUnderTest<Sounds>) => Promise<void>;
}

/** Makes a case for one instance. After a power cut the case opens the next one itself. */
export function one<Sounds extends SoundStore = SoundStore>(
  title: string,
  run: (sounds: Sounds, under: SoundStoreUnderTest<Sounds>) => Promise<void>,
): SoundsCase<Sounds> {
  return { title, run: async (under) => run(await under.open(), under) };
}

/** Makes a case for two instances on one store, like two processes. */
export function two<Sounds extends SoundStore = SoundStore>(
  title: string,
  run: (first: Sounds, second: Sounds, under: SoundStoreUnderTest<Sounds>) => Promise<void>,
): SoundsCase<Sounds> {
  return { title, run: async (under) => run(await under.open(), await under.open(), under) };
}

/** Runs each case on a separate store. */
export function onSoundStore<Sounds extends SoundStore>(
  make: MakeSoundStore<Sounds>,
  cases: readonly SoundsCase<Sounds>[],
): readonly ContractCase[] {
  return cases.map(({ title, run }) => ({
    title,
    run: async () => {
      await using under = await make();
      await run(under);
    },
  }));
}

export const KIB = 1024;
export const MIB = 1024 * KIB;

const SOCKET_PIECE = 64 * KIB;

/** Number of bytes after which a sample repeats. */
const PERIOD = 251 * 256;

/** Makes bytes that differ by position and by seed. */
export function sampleBytes(size: number, seed = 0): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < Math.min(size, PERIOD); index += 1) {
    bytes[index] = (index * 31 + (index >> 8) + seed * 7) % 251;
  }
  for (let made = PERIOD; made < size; made *= 2) bytes.copyWithin(made, 0, made);
  return bytes;
}

/** Starts a sound of these bytes, and writes none of them yet. */
export async function start<Writer>(
  sounds: { create(key: string, announced: AnnouncedBytes): Promise<Writer> },
  key: string,
  bytes: Uint8Array,
): Promise<Writer> {
  return sounds.create(key, await announced(bytes));
}

/**
 * Writes bytes in pieces of the given sizes, and waits for room as the port requires. Without sizes the pieces are
 * those of a socket. Each piece has a separate buffer, which the store may detach.
 */
export async function write(
  writer: SoundWriter,
  bytes: Uint8Array,
  sizes?: readonly number[],
): Promise<void> {
  const pieces = sizes ?? piecesOf(bytes.length);
  let at = 0;
  for (const size of pieces) {
    await writer.write(bytes.slice(at, at + size));
    at += size;
  }
}

/** Starts a sound of the given size and writes all of it. Returns its writer and its bytes. */
export async function writeSample<Writer extends SoundWriter>(
  sounds: { create(key: string, announced: AnnouncedBytes): Promise<Writer> },
  key: string,
  size: number,
  seed = 0,
): Promise<{ readonly writer: Writer; readonly bytes: Uint8Array }> {
  const bytes = sampleBytes(size, seed);
  const writer = await start(sounds, key, bytes);
  await write(writer, bytes);
  return { writer, bytes };
}

/** Stores a finished sound of the given size. Returns its bytes. */
export async function store(
  sounds: SoundStore,
  key: string,
  size: number,
  seed = 0,
): Promise<Uint8Array> {
  const { writer, bytes } = await writeSample(sounds, key, size, seed);
  await writer.finish();
  return bytes;
}

/** Reads the bytes of a range, both ends included. Returns undefined if the sound isn't found. */
export async function read(
  sounds: SoundStore,
  key: string,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  return collect(await sounds.open(key, { start, end }));
}

/** Collects all bytes of the pieces in one array. */
export async function collect(
  pieces: AsyncIterable<Uint8Array> | undefined,
): Promise<Uint8Array | undefined> {
  return pieces && new Uint8Array(Buffer.concat(await gather(pieces)));
}

/** Collects everything that the source yields in one list. */
export async function gather<Each>(source: AsyncIterable<Each>): Promise<Each[]> {
  const all: Each[] = [];
  for await (const each of source) all.push(each);
  return all;
}

/** Fails unless the sound is found, by `open` and by `sizes`, and has exactly these bytes. */
export async function assertWhole(
  sounds: SoundStore,
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  const found = await read(sounds, key, 0, bytes.length - 1);
  assert.ok(found !== undefined, `${key} is finished, but can't be opened.`);
  assertSame(found, bytes, key);
  const size = (await sounds.sizes([key])).get(key);
  assert.equal(size, bytes.length, `${key} is finished, but has no size or another one.`);
}

/** Fails if the sound is found, by `open` or by `sizes`. */
export async function assertAbsent(sounds: SoundStore, key: string, why: string): Promise<void> {
  const opened = await sounds.open(key, { start: 0, end: 0 });
  // A reader that is never used may keep a file open.
  if (opened !== undefined) await collect(opened);
  assert.equal(opened, undefined, `${key} can be opened, but it ${why}.`);
  assert.equal((await sounds.sizes([key])).has(key), false, `${key} has a size, but it ${why}.`);
}

/** The key of every sound that the store lists, sorted. */
export async function keysOf(sounds: SoundStore): Promise<string[]> {
  return (await gather(sounds.list())).map(({ key }) => key).toSorted();
}

/** Compares sounds without printing them. */
export function assertSame(found: Uint8Array, expected: Uint8Array, what: string): void {
  assert.equal(found.length, expected.length, `${what} has another length than was written.`);
  if (Buffer.compare(found, expected) === 0) return;
  const differs = found.findIndex((byte, index) => byte !== expected[index]);
  assert.fail(`${what} differs from what was written, from byte ${differs} on.`);
}

function piecesOf(size: number): number[] {
  const whole = Array<number>(Math.floor(size / SOCKET_PIECE)).fill(SOCKET_PIECE);
  return [...whole, size % SOCKET_PIECE];
}

async function announced(bytes: Uint8Array): Promise<AnnouncedBytes> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return { bytes: bytes.length, sha256: Buffer.from(digest).toString("hex") };
}
