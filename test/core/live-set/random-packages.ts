import * as fc from "fast-check";
import { expect } from "vitest";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import type { TrackPlan } from "../../../core/layout/layout.ts";
import { colorLayout } from "../../../core/layout/palette.ts";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import { planSession } from "../../../core/layout/plan-session.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { checkLiveSet } from "../../../core/live-set/check/check-live-set.ts";
import { formatLiveSet } from "../../../core/live-set/format-live-set.ts";
import { planLiveSet, type SetPackage } from "../../../core/live-set/plan-live-set.ts";
import type { SetAudio } from "../../../core/live-set/set-plan.ts";
import { parseXmlTree } from "../../../core/live-set/xml-tree.ts";
import { SOUND_ROLES, WARP_MODE_KEYS } from "../../../core/manifest/manifest.ts";
import { parseLocalManifest } from "../../../core/manifest/parse-manifest.ts";
import { CODE_POINT } from "../../code-point.ts";
import { clipsIn, expectSound, FIVE_SECONDS, markersOf } from "./made-set.ts";

const NAME = fc.oneof(
  fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 12 }),
  fc.constantFrom("#", "##1", "# kick", "a\"<&>'b", "\u0001", " "),
);
/** Decimals as people and apps write them, and any others. */
const TEMPO = fc.oneof(
  fc.integer({ min: 2000, max: 99_900 }).map((n) => n / 100),
  fc.double({ min: 20, max: 999, noNaN: true }),
);

const SOUND = fc.record(
  {
    name: NAME,
    kind: fc.constantFrom("loop", "loop", "oneshot"),
    role: fc.constantFrom(...SOUND_ROLES),
    bpm: TEMPO,
    length_beats: fc.oneof(
      fc.integer({ min: 1, max: 64 }),
      fc.double({ min: 0.01, max: 2000, noNaN: true }),
    ),
    warp_mode: fc.constantFrom(...WARP_MODE_KEYS),
    gain_db: fc.double({ min: -70, max: 24, noNaN: true }),
    color: fc
      .integer({ min: 0, max: 0xff_ffff })
      .map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`),
  },
  { requiredKeys: ["name", "kind"] },
);

const HEADER: fc.Arbitrary<WavHeader> = fc
  .record({
    sampleRateHz: fc.constantFrom(8000, 11_025, 44_100, 48_000, 96_000, 192_000),
    frames: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 20_000_000 })),
  })
  .map(({ sampleRateHz, frames }) => ({
    sampleRateHz,
    frames,
    encoding: "pcm",
    channels: 1,
    bitsPerSample: 16,
    dataOffset: 44,
    dataBytes: frames * 2,
  }));

/** A package as an app sends it, through the manifest's reader and the layout's planner. */
const PACKAGE: fc.Arbitrary<SetPackage> = fc
  .record({
    title: NAME,
    tempo: fc.record(
      {
        bpm: TEMPO,
        time_signature: fc.tuple(
          fc.integer({ min: 1, max: 110 }),
          fc.constantFrom(1, 2, 3, 4, 8, 16, 32),
        ),
      },
      { requiredKeys: [] },
    ),
    sounds: fc.array(fc.tuple(SOUND, HEADER), { minLength: 1, maxLength: 6 }),
    colorTurn: fc.nat({ max: 20 }),
  })
  .map(({ title, tempo, sounds, colorTurn }) => {
    const items = sounds.map(([sound], index) => ({ ...sound, file: `${index}.wav` }));
    const { manifest, warnings } = parseLocalManifest(
      { schema: "app2host/1", title, source: { app: "Looper" }, tempo, items },
      { packageId: "pkg_a" },
    );
    const headers = new Map(
      manifest.items.map(({ id }, index) => [id, sounds[index]?.[1]] as const),
    );
    const known = new Map(
      [...headers].flatMap(([id, header]) => (header === undefined ? [] : [[id, header]])),
    );
    const layout = planLayout({ manifest, warnings, sounds: known, colorTurn });
    const audio = new Map([...known].map(([id, header]) => [id, audioOf(id, header)]));
    return { layout: colorLayout(layout, colorTurn), audio };
  });

function audioOf(id: string, { frames, sampleRateHz, dataBytes }: WavHeader): SetAudio {
  const name = `${encodeURIComponent(id)}.wav`;
  const file = { from: "set", relativePath: `../${name}`, path: `/sounds/${name}` } as const;
  return { ...FIVE_SECONDS, file, frames, sampleRateHz, sizeBytes: dataBytes + 44 };
}

/** Expects of Sets of one to three random packages what the rules say. */
export function checkRandomSets(options: { readonly numRuns: number }): void {
  const packages = fc.array(PACKAGE, { minLength: 1, maxLength: 3 });
  fc.assert(fc.property(packages, expectSet), options);
}

function expectSet(packages: readonly SetPackage[]): void {
  const document = parseXmlTree(formatLiveSet(planLiveSet(packages)));
  const { list } = checkLiveSet(document);
  expect([...list.faults, ...list.notes]).toEqual([]);
  expectSound(document.root);
  const { tempoBpm: setTempoBpm } = planSession(packages);
  const plans = packages.flatMap(({ layout, audio }) =>
    usableTracks(layout).map((plan) => ({ plan, audio: audio.get(plan.soundId) })),
  );
  const clips = clipsIn(document.root);
  expect(clips).toHaveLength(plans.length);
  for (const [index, { clip }] of clips.entries()) {
    const [plan, audio] = [plans[index]?.plan, plans[index]?.audio];
    if (plan === undefined || audio === undefined) throw new Error("It has no plan.");
    expectMarkers(markersOf(clip), plan, {
      seconds: audio.frames / audio.sampleRateHz,
      setTempoBpm,
    });
  }
}

/** Expects markers exact to 10⁻⁹ s (rules LS4, LS5). */
function expectMarkers(
  markers: ReturnType<typeof markersOf>,
  plan: TrackPlan,
  { seconds, setTempoBpm }: { readonly seconds: number; readonly setTempoBpm: number },
): void {
  const filling = plan.loopEndBeats === null ? Number.NaN : (60 * plan.loopEndBeats) / seconds;
  const guessed = filling >= 5 && filling <= 999 ? filling : setTempoBpm;
  const tempoBpm = plan.tempoBpm ?? (plan.warping ? guessed : setTempoBpm);
  const [first, end, hidden] = markers;
  if (end === undefined || hidden === undefined) throw new Error("It lacks markers.");
  expect(markers).toHaveLength(3);
  expect(first).toEqual({ sec: 0, beat: 0 });
  const loopSeconds = ((plan.loopEndBeats ?? Infinity) * 60) / tempoBpm;
  expect(Math.abs(end.sec - Math.min(seconds, loopSeconds))).toBeLessThan(1e-9);
  expect(Math.abs(hidden.beat - end.beat - 1 / 32)).toBeLessThan(1e-9);
  for (const { sec, beat } of markers)
    expect(Math.abs((beat * 60) / tempoBpm - sec)).toBeLessThan(1e-9);
}
