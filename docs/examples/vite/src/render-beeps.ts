/** The tempo of all loops. */
export const BPM = 120;

const SAMPLE_RATE_HZ = 44_100;
const BEATS = 4;

/** A bar of four beeps. It is exact as a loop, because its beats are a whole number of frames. */
export async function renderBeeps(pitchHz: number): Promise<AudioBuffer> {
  const beatSeconds = 60 / BPM;
  const frames = SAMPLE_RATE_HZ * beatSeconds * BEATS;
  const context = new OfflineAudioContext(1, frames, SAMPLE_RATE_HZ);
  for (let beat = 0; beat < BEATS; beat += 1) {
    const begin = beat * beatSeconds;
    const note = new OscillatorNode(context, { type: "triangle", frequency: pitchHz });
    const volume = new GainNode(context);
    volume.gain.setValueAtTime(0.5, begin).linearRampToValueAtTime(0, begin + beatSeconds / 2);
    note.connect(volume).connect(context.destination);
    note.start(begin);
  }
  return context.startRendering();
}
