import { clap, hat, kick, tom } from "../../../fixtures/synth/drums.ts";
import { leveledHit } from "../../../fixtures/synth/levels.ts";
import type { Samples } from "../../../fixtures/synth/studio.ts";
import { amplitude, type ExamplePackage, type Examples, one, RATE_HZ, sine } from "./example.ts";
import { loopOf, LOOPS, studioFor } from "./music.ts";

/** The loudest sample exactly at a level. */
function peaking(samples: Samples, peak: number): Samples {
  const highest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return samples.map((sample) => (sample / highest) * peak);
}

/** Cuts what is above full scale, as a converter does. */
function clipped(samples: Samples, gain: number, top = 1): Samples {
  return samples.map((sample) => Math.max(-top, Math.min(top, sample * gain)));
}

/** Puts values in the middle of a quiet wave. */
function inserted(values: readonly number[], where = RATE_HZ): Samples {
  const wave = sine(200, 2, 0.4);
  wave.set(values, where);
  return wave;
}

function offset(samples: Samples, by: number): Samples {
  return samples.map((sample) => sample * 0.8 + by);
}

const hit = (samples: Samples): Samples => leveledHit([samples])[0] ?? samples;
const HIT = { kind: "oneshot" } as const;
const some = (names: readonly string[], change: (loop: Samples) => Samples) =>
  Object.fromEntries(
    names.map((name): [string, ExamplePackage] => [name, one(change(loopOf(name)))]),
  );
const NAMES = Object.keys(LOOPS);

export const CLIPPING: Examples = {
  code: "CLIPPED",
  right: {
    ...some(NAMES.slice(0, 6), (loop) => peaking(loop, 1)),
    "a deep sine at full scale": one(sine(20, 2, 1)),
    "a deep sine at full scale in 8 bits": one(sine(60, 2, 1), {}, { depth: "8" }),
    "a sine at full scale in 24 bits": one(sine(40, 2, 1), {}, { depth: "24" }),
    "two samples at full scale": one(inserted([1, 1])),
    "three samples just below it": one(inserted([0.999, 0.999, 0.999])),
    "three samples at full scale of either sign": one(inserted([1, -1, 1])),
    "a limiter at -0.3 dB": one(clipped(loopOf("a reese"), 3, amplitude(-0.3))),
    "a float that peaks at full scale": one(peaking(loopOf("a lead"), 1), {}, { depth: "32f" }),
  },
  wrong: {
    ...some(NAMES.slice(0, 4), (loop) => clipped(loop, 1.4)),
    "three samples": one(inserted([1, 1, 1])),
    "three samples below zero": one(inserted([-1, -1, -1])),
    "24 bits": one(clipped(loopOf("a pad"), 2.5), {}, { depth: "24" }),
    "8 bits": one(clipped(loopOf("a reese"), 2.5), {}, { depth: "8" }),
    "a float above full scale": one(peaking(loopOf("a sub bass"), 1.3), {}, { depth: "32f" }),
    "a float of what was clipped before": one(
      clipped(loopOf("a sub bass"), 2, 32_767 / 32_768),
      {},
      { depth: "32f" },
    ),
    "the right channel": one([loopOf("a pad"), clipped(loopOf("a pad"), 1.5)]),
    "a deep sine, by a hundredth of a decibel": one(
      clipped(sine(60, 2, 1.0012), 1),
      {},
      { depth: "24" },
    ),
    "where the file ends": one(inserted([1, 1, 1], RATE_HZ * 2 - 3)),
    "a one-shot that starts there": one(inserted([1, 1, 1], 0), HIT),
  },
};

const click = hit(hat(studioFor("tick"), { decaySeconds: 0.02 }));

export const OFFSETS: Examples = {
  code: "DC_OFFSET",
  right: {
    ...some(NAMES, (loop) => loop),
    "a kick": one(hit(kick(studioFor("kick"))), HIT),
    "a short deep kick": one(hit(kick(studioFor("deep"), { tuneHz: 40, decaySeconds: 0.15 })), HIT),
    "a tom": one(hit(tom(studioFor("tom"))), HIT),
    "a clap": one(hit(clap(studioFor("clap"))), HIT),
    "a note of 30 Hz that is cut": one(sine(30, 0.32, 0.9), HIT),
    "the lowest note of a piano": one(sine(27.5, 1.31, 0.9), HIT),
    "a sway of half a second": one(sine(1.9, 2.1, 0.5)),
    "an offset that is just too small": one(offset(loopOf("a pad"), 0.008)),
    "a tick that is too short to say": one(offset(click, 0.02).slice(0, RATE_HZ * 0.02), HIT),
    "a wave with narrow peaks on one side": one(
      Float64Array.from({ length: RATE_HZ }, (_, at) => (at % 100 === 0 ? 0.8 : -0.8 / 99)),
    ),
  },
  wrong: {
    ...some(NAMES.slice(4, 8), (loop) => offset(loop, 0.03)),
    "an offset that is just large enough": one(offset(loopOf("wind"), 0.016)),
    "below zero": one(offset(loopOf("a lead"), -0.05)),
    "the right channel": one([loopOf("a pad"), offset(loopOf("a pad"), 0.04)]),
    "a kick": one(offset(hit(kick(studioFor("kick"))), 0.04), HIT),
    "a short hat": one(offset(hit(hat(studioFor("hat"), { decaySeconds: 0.12 })), 0.02), HIT),
    "8 bits": one(offset(loopOf("an electric piano"), 0.05), {}, { depth: "8" }),
    "a float": one(offset(loopOf("crackle"), 0.02), {}, { depth: "32f" }),
    "a long fade": one(
      offset(
        sine(200, 4).map((x, at) => x * Math.exp(-at / 9000)),
        0.02,
      ),
      HIT,
    ),
  },
};

const noise = (peak: number, seconds = 1): Samples => {
  const { random } = studioFor(`noise ${peak}`);
  return Float64Array.from({ length: seconds * RATE_HZ }, () => (random() * 2 - 1) * peak);
};
const zeros = new Float64Array(RATE_HZ);

export const SILENCE: Examples = {
  code: "SILENT",
  right: {
    ...some(NAMES.slice(0, 4), (loop) => loop),
    "a quiet pad": one(peaking(loopOf("a pad"), amplitude(-40)), {}, { depth: "24" }),
    "a sine at -59 dBFS": one(sine(440, 1, amplitude(-59)), {}, { depth: "24" }),
    "a sine at -58 dBFS in 16 bits": one(sine(440, 1, amplitude(-58))),
    "one sample in a second": one(inserted([0.2]).map((x, at) => (at === RATE_HZ ? x : 0))),
    "one channel of two": one([zeros, sine(300, 1)]),
    "a gain of -70 dB": one(loopOf("a lead"), { gain_db: -70 }),
    "8 bits": one(peaking(loopOf("a reese"), 0.05), {}, { depth: "8" }),
    "a late hit": one(Float64Array.from([...zeros, ...hit(clap(studioFor("late")))]), HIT),
  },
  wrong: {
    "zeros in 8 bits": one(zeros, {}, { depth: "8" }),
    "zeros in 16 bits": one(zeros),
    "zeros in 24 bits": one(zeros, {}, { depth: "24" }),
    "float zeros": one(zeros, {}, { depth: "32f" }),
    "zeros in stereo": one([zeros, zeros]),
    "a one-shot": one(zeros, HIT),
    "ten frames": one(zeros.slice(0, 10), HIT),
    dither: one(noise(1.4 / 32_768)),
    "a recording of nothing": one(noise(amplitude(-66)), {}, { depth: "24" }),
    "a sine at -61 dBFS": one(sine(440, 1, amplitude(-61)), {}, { depth: "24" }),
    "an offset without a sound": one(offset(zeros, 0.0004), {}, { depth: "24" }),
  },
};
