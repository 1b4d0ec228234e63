import * as fc from "fast-check";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import type { SetPackage } from "../../../core/live-set/plan-live-set.ts";
import type { SetAudio } from "../../../core/live-set/set-plan.ts";
import type { Sound } from "../../../core/manifest/manifest.ts";
import { SOUND_KINDS, SOUND_ROLES, WARP_MODE_KEYS } from "../../../core/manifest/manifest.ts";
import { cleanName } from "../../../core/text/clean-text.ts";
import { sampleHeader, samplePackage } from "../layout/sample-package.ts";
import { anyText } from "../text/any-text.ts";

const TEMPO = fc.oneof(
  fc.constantFrom(20, 999, 120, 174),
  fc.double({ min: 20, max: 999, noNaN: true }),
);
const BEATS = fc.oneof(
  fc.integer({ min: 1, max: 64 }),
  fc.double({ min: 0.01, max: 4096, noNaN: true }),
);
const NAME = anyText.map((text) => cleanName(text) || "Sound");

/** Sounds with any settings that a manifest may have, and any length and rate. */
const SOUND = fc.record(
  {
    name: NAME,
    kind: fc.constantFrom(...SOUND_KINDS),
    role: fc.constantFrom(...SOUND_ROLES),
    bpm: TEMPO,
    length_beats: BEATS,
    warp_mode: fc.constantFrom(...WARP_MODE_KEYS),
    gain_db: fc.oneof(fc.constantFrom(-70, 0, 24), fc.double({ min: -70, max: 24, noNaN: true })),
    color: fc
      .integer({ min: 0, max: 0xffffff })
      .map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`),
  },
  { requiredKeys: ["name", "kind"] },
);
const FILE = fc.record({
  frames: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20_000_000 })),
  rate: fc.constantFrom(8000, 22_050, 44_100, 48_000, 96_000, 192_000),
  sizeBytes: fc.integer({ min: 45, max: 200_000_000 }),
  crc: fc.integer({ min: 0, max: 0xffff }),
  from: fc.constantFrom("set" as const, "project" as const),
});

const PACKAGE = fc.record({
  title: NAME,
  tempo: fc.option(
    fc.record(
      {
        bpm: TEMPO,
        time_signature: fc.tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom(1, 2, 4, 8, 16)),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
  items: fc.array(fc.tuple(SOUND, FILE), { minLength: 1, maxLength: 4 }),
  colorTurn: fc.nat(1000),
});

/** One to three packages as a Set gets them, each with at least one sound. */
export const RANDOM_PACKAGES = fc
  .array(PACKAGE, { minLength: 1, maxLength: 3 })
  .map((packages) => packages.map(packageInSet));

type Drawn = typeof PACKAGE extends fc.Arbitrary<infer Value> ? Value : never;

function packageInSet({ title, tempo, items, colorTurn }: Drawn): SetPackage {
  const sounds = items.map(([sound], at): Sound => ({
    ...sound,
    file: `${at}.wav`,
    id: String(at),
  }));
  const read = samplePackage(sounds, { title, ...(tempo !== undefined && { tempo }) });
  const headers = items.map(
    ([, { frames, rate }], at) => [String(at), sampleHeader(frames, rate)] as const,
  );
  return {
    layout: planLayout({ ...read, sounds: new Map(headers), colorTurn }),
    audio: new Map(items.map(([, file], at) => [String(at), audioOf(file, at)])),
  };
}

function audioOf(
  { frames, rate, from, sizeBytes, crc }: Drawn["items"][0][1],
  at: number,
): SetAudio {
  const relativePath = from === "set" ? `../${at}.wav` : `Samples/Imported/${at}.wav`;
  return {
    file: { from, relativePath, path: `/Kit/${at}.wav` },
    sizeBytes,
    crc,
    modifiedSeconds: 1_700_000_000,
    frames,
    sampleRateHz: rate,
  };
}
