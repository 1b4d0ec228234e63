import { describe, expect, test } from "vitest";
import type { SoundStore, SoundWriter } from "../../relay/domain/ports.ts";

/** A sound store, for the contract suite. */
export interface SoundStoreUnderTest extends AsyncDisposable {
  readonly store: SoundStore;
  /** The same stored sounds as seen by a restarted relay, without unfinished ones. */
  reopen(): Promise<SoundStore>;
}

type OpenStore = () => Promise<SoundStoreUnderTest>;

const KIB = 1024;

/** The contract suite of `SoundStore`. */
export function soundStoreContract(adapter: string, open: OpenStore): void {
  describe(`${adapter}: writing and reading`, () => writingAndReading(open));
  describe(`${adapter}: unfinished sounds`, () => unfinished(open));
  describe(`${adapter}: deleting`, () => deleting(open));
}

function writingAndReading(open: OpenStore): void {
  test.each([
    ["one byte", [1]],
    ["pieces of a socket", Array<number>(48).fill(64 * KIB)],
    ["pieces of every size", [1, 70_000, 3, 4 * KIB * KIB, 65_535, 65_537, 17]],
    ["pieces that are tiny", Array<number>(5000).fill(3)],
    ["a piece of nothing among others", [10, 0, 10]],
  ])("returns the bytes of %s in order", async (_, sizes) => {
    await using under = await open();
    const writer = await under.store.create("pkg_1/snd_1");
    const bytes = await write(writer, sizes);
    await writer.finish();
    expect(await read(under.store, "pkg_1/snd_1", 0, bytes.length - 1)).toEqual(bytes);
  });

  test("[I2] reads any range, both ends included", async () => {
    await using under = await open();
    const bytes = await store(under.store, "pkg_1/snd_1", 3 * KIB * KIB);
    const last = bytes.length - 1;
    for (const [start, end] of [
      [0, 0],
      [last, last],
      [1, last - 1],
      [512 * KIB - 1, 512 * KIB],
      [1_000_000, 2_000_000],
    ] as const) {
      const found = await read(under.store, "pkg_1/snd_1", start, end);
      expect(found?.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  test("does not mix concurrent writers", async () => {
    await using under = await open();
    const sizes = Array.from({ length: 40 }, (_, index) => 100_000 + index * 7919);
    const keys = sizes.map((_, index) => `pkg_${index % 5}/snd_${index}`);
    const stored = await Promise.all(
      keys.map((key, index) => store(under.store, key, sizes[index] ?? 0, index)),
    );
    for (const [index, key] of keys.entries()) {
      const bytes = stored[index] ?? Buffer.alloc(0);
      const found = await read(under.store, key, 0, bytes.length - 1);
      expect(found?.equals(bytes)).toBe(true);
    }
  });

  test("does not mix concurrent readers of one sound", async () => {
    await using under = await open();
    const bytes = await store(under.store, "pkg_1/snd_1", 2 * KIB * KIB);
    const found = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        read(under.store, "pkg_1/snd_1", index, bytes.length - 1),
      ),
    );
    for (const [index, part] of found.entries()) {
      expect(part?.equals(bytes.subarray(index))).toBe(true);
    }
  });

  test("finds nothing under a key that was never written", async () => {
    await using under = await open();
    expect(await under.store.open("pkg_1/snd_1", { start: 0, end: 0 })).toBeUndefined();
  });

  test.each([
    "../outside",
    "pkg_1/../../outside",
    "pkg_1/..",
    "./snd_1",
    "/etc/passwd",
    "pkg_1//snd_1",
    "pkg_1/a/b",
    "pkg_1\\snd_1",
    "pkg_1",
    "pkg_1/",
    "pkg_1/snd\0",
    "pkg_1/snd_1\n",
    "",
  ])("refuses the key %j", async (key) => {
    await using under = await open();
    await expect(under.store.create(key)).rejects.toThrow();
    await expect(under.store.open(key, { start: 0, end: 0 })).rejects.toThrow();
    await expect(under.store.delete([key])).rejects.toThrow();
  });

  test("reports the free bytes", async () => {
    await using under = await open();
    expect(await under.store.freeBytes()).toBeGreaterThan(0);
  });
}

function unfinished(open: OpenStore): void {
  test("[U7] appear only once they are finished", async () => {
    await using under = await open();
    const writer = await under.store.create("pkg_1/snd_1");
    const bytes = await write(writer, [3 * KIB * KIB]);
    expect(await under.store.open("pkg_1/snd_1", { start: 0, end: 0 })).toBeUndefined();
    await writer.finish();
    expect(await read(under.store, "pkg_1/snd_1", 0, 9)).toEqual(bytes.subarray(0, 10));
  });

  test("[U5] leave nothing when they are discarded", async () => {
    await using under = await open();
    for (const sizes of [[], [10], [5 * KIB * KIB, 10]]) {
      const writer = await under.store.create("pkg_1/snd_1");
      await write(writer, sizes);
      await writer.discard();
      expect(await under.store.open("pkg_1/snd_1", { start: 0, end: 0 })).toBeUndefined();
      expect(await keysOf(under.store)).toEqual([]);
    }
  });

  test("[U7] are only found for deletion after a restart, while finished ones are whole", async () => {
    await using under = await open();
    const bytes = await store(under.store, "pkg_1/snd_1", KIB * KIB);
    const abandoned = await under.store.create("pkg_1/snd_2");
    await write(abandoned, [2 * KIB * KIB]);

    const reopened = await under.reopen();
    expect(await read(reopened, "pkg_1/snd_1", 0, bytes.length - 1)).toEqual(bytes);
    expect(await reopened.open("pkg_1/snd_2", { start: 0, end: 0 })).toBeUndefined();
    const rest = (await keysOf(reopened)).filter((key) => key !== "pkg_1/snd_1");
    expect(rest).toHaveLength(1);
    await reopened.delete(rest);
    expect(await keysOf(reopened)).toEqual(["pkg_1/snd_1"]);
    await abandoned.discard();
  });

  test("are listed like finished ones", async () => {
    await using under = await open();
    await store(under.store, "pkg_1/snd_1", 10);
    await store(under.store, "pkg_2/snd_2", 10);
    const writer = await under.store.create("pkg_2/snd_3");
    const keys = await keysOf(under.store);
    expect(keys).toHaveLength(3);
    expect(keys).toEqual(expect.arrayContaining(["pkg_1/snd_1", "pkg_2/snd_2"]));
    await writer.discard();
  });
}

function deleting(open: OpenStore): void {
  test("deletes exactly the given keys, and ignores missing ones", async () => {
    await using under = await open();
    await store(under.store, "pkg_1/snd_1", 10);
    const kept = await store(under.store, "pkg_1/snd_2", 10);
    await under.store.delete(["pkg_1/snd_1", "pkg_1/snd_3", "pkg_9/snd_1"]);
    expect(await under.store.open("pkg_1/snd_1", { start: 0, end: 0 })).toBeUndefined();
    expect(await read(under.store, "pkg_1/snd_2", 0, 9)).toEqual(kept);
    await under.store.delete(["pkg_1/snd_1", "pkg_1/snd_2"]);
    expect(await keysOf(under.store)).toEqual([]);
  });

  test("[S4] never interrupts a reader, even before its first piece", async () => {
    await using under = await open();
    const bytes = await store(under.store, "pkg_1/snd_1", 5 * KIB * KIB);
    const range = { start: 0, end: bytes.length - 1 };
    const early = await under.store.open("pkg_1/snd_1", range);
    const midway = await under.store.open("pkg_1/snd_1", range);
    const pieces: Uint8Array[] = [];
    for await (const piece of midway ?? []) {
      if (pieces.length === 0) await under.store.delete(["pkg_1/snd_1"]);
      pieces.push(piece);
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect((await collect(early))?.equals(bytes)).toBe(true);
    expect(await under.store.open("pkg_1/snd_1", range)).toBeUndefined();
  });

  test("does not interfere with concurrent writes for the same package", async () => {
    await using under = await open();
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const key = `pkg_1/snd_${index}`;
        const bytes = await store(under.store, key, 100, index);
        expect(await read(under.store, key, 0, 99)).toEqual(bytes);
        await under.store.delete([key]);
      }),
    );
    expect(await keysOf(under.store)).toEqual([]);
  });
}

/** Bytes that differ by position and by seed. */
function bytesOf(size: number, seed = 0): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let index = 0; index < size; index += 1)
    bytes[index] = (index * 31 + (index >> 8) + seed) % 251;
  return bytes;
}

/** Writes pieces of the given sizes with backpressure, as the port requires; returns all bytes. */
async function write(writer: SoundWriter, sizes: readonly number[], seed = 0): Promise<Buffer> {
  const bytes = bytesOf(
    sizes.reduce((sum, size) => sum + size, 0),
    seed,
  );
  let position = 0;
  for (const size of sizes) {
    await writer.write(Buffer.from(bytes.subarray(position, position + size)));
    position += size;
  }
  return bytes;
}

/** Stores a sound of one size in socket-sized pieces; returns its bytes. */
export async function store(
  sounds: SoundStore,
  key: string,
  size: number,
  seed = 0,
): Promise<Buffer> {
  const writer = await sounds.create(key);
  const pieces = Array<number>(Math.floor(size / (64 * KIB))).fill(64 * KIB);
  const bytes = await write(writer, [...pieces, size % (64 * KIB)], seed);
  await writer.finish();
  return bytes;
}

async function read(sounds: SoundStore, key: string, start: number, end: number) {
  return collect(await sounds.open(key, { start, end }));
}

async function collect(pieces: AsyncIterable<Uint8Array> | undefined): Promise<Buffer | undefined> {
  return pieces && Buffer.concat(await gather(pieces));
}

async function keysOf(sounds: SoundStore): Promise<string[]> {
  return (await gather(sounds.keys())).sort();
}

/** Everything the source yields, in one list. */
export async function gather<Each>(source: AsyncIterable<Each>): Promise<Each[]> {
  const all: Each[] = [];
  for await (const each of source) all.push(each);
  return all;
}
