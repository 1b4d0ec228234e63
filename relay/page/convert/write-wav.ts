/** Decoded sound as Web Audio has it: from -1 to 1. */
export interface Samples {
  /** One or two, of equal length. */
  readonly channels: readonly Float32Array[];
  readonly sampleRateHz: number;
}

const BYTES_PER_SAMPLE = 3;
const HEADER_BYTES = 44;
/** Frames written before the page gets to run. */
const PIECE_FRAMES = 262_144;
const FULL_SCALE = 8_388_608;

/** Writes samples as a 24-bit WAV. Clips what is louder than full scale. */
export async function writeWav({ channels, sampleRateHz }: Samples): Promise<Blob> {
  const frames = channels[0]?.length ?? 0;
  const parts: (ArrayBuffer | Uint8Array<ArrayBuffer>)[] = [
    header(frames, channels.length, sampleRateHz),
  ];
  for (let from = 0; from < frames; from += PIECE_FRAMES) {
    const pieces = channels.map((channel) => channel.subarray(from, from + PIECE_FRAMES));
    parts.push(interleave(pieces));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return new Blob(parts, { type: "audio/wav" });
}

function header(frames: number, channels: number, sampleRateHz: number): ArrayBuffer {
  const blockAlign = channels * BYTES_PER_SAMPLE;
  const dataBytes = frames * blockAlign;
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  const writeText = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index += 1) {
      view.setUint8(at + index, text.charCodeAt(index));
    }
  };
  writeText(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  writeText(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * blockAlign, true);
  view.setUint16(32, blockAlign, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  writeText(36, "data");
  view.setUint32(40, dataBytes, true);
  return view.buffer;
}

function interleave(channels: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const frames = channels[0]?.length ?? 0;
  const bytes = new Uint8Array(frames * channels.length * BYTES_PER_SAMPLE);
  let at = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    for (const channel of channels) {
      const scaled = Math.round((channel[frame] ?? 0) * FULL_SCALE);
      const sample = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, scaled));
      bytes[at] = sample;
      bytes[at + 1] = sample >> 8;
      bytes[at + 2] = sample >> 16;
      at += BYTES_PER_SAMPLE;
    }
  }
  return bytes;
}
