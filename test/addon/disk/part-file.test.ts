import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PART_BUFFERS, PartFile } from "../../../addon/disk/part-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MIB = 1024 ** 2;

test.each([[[1]], [[MIB]], [[MIB - 1, 2, MIB]], [[5 * MIB + 7, 3, 2 * MIB]], [[0, 65_536, 0]]])(
  "[F3] pieces of any size are written in order and freed: %j",
  async (sizes) => {
    const path = join(await temporaryFolder(), "Kick.wav");
    const pieces = sizes.map((size, index) =>
      new Uint8Array(size).map((_, byte) => byte % (250 - index)),
    );
    const expected = Buffer.concat(pieces);
    const part = await PartFile.open(path);
    for (const piece of pieces) await part.write(piece);
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual(sizes.map(() => 0));
    await part.finish(path);
    expect((await readFile(path)).equals(expected)).toBe(true);
  },
);

test("[F3] downloads share their memory one after another, and the last one frees it", async () => {
  const folder = await temporaryFolder();
  const open = (name: string) => PartFile.open(join(folder, name));
  const [first, last] = [await open("First.wav"), await open("Last.wav")];
  await first.write(new Uint8Array(9 * MIB));
  await first.finish(join(folder, "First.wav"));
  // While one buffer is written, the other one fills.
  expect(PART_BUFFERS.spareCount).toBe(2);
  await last.write(new Uint8Array(100));
  expect(PART_BUFFERS.spareCount).toBe(1);
  await last.discard();
  expect(PART_BUFFERS.spareCount).toBe(0);
});
