import { expect } from "vitest";
import type { PlacedSound } from "../../addon/hosts/host.ts";
import type { Layout, TrackPlan } from "../../core/layout/layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { beatAt } from "../../core/layout/warp-markers.ts";
import { WARP_MODES } from "../../core/manifest/manifest.ts";
import type { FakeSet, FakeTrack } from "./fake-live-set.ts";
import { placedOf } from "./live-studio.ts";
import { clipOf, tracksAfter } from "./look-in-set.ts";

const SAME = 1e-9;
const SAME_DB = 0.1;
/** Live's display of silence counts as the least gain that can be asked for. */
const SILENCE_DB = -70;

/** Checks that a report says what the Set holds, setting by setting. */
export function expectTrueReport(
  layout: Layout,
  placed: readonly PlacedSound[],
  [before, after]: readonly [FakeSet, FakeSet],
): void {
  const made = tracksAfter(before, after);
  const reported = placed.filter((sound) => !("error" in sound)).map(({ soundId }) => soundId);
  const plans = usableTracks(layout).filter(({ soundId }) => reported.includes(soundId));
  expect(made.map(({ name }) => name)).toEqual(plans.map(({ trackName }) => trackName));
  for (const [index, plan] of plans.entries()) {
    const track = made[index];
    if (track !== undefined) expectTold(plan, placed, track, after);
  }
}

function expectTold(
  plan: TrackPlan,
  placed: readonly PlacedSound[],
  track: FakeTrack,
  { scenes }: FakeSet,
): void {
  const { holds, notes, unchecked = [] } = placedOf(placed, plan.soundId);
  const clip = clipOf(track);
  const [is, told] = [(what: string) => `${what} of ${plan.soundId}`, notes.join(" ")];
  expect(holds, is("plain settings")).toMatchObject({
    trackName: track.name,
    clipName: clip.name,
    warping: clip.warping,
    looping: clip.looping,
  });
  expect(holds.file?.got, is("file")).toBe(clip.filePath);
  if (clip.warping) expect(WARP_MODES[holds.warpMode ?? "beats"], is("mode")).toBe(clip.warpMode);
  expect([track.colorIndex, clip.colorIndex], is("color")).toContain(holds.colorIndex);
  if (track.colorIndex !== plan.colorIndex || clip.colorIndex !== plan.colorIndex) {
    expect(holds.colorIndex, is("color")).not.toBe(plan.colorIndex);
  }
  const near = (got: number | null | undefined, held: number, what: string, slack = SAME) =>
    expect(Math.abs((got ?? NaN) - held), `${is(what)}: ${got}, ${held}`).toBeLessThan(slack);
  if (!unchecked.includes("gain")) near(holds.gainDb, clip.gainDb ?? SILENCE_DB, "gain", SAME_DB);
  near(holds.startSeconds, clip.startSeconds, "start");
  if (clip.looping) near(holds.loopStartSeconds, clip.loopStartSeconds, "loop start");
  if (clip.warping) {
    const points = [...clip.markers, clip.shadow].map(([seconds, beats]) => ({ seconds, beats }));
    expect(holds.warpMarkers, is("markers")).toEqual(points);
    near(holds.loopEndBeats, clip.loopEnd - beatAt(points, 0), "loop end");
  } else if (Math.abs(clip.endSeconds - clip.frames / clip.sampleRate) > 1 / clip.sampleRate) {
    expect(told, is("end")).toMatch(/It ends at/);
  }
  if (clip.pitchCoarse !== 0 || clip.pitchFine !== 0) expect(told).toMatch(/transposed/);
  if (track.arm) expect(told).toMatch(/is armed/);
  if (track.inputType !== "No Input") expect(told).toContain(`input is “${track.inputType}”`);
  if (track.volume !== 0.85) expect(told).toMatch(/fader is not at 0 dB/);
  if (scenes[clip.row]?.name !== "Kit (Looper)") expect(told).toMatch(/scene is called/);
  if (scenes[clip.row]?.colorIndex !== 5) expect(told).toMatch(/scene has color/);
}
