import type { Layout, TrackPlan } from "../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import { WARP_MODES } from "../../../../core/manifest/manifest.ts";
import { type AudioLength, planWarp, type WarpAttempt } from "./plan-warp.ts";

/** The body of a `place` request (docs/use/live.md). */
export interface PlaceMessage {
  readonly run: string;
  readonly package: string;
  /** The Set's new tempo in BPM; null to keep it. */
  readonly tempo: number | null;
  readonly scene: SceneMessage;
  readonly tracks: readonly TrackMessage[];
}

export interface SceneMessage {
  readonly name: string;
  /** The scene's index into Live's palette. */
  readonly color: number;
  /** The scene's tempo in BPM; null for none. */
  readonly tempo: number | null;
  /** The new scene's row, -1 for the end, null for below the selected scene. */
  readonly index: number | null;
}

export interface TrackMessage {
  readonly sound: string;
  /** The run in the mark of the earlier track that gets the clip; null for a new track. */
  readonly on: string | null;
  readonly name: string;
  readonly color: number;
  /** The file's absolute path, without links. */
  readonly file: string;
  readonly clip: {
    readonly name: string;
    readonly color: number;
    readonly warping: boolean;
    /** Live's number of the mode; null to leave it. */
    readonly warp_mode: number | null;
    readonly looping: boolean;
    readonly attempts: readonly WarpAttempt[];
    readonly gain: { readonly db: number; readonly value: number | null };
  };
}

/** The file that a clip will play. */
export interface SoundAudio extends AudioLength {
  /** The file's absolute path, without links. */
  readonly path: string;
}

export interface RequestOptions {
  readonly runId: string;
  /** The audio of every usable sound, by sound id. */
  readonly audio: ReadonlyMap<string, SoundAudio>;
  /** The new scene's row, -1 for the end, null for below the selected scene. */
  readonly sceneIndex: number | null;
  readonly writesSceneTempo: boolean;
  /** The Set's new tempo (rule R6). */
  readonly setTempoBpm: number | undefined;
  /** The run in the mark of the track that gets a sound's clip, by sound id; the other sounds get a new track. */
  readonly earlier: ReadonlyMap<string, string>;
}

/** Plans the one request that places a layout: all decisions are made here, none in Live. */
export function planRequest(layout: Layout, options: RequestOptions): PlaceMessage {
  const tracks = usableTracks(layout);
  return {
    run: options.runId,
    package: layout.packageId,
    tempo: options.setTempoBpm ?? null,
    scene: {
      name: layout.scene.name,
      color: commonColor(tracks),
      tempo: options.writesSceneTempo ? layout.session.tempoBpm : null,
      index: options.sceneIndex,
    },
    tracks: tracks.map((plan) => planTrack(plan, options)),
  };
}

/**
 * Returns the most frequent color of the tracks, the first of equally frequent ones. Sounds without a color of
 * their own share the package's, so this is the package's color wherever it has one.
 */
function commonColor(tracks: readonly Pick<TrackPlan, "colorIndex">[]): number {
  const counts = new Map<number, number>();
  for (const { colorIndex } of tracks) counts.set(colorIndex, (counts.get(colorIndex) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}

function planTrack(
  plan: TrackPlan,
  { audio, earlier }: Pick<RequestOptions, "audio" | "earlier">,
): TrackMessage {
  const file = audio.get(plan.soundId);
  if (file === undefined) throw new RangeError(`${plan.soundId} has no file.`);
  return {
    sound: plan.soundId,
    on: earlier.get(plan.soundId) ?? null,
    name: plan.trackName,
    color: plan.colorIndex,
    file: file.path,
    clip: {
      name: plan.clipName,
      color: plan.colorIndex,
      warping: plan.warping,
      warp_mode: plan.warpMode === null ? null : WARP_MODES[plan.warpMode],
      looping: plan.looping,
      attempts: planWarp(plan, file),
      gain: { db: plan.gainDb, value: rawGain(plan.gainDb) },
    },
  };
}

/** Returns Live's raw gain; null below 0 dB, where its scale bends and only its display tells. */
function rawGain(gainDb: number): number | null {
  return gainDb < 0 ? null : (gainDb + 16) / 40;
}
