import * as fc from "fast-check";
import { test } from "vitest";
import { chunkSoups, damagedWavs, expectSoundJudgment, noise, pieceSizes } from "./hostile-wavs.ts";

const kinds = { noise, "chunk soups": chunkSoups, "damaged files": damagedWavs };

for (const [kind, files] of Object.entries(kinds)) {
  test(`[U4] ${kind} are read or refused without other errors`, async () => {
    await fc.assert(
      fc.asyncProperty(files, pieceSizes, (bytes, sizes) => expectSoundJudgment(bytes, sizes)),
      { numRuns: 300 },
    );
  });
}

test("[U1][U4] a false announced size does no harm", async () => {
  const lies = fc.oneof(fc.nat(400), fc.constantFrom(0, 11, 12, 20, 209_715_200));
  await fc.assert(fc.asyncProperty(damagedWavs, pieceSizes, lies, expectSoundJudgment), {
    numRuns: 300,
  });
});
