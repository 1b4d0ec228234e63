import { PLAY_BYTES } from "../../../../core/page/sound-limits.ts";
import type { PreviewUsableTrack } from "../../../../core/protocol/preview-api.ts";

/** What playback must know of a track. */
export type PlayableTrack = Pick<
  PreviewUsableTrack,
  | "id"
  | "revision"
  | "bytes"
  | "frames"
  | "sampleRateHz"
  | "looping"
  | "loop_beats"
  | "tempo_bpm"
  | "gain_db"
>;

/**
 * What a part keeps to: the scene's beats; its own file, because nobody said how many beats that is and
 * the host guesses; or nothing, because it plays once.
 */
export type PartTiming = "beats" | "guessed" | "once";

/** How a track of a scene plays at the scene's tempo. */
export interface PlannedPart {
  readonly soundId: string;
  readonly timing: PartTiming;
  /** How fast the file plays: 1 is as it is, 2 is twice as fast and an octave higher. */
  readonly rate: number;
  /** Whether its tempo is not the scene's, so that it plays faster or slower than it is. */
  readonly isStretched: boolean;
  /** From the file's start, in its own time: what comes after is not heard. At most the whole file. */
  readonly heardSeconds: number;
  /** From one beginning to the next, in the scene's time; null for what plays once. */
  readonly passSeconds: number | null;
  /** A factor; a gain of 0 dB is 1. */
  readonly gain: number;
  /** A sentence that says why it can't be played; null where it can. */
  readonly problem: string | null;
}

/** Tempi this near to each other, in parts of the whole, are one: beats and tempi come with 6 decimals. */
const SAME_TEMPO = 1e-6;
/** Shorter passes are a hum rather than a loop, and each costs the browser a node. */
const SHORTEST_PASS_SECONDS = 0.01;

/**
 * Plans how the tracks of a scene play together, all from one moment on (rule V8).
 * @param tempoBpm of the scene, `MIN_BPM` to `MAX_BPM`
 */
export function planPlayback(
  tracks: readonly PlayableTrack[],
  tempoBpm: number,
): readonly PlannedPart[] {
  return tracks.map((track) => {
    const part = planPart(track, tempoBpm);
    return { ...part, problem: problemOf(track, part) };
  });
}

function planPart(track: PlayableTrack, sceneBpm: number): Omit<PlannedPart, "problem"> {
  const fileSeconds = track.frames / track.sampleRateHz;
  const asItIs = {
    soundId: track.id,
    rate: 1,
    isStretched: false,
    heardSeconds: fileSeconds,
    gain: 10 ** (track.gain_db / 20),
  };
  if (!track.looping) return { ...asItIs, timing: "once", passSeconds: null };
  const beats = track.loop_beats;
  if (beats === null) return { ...asItIs, timing: "guessed", passSeconds: fileSeconds };

  const ownBpm = track.tempo_bpm ?? (beats * 60) / fileSeconds;
  const isStretched = Math.abs(sceneBpm / ownBpm - 1) > SAME_TEMPO;
  return {
    ...asItIs,
    timing: "beats",
    rate: isStretched ? sceneBpm / ownBpm : 1,
    isStretched,
    heardSeconds: Math.min(fileSeconds, (beats * 60) / ownBpm),
    passSeconds: (beats * 60) / sceneBpm,
  };
}

function problemOf(
  { bytes }: PlayableTrack,
  { passSeconds }: Omit<PlannedPart, "problem">,
): string | null {
  if (bytes > PLAY_BYTES) return "This sound is too large to play here.";
  if (passSeconds !== null && passSeconds < SHORTEST_PASS_SECONDS) {
    return "This loop is too short to play at this tempo.";
  }
  return null;
}
