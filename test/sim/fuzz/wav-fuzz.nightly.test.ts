import * as fc from "fast-check";
import { expect, test } from "vitest";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import { chunk, join, wav } from "../../../fixtures/wav-bytes.ts";
import {
  chunkSoups,
  damagedWavs,
  expectSoundJudgment,
  noise,
  pieceSizes,
} from "../../core/audio/hostile-wavs.ts";

const kinds = { noise, "chunk soups": chunkSoups, "damaged files": damagedWavs };

for (const [kind, files] of Object.entries(kinds)) {
  test(`[U4] 30000 ${kind} are read or refused, never anything else`, { timeout: 0 }, async () => {
    const sound = fc.asyncProperty(files, pieceSizes, (bytes, sizes) =>
      expectSoundJudgment(bytes, sizes),
    );
    await fc.assert(sound, { numRuns: 30_000 });
  });
}

test("[U4] 200 MB of empty chunks are walked to their end", () => {
  const piece = join(...Array.from({ length: 8192 }, () => chunk("JUNK", [])));
  const reader = new WavHeaderReader(12 + 3200 * piece.length, "kick.wav");
  reader.push(wav([]));
  for (let pushed = 1; pushed < 3200; pushed += 1) reader.push(piece);
  expect(reader.header).toBeUndefined();
  expect(() => reader.push(piece)).toThrow("kick.wav: no format chunk.");
});
