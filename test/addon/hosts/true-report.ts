import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { beatAt, secondsAt } from "../../../core/layout/warp-markers.ts";
import { PALETTE } from "../../../core/layout/palette.ts";
import { WARP_MODES } from "../../../core/manifest/manifest.ts";
import type { ImportedTrack, ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { allMarkers } from "./live/stand-in/clip-warp.ts";
import type { ClipPicture, TrackPicture } from "./live/stand-in/look-at-set.ts";
import { readSamples } from "../../fixtures/read-samples.ts";
import type { LiveStudio } from "./live-studio.ts";

const MODE_NAMES = new Map<number, string>(
  Object.entries(WARP_MODES).map(([name, mode]) => [mode, name]),
);
/** Differences that a report may leave out: a thousandth of a tempo, a 32-bit float's error in a volume. */
const SLACK = {
  tempo_bpm: 0.001,
  loop_beats: 0.0001,
  start: 0.001,
  loop_start: 0.001,
  gain_db: 0.01,
} as const;

/**
 * Checks that a report says of each sound what the Set holds: a track with every setting that was
 * asked for or told as a difference, or none. Files that clips play must be there.
 * @param before tracks that were in the Set already
 */
export async function expectTrueReport(
  studio: LiveStudio,
  outcome: ImportOutcome,
  before: readonly TrackPicture[] = [],
): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const made = studio.newTracks().filter(({ id }) => !known.has(id));
  const reported = outcome.tracks.filter(({ status }) => status === "imported");
  const stays = outcome.tracks.filter(({ error }) => error?.includes("stays") === true);
  expect(made).toHaveLength(reported.length + stays.length);
  if (!studio.live.look().scenes.includes(outcome.scene.name)) {
    for (const { notes } of reported) expect(notes.join(" ")).toMatch(/scene/);
  }
  for (const sound of outcome.tracks) {
    if (sound.status === "imported") await expectHeld(studio, sound, made);
    else expect(sound.error).toMatch(/^Live couldn't .+\.$|stays\.$/);
  }
}

async function expectHeld(
  studio: LiveStudio,
  sound: ImportedTrack,
  made: readonly TrackPicture[],
): Promise<void> {
  const [track, ...others] = made.filter(({ name }) => name === sound.track);
  const [clip, ...more] = track?.clips ?? [];
  if (track === undefined || clip === undefined) throw new Error(`${sound.track} is not there.`);
  expect([others, more]).toEqual([[], []]);
  const bakedDb = await bakedGain(clip.filePath, studio.wavOf(sound.clip));
  const held: Record<string, unknown> = { ...settingsOf(clip), gain_db: volumeDb(track) + bakedDb };
  for (const [setting, holds] of Object.entries(held)) {
    expectTold(sound, setting, holds);
  }
  expectMarkersTold(sound, clip);
  if (sound.file === null) return;
  expect(existsSync(join(studio.site.sounds, "Kit", sound.file))).toBe(true);
  expect(sound.path).toBe(`Kit/${sound.file}`);
  // What Live copied into its project isn't in the sounds folder.
  const [played, kit] = [
    realpathSync(clip.filePath),
    realpathSync(join(studio.site.sounds, "Kit")),
  ];
  if (dirname(played) === kit) expect(basename(played)).toBe(sound.file);
}

function expectTold(sound: ImportedTrack, setting: string, holds: unknown): void {
  const asked =
    ASKED_OF_ALL[setting] ?? Object.entries(sound).find(([name]) => name === setting)?.[1];
  const difference = sound.differences.find((each) => each.setting === setting);
  if (asked === null || asked === undefined) return;
  const told = difference === undefined ? asked : difference.got;
  const name = `${setting} of ${sound.clip}`;
  if (typeof told !== "number" || typeof holds !== "number") {
    expect(told, name).toBe(holds);
    return;
  }
  const slack = slackOf(setting) * (setting === "tempo_bpm" ? holds : 1);
  expect(Math.abs(told - holds), `${name}: ${told} reported, ${holds} held`).toBeLessThanOrEqual(
    slack,
  );
}

/** Settings that no sound has, because all start at their file's first sample. */
const ASKED_OF_ALL: Readonly<Record<string, number>> = { start: 0, loop_start: 0 };

function slackOf(setting: string): number {
  return Object.entries(SLACK).find(([name]) => name === setting)?.[1] ?? 0;
}

function settingsOf(clip: ClipPicture): Record<string, unknown> {
  return {
    clip: clip.name,
    warping: clip.warping,
    start: secondsAtOf(clip, clip.startMarker),
    ...(clip.looping && { loop_start: secondsAtOf(clip, clip.loopStart) }),
    warp_mode: MODE_NAMES.get(clip.warpMode),
    looping: clip.looping,
    loop_beats: clip.loopEnd - clip.loopStart,
    tempo_bpm: clip.heardBpm,
    color_index: PALETTE.indexOf(clip.color),
  };
}

function secondsAtOf(clip: ClipPicture, place: number): number {
  return clip.warping ? secondsAt(allMarkers(clip), place) : place;
}

/** Live's markers of a loop with a tempo are on its line, or told. */
function expectMarkersTold(
  { tempo_bpm, loop_beats, differences }: ImportedTrack,
  clip: ClipPicture,
) {
  if (!clip.warping || tempo_bpm === null || loop_beats === null) return;
  const isTold = differences.some(({ setting }) => setting === "warp_markers");
  const markers = allMarkers(clip);
  const seconds = [0, (60 * loop_beats) / tempo_bpm, ...clip.markers.map((each) => each.seconds)];
  const isOff = seconds.some(
    (each) => Math.abs(beatAt(markers, each) - (each * tempo_bpm) / 60) > loop_beats * 0.001,
  );
  expect(isTold, `warp markers of ${clip.name}`).toBe(isOff);
}

function volumeDb({ volume }: TrackPicture): number {
  return 40 * volume - 34;
}

/** Returns the gain in the samples of a gained copy, in dB; 0 for a plain file. */
async function bakedGain(path: string, original: Buffer): Promise<number> {
  const copy = readFileSync(path);
  if (copy.equals(original)) return 0;
  const [got, was] = [
    await readSamples(copy, basename(path)),
    await readSamples(original, basename(path)),
  ];
  return 20 * Math.log10(loudness(got.channels[0]) / loudness(was.channels[0]));
}

function loudness(samples: Float64Array | undefined): number {
  return Math.max(...(samples ?? []).slice(0, 1000).map(Math.abs));
}
