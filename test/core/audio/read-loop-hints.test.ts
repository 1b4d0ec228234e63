import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { readLoopHints } from "../../../core/audio/read-loop-hints.ts";
import { acidBody, samplerBody, withChunk } from "../../pages/send/test-sounds.ts";
import { smallWav } from "../../wav-bytes.ts";

/** Reads hints and counts the bytes read from the file. */
async function read(file: Buffer) {
  let bytesRead = 0;
  const hints = await readLoopHints(async (offset, length) => {
    bytesRead += length;
    return file.subarray(offset, offset + length);
  }, file.length);
  return { hints, bytesRead };
}

test("[G3] finds loop chunks after the audio and after odd-sized chunks", async () => {
  const odd = withChunk(smallWav(), "note", Buffer.alloc(3));
  const file = withChunk(
    withChunk(Buffer.concat([odd, Buffer.alloc(1)]), "acid", acidBody(16, 126)),
    "smpl",
    samplerBody(0, 99),
  );
  expect((await read(file)).hints).toEqual({
    acid: { isOneShot: false, beats: 16, tempoBpm: 126 },
    sampler: { startFrame: 0, endFrame: 99 },
  });
});

test("[G3] ignores broken and missing chunks and reads a few dozen bytes of each", async () => {
  expect((await read(smallWav({ frames: 100_000 }))).bytesRead).toBeLessThan(200);
  const forged = withChunk(smallWav(), "acid", acidBody(16, 126));
  forged.writeUInt32LE(0xffff_ffff, forged.length - 28);
  expect((await read(forged)).hints).toEqual({
    acid: { isOneShot: false, beats: 16, tempoBpm: 126 },
  });
  for (let cut = 1; cut < 60; cut += 1) {
    await expect(read(forged.subarray(0, forged.length - cut))).resolves.toBeDefined();
  }
  let many = smallWav();
  for (let chunk = 0; chunk < 200; chunk += 1) many = withChunk(many, "junk", Buffer.alloc(0));
  expect((await read(many)).bytesRead).toBeLessThan(64 * 80);
});

test("[G3] reads one-shot from the lowest flag bit of an ACID chunk", async () => {
  const isOneShot = async (flags: number) => {
    const { hints } = await read(withChunk(smallWav(), "acid", acidBody(4, 120, flags)));
    return hints.acid?.isOneShot;
  };
  expect(await isOneShot(1)).toBe(true);
  expect(await isOneShot(0b11111)).toBe(true);
  expect(await isOneShot(0b11110)).toBe(false);
});

test("[G3] ignores truncated chunks and a sampler chunk without loops", async () => {
  const hintsOf = async (id: string, body: Buffer) => {
    // Another chunk lies behind, whose bytes are not this one's.
    const file = withChunk(withChunk(smallWav(), id, body), "LIST", Buffer.alloc(80, 1));
    return (await read(file)).hints;
  };
  const [acid, sampler] = [acidBody(4, 120), samplerBody(5, 99)];
  expect(await hintsOf("acid", acid)).toHaveProperty("acid.beats", 4);
  expect(await hintsOf("acid", acid.subarray(0, 22))).toEqual({});
  expect(await hintsOf("smpl", sampler)).toEqual({ sampler: { startFrame: 5, endFrame: 99 } });
  expect(await hintsOf("smpl", sampler.subarray(0, 58))).toEqual({});
  const loopless = Buffer.from(sampler);
  loopless.writeUInt32LE(0, 28);
  expect(await hintsOf("smpl", loopless)).toEqual({});
});

test("[G3] reads only the first 64 chunks", async () => {
  const behind = async (chunks: number) => {
    let file = smallWav({ frames: 0 });
    // The format and the audio are the first two.
    for (let chunk = 2; chunk < chunks; chunk += 1) file = withChunk(file, "junk", Buffer.alloc(2));
    return (await read(withChunk(file, "acid", acidBody(4, 120)))).hints;
  };
  expect(await behind(63)).toHaveProperty("acid");
  expect(await behind(64)).toEqual({});
});

test("[G3] reads a trailing chunk header of 8 bytes, but not one of 7", async () => {
  const asked: number[] = [];
  const wav = smallWav({ frames: 0 });
  const readAt = (offset: number, length: number): Promise<Buffer> => {
    asked.push(offset);
    return Promise.resolve(wav.subarray(offset, offset + length));
  };
  await readLoopHints(readAt, 44);
  await readLoopHints(readAt, 43);
  // A file shorter than announced.
  expect(await readLoopHints(readAt, 1000)).toEqual({});
  expect(asked).toEqual([12, 36, 12, 12, 36, 44]);
});
