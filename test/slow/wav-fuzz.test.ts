import * as fc from "fast-check";
import { test } from "vitest";
import {
  chunkSoups,
  damagedWavs,
  expectSoundJudgement,
  noise,
  pieceSizes,
} from "../core/wav/hostile-wavs.ts";

const kinds = { noise, "chunk soups": chunkSoups, "damaged files": damagedWavs };

for (const [kind, files] of Object.entries(kinds)) {
  test(`[U4] 30000 ${kind} are read or refused, never anything else`, { timeout: 0 }, async () => {
    const sound = fc.asyncProperty(files, pieceSizes, (bytes, sizes) =>
      expectSoundJudgement(bytes, sizes),
    );
    await fc.assert(sound, { numRuns: 30_000 });
  });
}
