/** A loop whose truth is known: when its sounds begin and which pitches they have. */
export interface KnownLoop {
  readonly samples: Float64Array;
  readonly sampleRateHz: number;
  readonly bpm: number;
  readonly beats: number;
  /** Onsets in seconds, in ascending order. */
  readonly onsets: readonly number[];
  /** The fundamental of each onset; empty for drums. */
  readonly pitchesHz: readonly number[];
}

export const RATE_HZ = 44_100;

/** Kick, snare and hats: 16 beats of eighths, each with a sharp attack. */
export function makeDrums(bpm: number, beats = 16): KnownLoop {
  const { samples, frameOf } = silence(bpm, beats);
  const noise = noiseFrom(7);
  const onsets: number[] = [];
  for (let eighth = 0; eighth < beats * 2; eighth += 1) {
    const at = frameOf(eighth / 2);
    onsets.push(at / RATE_HZ);
    add(samples, at, 0.04, (seconds) => 0.4 * noise() * Math.exp(-seconds / 0.012));
    if (eighth % 4 === 0) add(samples, at, 0.25, kick);
    if (eighth % 4 === 2) {
      add(samples, at, 0.18, (seconds) => {
        const shell = Math.sin(2 * Math.PI * 190 * seconds) * 0.35;
        return (shell + 0.45 * noise()) * Math.exp(-seconds / 0.05);
      });
    }
  }
  return { samples, sampleRateHz: RATE_HZ, bpm, beats, onsets, pitchesHz: [] };
}

const SCALE = [0, 3, 7, 10, 12, 7, 5, 3, 0, 7, 12, 15, 10, 7, 3, 5];

/** Sixteen notes on the beats, of five harmonics, with an attack of 4 ms. */
export function makeMelody(bpm: number): KnownLoop {
  const { samples, frameOf } = silence(bpm, SCALE.length);
  const pitchesHz = SCALE.map((semitones) => 220 * 2 ** (semitones / 12));
  const length = (60 / bpm) * 0.92;
  const onsets = pitchesHz.map((hz, beat) => {
    const at = frameOf(beat);
    add(samples, at, length, (seconds) => {
      const attack = Math.min(1, seconds / 0.004);
      const release = Math.min(1, (length - seconds) / 0.02);
      const tone = [1, 0.5, 0.33, 0.2, 0.12].reduce(
        (sum, level, index) => sum + level * Math.sin(2 * Math.PI * hz * (index + 1) * seconds),
        0,
      );
      return 0.3 * attack * release * Math.exp(-seconds / 0.5) * tone;
    });
    return at / RATE_HZ;
  });
  return { samples, sampleRateHz: RATE_HZ, bpm, beats: SCALE.length, onsets, pitchesHz };
}

/** A held chord whose partials all fit the loop in whole periods, so that the file's own seam is silent. */
export function makeDrone(bpm: number, beats = 8): KnownLoop {
  const { samples } = silence(bpm, beats);
  const seconds = samples.length / RATE_HZ;
  const pitches = [110, 164.8, 277.2].map((hz) => Math.round(hz * seconds) / seconds);
  add(samples, 0, seconds, (at) =>
    pitches.reduce((sum, hz) => sum + 0.15 * Math.sin(2 * Math.PI * hz * at), 0),
  );
  return { samples, sampleRateHz: RATE_HZ, bpm, beats, onsets: [], pitchesHz: pitches };
}

function kick(seconds: number): number {
  const phase = 2 * Math.PI * (50 * seconds + 150 * 0.03 * (1 - Math.exp(-seconds / 0.03)));
  return 0.55 * Math.cos(phase) * Math.exp(-seconds / 0.05);
}

function silence(bpm: number, beats: number) {
  const frameOf = (beat: number): number => Math.round((beat * 60 * RATE_HZ) / bpm);
  return { samples: new Float64Array(frameOf(beats)), frameOf };
}

function add(
  samples: Float64Array,
  from: number,
  seconds: number,
  sound: (seconds: number) => number,
): void {
  const end = Math.min(samples.length, from + Math.round(seconds * RATE_HZ));
  for (let frame = from; frame < end; frame += 1) {
    samples[frame] = (samples[frame] ?? 0) + sound((frame - from) / RATE_HZ);
  }
}

/** From -1 to 1, the same at each run. */
function noiseFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
