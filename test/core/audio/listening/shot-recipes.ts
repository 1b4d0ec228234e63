import {
  clap,
  hat,
  kick,
  ride,
  rim,
  shaker,
  snare,
  tom,
} from "../../../../fixtures/synth/drums.ts";
import { enveloped, hold, strike } from "../../../../fixtures/synth/envelopes.ts";
import { filtered } from "../../../../fixtures/synth/filters.ts";
import { chords, pitchHz } from "../../../../fixtures/synth/notes.ts";
import { noise, oscillate } from "../../../../fixtures/synth/oscillators.ts";
import { echo, reverb } from "../../../../fixtures/synth/space.ts";
import { mixed, padded, type Samples, type Studio } from "../../../../fixtures/synth/studio.ts";
import { impact, reversed, riser } from "../../../../fixtures/synth/textures.ts";
import {
  bell,
  electricPiano,
  type Instrument,
  lead,
  pad,
  pluck,
  reeseBass,
  stab,
  subBass,
} from "../../../../fixtures/synth/tones.ts";
import { singing } from "../../../../fixtures/synth/voice.ts";

/** Makes a one-shot of about so many seconds. */
export type ShotMaker = (studio: Studio, seconds: number) => Samples;

/** Sounds at irregular moments; each of the parts after the other. */
function scattered(
  each: (studio: Studio, part: number) => Samples,
  gapSeconds: readonly [least: number, most: number],
): ShotMaker {
  return (studio, seconds) => {
    const out = new Float64Array(Math.round(seconds * studio.rateHz));
    const [least, most] = gapSeconds;
    let [at, part] = [0.01, 0];
    while (at < seconds - most) {
      const start = Math.round(at * studio.rateHz);
      for (const [index, sample] of each(studio, part).entries()) {
        if (start + index < out.length) out[start + index] = (out[start + index] ?? 0) + sample;
      }
      at += least + (most - least) * studio.random();
      part += 1;
    }
    return faded(studio, out, 0.05);
  };
}

function faded(studio: Studio, samples: Samples, seconds: number): Samples {
  const last = samples.length - 1;
  return samples.map((sample, at) => sample * Math.min(1, (last - at) / (seconds * studio.rateHz)));
}

function rings(instrument: Instrument, pitch: string, room = 0.6): ShotMaker {
  return (studio, seconds) => {
    const note = padded(studio, instrument(studio, pitchHz(pitch), seconds * 0.5, 0.9), 0);
    const size = Math.round(seconds * studio.rateHz);
    const whole = new Float64Array(size);
    whole.set(note.subarray(0, size));
    const wet = room > 0 ? reverb(studio, { seconds: room, wet: 0.2 })(whole) : whole;
    return faded(studio, wet, seconds * 0.15);
  };
}

function chord(symbol: string, instrument: Instrument): ShotMaker {
  return (studio, seconds) => {
    const [first] = chords(`${symbol}/1`, "G3");
    const voices = (first?.pitchesHz ?? []).map(
      (hz) => [instrument(studio, hz, seconds * 0.6, 0.8), 0.3] as const,
    );
    const sum = mixed(...voices);
    const whole = new Float64Array(Math.round(seconds * studio.rateHz));
    whole.set(sum.subarray(0, whole.length));
    return faded(studio, whole, seconds * 0.2);
  };
}

const crash: ShotMaker = (studio, seconds) =>
  mixed(
    [hat(studio, { decaySeconds: seconds - 0.01, toneHz: 4200, metal: 0.8 }), 1],
    [hat(studio, { decaySeconds: 0.3, toneHz: 7000 }), 0.6],
  );

/** One-shots by name. */
export const SHOTS: Readonly<Record<string, ShotMaker>> = {
  kick: (studio, seconds) => kick(studio, { decaySeconds: seconds }),
  snare: (studio, seconds) => snare(studio, { decaySeconds: seconds }),
  clap: (studio, seconds) => clap(studio, { decaySeconds: seconds }),
  "snare-room": (studio, seconds) =>
    faded(
      studio,
      reverb(studio, { seconds, wet: 0.4 })(padded(studio, snare(studio), seconds - 0.2)),
      0.3,
    ),
  rim: (studio) => rim(studio),
  shaker: (studio) => shaker(studio, { seconds: 0.14 }),
  tom: (studio, seconds) => tom(studio, { decaySeconds: seconds }),
  ride: (studio, seconds) => ride(studio, { decaySeconds: seconds }),
  crash,
  "reverse-crash": (studio, seconds) => reversed(crash(studio, seconds)),
  impact,
  riser,
  downer: (studio, seconds) => reversed(riser(studio, seconds)),
  "808": (studio, seconds) => kick(studio, { tuneHz: 44, sweepHz: 90, decaySeconds: seconds }),
  stab: chord("Cm7", stab),
  "pad-chord": chord("Am9", pad),
  "keys-chord": chord("Fmaj7", electricPiano),
  "guitar-chord": chord("G", pluck),
  "bell-note": rings(bell, "A5", 1.5),
  "pluck-note": rings(pluck, "E3"),
  "bass-note": rings(subBass, "F1", 0),
  "reese-note": rings(reeseBass, "G1", 0),
  "lead-note": rings(lead, "D5"),
  "keys-note": rings(electricPiano, "C4"),
  "vocal-note": rings(singing("ah", "oh"), "A3", 1),
  "vocal-phrase": scattered(
    (studio, part) =>
      singing(part % 2 === 0 ? "ah" : "eh", "oh")(
        studio,
        pitchHz(["A3", "C4", "D4", "G3", "E4"][part % 5] ?? "A3"),
        0.2 + 0.35 * studio.random(),
        0.9,
      ),
    [0.3, 0.85],
  ),
  speech: scattered(
    (studio, part) =>
      mixed(
        [
          singing((["ah", "eh", "ee", "oh", "oo"] as const)[part % 5] ?? "ah")(
            studio,
            105 + 35 * studio.random(),
            0.06 + 0.14 * studio.random(),
            0.5 + 0.5 * studio.random(),
          ),
          1,
        ],
        [
          enveloped(studio, filtered(studio, noise(studio, 0.05), "highpass", 3500), strike(0.045)),
          0.3 * studio.random(),
        ],
      ),
    [0.11, 0.42],
  ),
  footsteps: scattered(
    (studio) => tom(studio, { tuneHz: 70 + 20 * studio.random(), decaySeconds: 0.12, slap: 0.5 }),
    [0.42, 0.66],
  ),
  rummage: scattered(
    (studio) =>
      enveloped(
        studio,
        filtered(studio, noise(studio, 0.14), "bandpass", 600 + 4000 * studio.random(), 1.2),
        strike(0.03 + 0.1 * studio.random()),
      ),
    [0.03, 0.4],
  ),
  door: (studio, seconds) => {
    const out = new Float64Array(Math.round(seconds * studio.rateHz));
    out.set(tom(studio, { tuneHz: 64, decaySeconds: 0.3, slap: 0.5 }));
    const late = Math.round(0.19 * studio.rateHz);
    for (const [at, sample] of snare(studio, { decaySeconds: 0.1 }).entries()) {
      if (late + at < out.length) out[late + at] = (out[late + at] ?? 0) + sample * 0.4;
    }
    return faded(studio, reverb(studio, { seconds: seconds * 0.8, wet: 0.3 })(out), 0.2);
  },
  drone: (studio, seconds) =>
    mixed(
      [oscillate(studio, "saw", 55, seconds), 0.3],
      [oscillate(studio, "saw", 55.3, seconds), 0.3],
      [filtered(studio, noise(studio, seconds), "lowpass", 400), 0.2],
    ),
  "drone-faded": (studio, seconds) =>
    enveloped(
      studio,
      mixed(
        [oscillate(studio, "saw", 82, seconds), 0.4],
        [oscillate(studio, "saw", 82.4, seconds), 0.4],
      ),
      hold(seconds * 0.6, { attack: seconds * 0.25, sustain: 1, release: seconds * 0.39 }),
    ),
  sweep: (studio, seconds) =>
    enveloped(
      studio,
      filtered(studio, noise(studio, seconds), "bandpass", (at) => 200 * 30 ** (at / seconds), 3),
      hold(seconds * 0.8, { attack: 0.05, sustain: 1, release: seconds * 0.19 }),
    ),
  laser: (studio, seconds) =>
    enveloped(
      studio,
      oscillate(studio, "saw", (at) => 80 + 2400 * Math.exp(-at / (seconds * 0.2)), seconds),
      strike(seconds * 0.95),
    ),
  "dub-stab": (studio, seconds) => {
    const whole = new Float64Array(Math.round(seconds * studio.rateHz));
    for (const hz of [220, 262, 330]) {
      for (const [at, sample] of stab(studio, hz, 0.1, 1).entries()) {
        whole[at] = (whole[at] ?? 0) + sample * 0.4;
      }
    }
    return faded(studio, echo(studio, { seconds: 0.375, feedback: 0.6, wet: 0.5 })(whole), 0.4);
  },
  gong: (studio, seconds) =>
    enveloped(
      studio,
      mixed(
        ...[98, 143, 211, 287, 402].map(
          (hz) => [oscillate(studio, "sine", hz, seconds, studio.random()), 0.3] as const,
        ),
      ),
      strike(seconds * 0.98, 0.02),
    ),
  whoosh: (studio, seconds) =>
    enveloped(
      studio,
      filtered(
        studio,
        noise(studio, seconds),
        "bandpass",
        (at) => 300 + 3000 * Math.sin((Math.PI * at) / seconds),
        1.5,
      ),
      (at) => Math.sin((Math.PI * Math.min(at, seconds)) / seconds) ** 3,
    ),
  "snap-verb": (studio, seconds) =>
    faded(
      studio,
      reverb(studio, { seconds: seconds * 0.9, wet: 0.5 })(padded(studio, rim(studio), seconds)),
      0.2,
    ),
  siren: (studio, seconds) =>
    enveloped(
      studio,
      oscillate(studio, "square", (at) => 600 + 250 * Math.sin(2 * Math.PI * 0.7 * at), seconds),
      hold(seconds * 0.9, { sustain: 1, release: seconds * 0.09 }),
    ),
  /** Strokes that come faster and faster. */
  "drum-roll": (studio, seconds) => {
    const out = new Float64Array(Math.round(seconds * studio.rateHz));
    const one = snare(studio, { decaySeconds: 0.12 });
    for (
      let [at, gap] = [0, 0.22];
      at < seconds - 0.35;
      at += gap, gap = Math.max(0.05, gap * 0.9)
    ) {
      const start = Math.round(at * studio.rateHz);
      for (const [index, sample] of one.entries()) {
        out[start + index] = (out[start + index] ?? 0) + sample * (0.3 + (0.7 * at) / seconds);
      }
    }
    return out;
  },
};
