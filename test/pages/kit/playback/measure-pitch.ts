/**
 * Measures the distance of a tone from its pitch, in cents, by the mean change of the phase of its fundamental.
 * @param expectedHz within half a semitone of the truth
 */
export function centsFrom(
  samples: Float32Array | Float64Array,
  rateHz: number,
  expectedHz: number,
): number {
  // Two halves of the tone, shifted to 0 Hz: between them the phase turns by the difference.
  const half = Math.floor(samples.length / 2);
  const [first, second] = [0, half].map((from) =>
    phaseOf(samples.subarray(from, from + half), from, rateHz, expectedHz),
  );
  const turn = wrapped((second ?? 0) - (first ?? 0));
  const hz = expectedHz + (turn * rateHz) / (2 * Math.PI * half);
  return 1200 * Math.log2(hz / expectedHz);
}

function phaseOf(
  samples: Float32Array | Float64Array,
  offset: number,
  rateHz: number,
  hz: number,
): number {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, frame) => {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * frame) / samples.length);
    const angle = (2 * Math.PI * hz * (offset + frame)) / rateHz;
    real += sample * weight * Math.cos(angle);
    imaginary -= sample * weight * Math.sin(angle);
  });
  return Math.atan2(imaginary, real);
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
