import type { Layout, TrackPlan } from "../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import { WARP_MODES } from "../../../../core/manifest/manifest.ts";
import type { PlaceMessage, TrackMessage } from "./place-message.ts";
import { type AudioLength, planWarp } from "./plan-warp.ts";

/** A file that a clip will play. */
export interface SoundAudio extends AudioLength {
  /** Absolute, without links. */
  readonly path: string;
}

export interface RequestOptions {
  readonly runId: string;
  /** By sound id, for every usable sound. */
  readonly audio: ReadonlyMap<string, SoundAudio>;
  /** The new scene's row, -1 for the end, null for below the selected scene. */
  readonly sceneIndex: number | null;
  readonly writesSceneTempo: boolean;
  /** The Set's new tempo (rule R6). */
  readonly setTempoBpm: number | undefined;
  /** By sound id: the run in the mark of the track that gets its clip; the others get a new one. */
  readonly earlier: ReadonlyMap<string, string>;
}

/** Plans the one request that places a layout. Everything is decided here. */
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
 * Returns the color that most tracks have, of equally frequent ones the first. Sounds without a color of
 * their own share the package's, so this is the package's color wherever it has one.
 */
export function commonColor(tracks: readonly Pick<TrackPlan, "colorIndex">[]): number {
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
