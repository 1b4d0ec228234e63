import { PLAY_BYTES } from "../../../core/audio/sound-limits.ts";
import type { PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";
import { t } from "../page-language.ts";
import { type WarpMethod, warpMethodOf } from "./warp/warp-method.ts";

/** The facts of a track that playback needs. */
export type PlayableTrack = Pick<
  PreviewUsableTrack,
  | "id"
  | "revision"
  | "bytes"
  | "frames"
  | "sampleRateHz"
  | "looping"
  | "warp_mode"
  | "loop_beats"
  | "tempo_bpm"
  | "gain_db"
>;

/** A part's timing. Loops follow the scene's beats, or repeat their own file if its beats are unknown (`guessed`). */
type PartTiming = "beats" | "guessed" | "once";

/** A track of a scene as it plays at the scene's tempo. */
export interface PlannedPart {
  readonly soundId: string;
  readonly timing: PartTiming;
  /** Speed at which its file is played: 2 is twice as fast. */
  readonly rate: number;
  /** True if its tempo differs from the scene's, so that it plays faster or slower. */
  readonly isStretched: boolean;
  /** Method that keeps its pitch while it plays faster or slower; null if none is needed, or for Re-Pitch. */
  readonly method: WarpMethod | null;
  /** True if its file is decoded while it plays, because the scene's sounds are too long to be held whole. */
  readonly isStreamed: boolean;
  /** True if its pitch follows the tempo only because it is streamed, which stretching can't follow. */
  readonly isTooLongToWarp: boolean;
  /** Length of the part of the file that is heard, in the file's own time. */
  readonly heardSeconds: number;
  /** The length of a pass, in the scene's time; null if it plays once. */
  readonly passSeconds: number | null;
  /** Linear; 0 dB is 1. */
  readonly gain: number;
  /** The reason why it can't be played; null if it can. */
  readonly problem: string | null;
}

/** Relative difference below which tempi are equal: beats and tempi have 6 decimals. */
const SAME_TEMPO = 1e-6;
/** Shorter passes hum rather than loop, and each costs the browser a node. */
const SHORTEST_PASS_SECONDS = 0.01;

/** Length of all sounds together up to which a scene is decoded whole: about 160 MB in stereo. */
const WHOLE_SCENE_SECONDS = 420;
/** Sounds up to this length are decoded whole in every scene. */
const SHORT_SECONDS = 20;

/** Plans how a scene's tracks play together at its tempo (rules V8 and V19). */
export function planPlayback(
  tracks: readonly PlayableTrack[],
  tempoBpm: number,
): readonly PlannedPart[] {
  const seconds = tracks.map(fileSecondsOf);
  const isLong = seconds.reduce((sum, one) => sum + one, 0) > WHOLE_SCENE_SECONDS;
  return tracks.map((track) => {
    const part = planPart(track, tempoBpm, isLong && fileSecondsOf(track) > SHORT_SECONDS);
    return { ...part, problem: problemOf(track, part) };
  });
}

/** Returns the length of a scene at its tempo, in beats: that of its longest sound. */
export function sceneBeats(tracks: readonly PlayableTrack[], tempoBpm: number): number {
  const beats = planPlayback(tracks, tempoBpm).map(
    ({ passSeconds, heardSeconds }) => ((passSeconds ?? heardSeconds) * tempoBpm) / 60,
  );
  return Math.max(0, ...beats);
}

/** Returns a part's position in its file at a time since the scene's start, both in seconds. */
export function filePositionOf(
  { passSeconds, rate }: Pick<PlannedPart, "passSeconds" | "rate">,
  sinceStart: number,
): number {
  return (sinceStart % (passSeconds ?? Infinity)) * rate;
}

function fileSecondsOf({ frames, sampleRateHz }: PlayableTrack): number {
  return frames / sampleRateHz;
}

function planPart(
  track: PlayableTrack,
  sceneBpm: number,
  isStreamed: boolean,
): Omit<PlannedPart, "problem"> {
  const fileSeconds = fileSecondsOf(track);
  const asItIs = {
    soundId: track.id,
    rate: 1,
    isStretched: false,
    method: null,
    isStreamed,
    isTooLongToWarp: false,
    heardSeconds: fileSeconds,
    gain: 10 ** (track.gain_db / 20),
  };
  if (!track.looping) return { ...asItIs, timing: "once", passSeconds: null };
  const beats = track.loop_beats;
  if (beats === null) return { ...asItIs, timing: "guessed", passSeconds: fileSeconds };

  const ownBpm = track.tempo_bpm ?? (beats * 60) / fileSeconds;
  const isStretched = Math.abs(sceneBpm / ownBpm - 1) > SAME_TEMPO;
  const method = isStretched ? warpMethodOf(track.warp_mode) : null;
  return {
    ...asItIs,
    timing: "beats",
    rate: isStretched ? sceneBpm / ownBpm : 1,
    isStretched,
    method: isStreamed ? null : method,
    isTooLongToWarp: isStreamed && method !== null,
    heardSeconds: Math.min(fileSeconds, (beats * 60) / ownBpm),
    passSeconds: (beats * 60) / sceneBpm,
  };
}

function problemOf(
  { bytes }: PlayableTrack,
  { passSeconds }: Omit<PlannedPart, "problem">,
): string | null {
  if (bytes > PLAY_BYTES) return t("playback.tooLarge");
  if (passSeconds !== null && passSeconds < SHORTEST_PASS_SECONDS) {
    return t("playback.tooShort");
  }
  return null;
}
