import type { PlayableTrack } from "../../../pages/kit/playback/plan-playback.ts";
import { encodeWav } from "../../../fixtures/synth/wav-file.ts";

/** A sound that a test made, as the preview's player takes it. */
export interface MadeSound {
  readonly track: PlayableTrack;
  /** Its WAV in Base64. */
  readonly wav: string;
}

export interface ClickOptions {
  readonly id: string;
  /** At which the file is made. */
  readonly bpm: number;
  readonly beats: number;
  readonly sampleRateHz?: number;
  /** Positions of clicks, in beats; by default on each beat. */
  readonly clicks?: readonly number[];
  /** Length of the file, in beats; by default as long as the loop. */
  readonly fileBeats?: number;
  readonly gainDb?: number;
}

const CLICK_SECONDS = 0.0005;

/** A silent loop with a short click on each beat. */
export function makeClicks(options: ClickOptions): MadeSound {
  const { id, bpm, beats, sampleRateHz = 44_100, fileBeats = beats, gainDb = 0 } = options;
  const clicks = options.clicks ?? Array.from({ length: Math.ceil(beats) }, (_, beat) => beat);
  const frameOf = (beat: number) => Math.round((beat * 60 * sampleRateHz) / bpm);
  const samples = new Float64Array(frameOf(fileBeats));
  for (const beat of clicks) {
    samples.fill(0.9, frameOf(beat), frameOf(beat) + Math.ceil(CLICK_SECONDS * sampleRateHz));
  }
  return madeOf(
    { id, looping: true, loop_beats: beats, tempo_bpm: bpm, gain_db: gainDb },
    samples,
    sampleRateHz,
  );
}

/** The samples as a sound; by default a one-shot that plays as it is. */
export function madeOf(
  said: Partial<PlayableTrack> & Pick<PlayableTrack, "id">,
  samples: Float64Array,
  sampleRateHz: number,
): MadeSound {
  const wav = encodeWav([samples], { rateHz: sampleRateHz, depth: "24" });
  const track: PlayableTrack = {
    revision: "1",
    bytes: wav.byteLength,
    frames: samples.length,
    sampleRateHz,
    looping: false,
    loop_beats: null,
    // So that arithmetic says when it sounds.
    warp_mode: "repitch",
    tempo_bpm: null,
    gain_db: 0,
    ...said,
  };
  return { track, wav: Buffer.from(wav).toString("base64") };
}
