import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { readLoopHints } from "../../../core/wav/read-loop-hints.ts";
import { acidBody, samplerBody, withChunk } from "../../page/test-sounds.ts";
import { smallWav } from "../../wav-bytes.ts";

/** What is read, and how many bytes of the file that took. */
async function read(file: Buffer) {
  let bytesRead = 0;
  const hints = await readLoopHints(async (offset, length) => {
    bytesRead += length;
    return file.subarray(offset, offset + length);
  }, file.length);
  return { hints, bytesRead };
}

test("[G3] the chunks that tell of a loop are found behind the sound, odd-sized ones before them", async () => {
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

test("[G3] broken and missing chunks tell nothing, and no more than a few dozen bytes of each are read", async () => {
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
