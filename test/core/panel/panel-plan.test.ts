import { expect, test } from "vitest";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import type { Layout, PlannedSound, TrackPlan } from "../../../core/layout/layout.ts";
import { panelPlanOf } from "../../../core/panel/panel-plan.ts";
import { LOOP as CONTRACT_LOOP } from "../../contracts/host/host-contract.ts";

const LOOP: TrackPlan = { ...CONTRACT_LOOP, soundId: "1", tempoBpm: 126, colorIndex: 2 };
const LOST: PlannedSound = {
  soundId: "lost",
  trackName: "Lost (Looper)",
  clipName: "Lost",
  kind: "loop",
  error: "lost.wav is not at the relay.",
};
const HEADER: WavHeader = {
  encoding: "pcm",
  channels: 1,
  sampleRateHz: 48_000,
  bitsPerSample: 16,
  dataOffset: 44,
  dataBytes: 144_000,
  frames: 72_000,
};

function planOf(...tracks: readonly PlannedSound[]) {
  const layout: Layout = {
    packageId: "pkg_1",
    scene: { name: "Kit (Looper)" },
    session: { tempoBpm: null, timeSignature: [6, 8] },
    tracks,
    warnings: [],
  };
  const sounds = new Map<string, WavHeader | { readonly error: string }>([
    ["1", HEADER],
    ["lost", { error: "lost.wav is not at the relay." }],
  ]);
  return panelPlanOf({ layout, sounds });
}

test("[N6] shows each track with its color and its length, and why there is none", () => {
  expect(planOf(LOOP, LOST)).toEqual({
    sceneName: "Kit (Looper)",
    tempoBpm: 126,
    beatsPerBar: 3,
    tracks: [
      {
        id: "1",
        warpMode: "beats",
        looping: true,
        loopEndBeats: 16,
        tempoBpm: 126,
        gainDb: -3,
        notes: [],
        color: "#CC9927",
        durationSeconds: 1.5,
      },
      {
        id: "lost",
        error: "lost.wav is not at the relay.",
        color: null,
      },
    ],
  });
});

test("[N5] the loops' one tempo is theirs only where no two differ", () => {
  const guessed = { ...LOOP, tempoBpm: null };
  expect(planOf(LOOP, LOOP, guessed, LOST).tempoBpm).toBe(126);
  expect(planOf(LOOP, { ...LOOP, tempoBpm: 63 }).tempoBpm).toBeNull();
  expect(planOf(guessed, LOST).tempoBpm).toBeNull();
});
