import { expect } from "vitest";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import type { Layout, TrackPlan } from "../../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../../core/layout/usable-tracks.ts";
import { beatAt } from "../../../../../core/layout/warp-markers.ts";
import { WARP_MODES } from "../../../../../core/manifest/manifest.ts";
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
  const reported = new Set(
    placed.filter((sound) => "holds" in sound).map(({ soundId }) => soundId),
  );
  const plans = usableTracks(layout).filter(({ soundId }) => reported.has(soundId));
  expect(made).toHaveLength(plans.length);
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
  const is = (what: string) => `${what} of ${plan.soundId}`;
  const told = [...notes, ...unchecked].join(" ");
  const same = (got: unknown, held: unknown, name: string) => {
    if (got === undefined) expect(unchecked, is(name)).toContain(name);
    else expect(got, is(name)).toEqual(held);
  };
  const near = (got: number | null | undefined, held: number, name: string, slack = SAME) => {
    if (got === undefined) expect(unchecked, is(name)).toContain(name);
    else expect(Math.abs((got ?? NaN) - held), `${is(name)}: ${got}, ${held}`).toBeLessThan(slack);
  };
  same(holds.trackName, track.name, "track name");
  same(holds.clipName, clip.name, "clip name");
  same(holds.warping, clip.warping, "warping");
  same(holds.looping, clip.looping, "loop");
  same(holds.file?.got, clip.filePath, "file");
  if (clip.warping) {
    const mode = holds.warpMode === undefined ? undefined : WARP_MODES[holds.warpMode ?? "beats"];
    same(mode, clip.warpMode, "warp mode");
  }
  const isOther = [track, clip].some(({ colorIndex }) => colorIndex !== plan.colorIndex);
  if (isOther && holds.colorIndex === plan.colorIndex) expect(told, is("color")).toMatch(/color/);
  near(holds.gainDb, clip.gainDb ?? SILENCE_DB, "gain", SAME_DB);
  near(holds.startSeconds, clip.startSeconds, "start");
  if (clip.looping) near(holds.loopStartSeconds, clip.loopStartSeconds, "loop start");
  if (clip.warping) {
    const points = [...clip.markers, clip.shadow].map(([seconds, beats]) => ({ seconds, beats }));
    same(holds.warpMarkers, points, "warp markers");
    if (clip.looping) near(holds.loopEndBeats, clip.loopEnd - beatAt(points, 0), "loop end");
  } else if (Math.abs(clip.endSeconds - clip.frames / clip.sampleRate) > 1 / clip.sampleRate) {
    expect(told, is("end")).toMatch(/It ends at|loop end/);
  }
  if (clip.pitchCoarse !== 0 || clip.pitchFine !== 0) expect(told).toMatch(/transposed|pitch/);
  if (track.arm) expect(told).toMatch(/is armed|arming/);
  if (track.inputType !== "No Input") expect(told).toMatch(/input/);
  if (track.volume !== 0.85) expect(told).toMatch(/fader/);
  if (scenes[clip.row]?.name !== "Kit (Looper)") expect(told).toMatch(/scene is called|scene name/);
  const color = scenes[clip.row]?.colorIndex ?? null;
  if (color === null) expect(told).toMatch(/scene has no color/);
  else if (color !== 5) expect(told).toMatch(/scene has color/);
}
