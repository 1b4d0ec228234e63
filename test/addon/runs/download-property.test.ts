import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { ConnectionLostError } from "../../../core/importer/import-errors.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ImportSite, passingTime } from "./import-site.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Attempt, cutAfter, failWith, MemorySource, streamOf } from "./memory-source.ts";
import { LEASE_ANSWER, relayWith } from "./relay-with.ts";
import { noise } from "./sound-relay.ts";

/** 4,044 bytes each. */
const WAVS = [1, 2, 3].map((seed) => noise(smallWav({ frames: 2000 }), seed));
const NAMES = ["Kick", "Snare", "Hat"];

const RELAY = relayWith({
  take: async () => LEASE_ANSWER,
  report: async () => ({ status: "imported" }),
});

const someAttempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.integer({ min: 0, max: 4044 }).map(cutAfter),
  fc
    .constantFrom(301, 403, 404, 409, 410, 416, 429, 500, 502, 503)
    .map((status) => failWith(new RelayError(status, "A page."))),
  fc.constant(failWith(new Error("ECONNRESET"))),
  // The range is ignored, or answered wrongly.
  fc.integer({ min: 0, max: 4044 }).map(
    (bytes): Attempt =>
      ({ wav }) =>
        streamOf(wav, 0, bytes),
  ),
  fc.integer({ min: 1, max: 4000 }).map(
    (start): Attempt =>
      ({ wav }) =>
        streamOf(wav, start),
  ),
  fc.constant<Attempt>(({ wav, startByte }) => ({ ...streamOf(wav, startByte), bodyBytes: 17 })),
);

const someFaults = fc.tuple(...NAMES.map(() => fc.array(someAttempt, { maxLength: 12 })));

test("[R1] whatever happens on the way, a run imports every sound or places nothing, and the next one continues", async () => {
  const folder = await temporaryFolder();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(someFaults, async (faults) => {
      runs += 1;
      const site = new ImportSite(`${folder}/${runs}`);
      const sounds = NAMES.map((name, index) => ({ name, wav: WAVS[index] ?? Buffer.alloc(0) }));
      const source = new MemorySource(sounds, "pkg_a", RELAY);
      faults.forEach((attempts, index) =>
        source.attempts.set(`${NAMES[index]}.wav`, [...attempts]),
      );
      const first = await site.import(source, passingTime()).catch((error: unknown) => error);
      if (first instanceof Error) {
        expect(first).toBeInstanceOf(ConnectionLostError);
        expect((await site.session()).scenes).toEqual([]);
        source.attempts.clear();
        await site.import(source, passingTime());
      }
      const { scenes, tracks } = await site.session();
      expect([scenes.length, tracks.length]).toEqual([1, NAMES.length]);
      for (const [index, name] of NAMES.entries()) {
        const fetched = await site.readSound(`Kit/${name}.wav`);
        expect(fetched.equals(WAVS[index] ?? Buffer.alloc(0))).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});
