import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PartFile } from "../../../addon/disk/part-file.ts";
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
    await part.finish(path);
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual(sizes.map(() => 0));
    expect((await readFile(path)).equals(expected)).toBe(true);
  },
);
