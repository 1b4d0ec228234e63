/** Columns of a waveform. */
export const OUTLINE_COLUMNS = 160;

/** The part of an `AudioBuffer` that holds its samples. */
export interface DecodedSound {
  readonly numberOfChannels: number;
  getChannelData(channel: number): Float32Array<ArrayBuffer>;
}

/** Returns the samples of each channel, without copying them. */
export function channelsOf(sound: DecodedSound): readonly Float32Array<ArrayBuffer>[] {
  return Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
}

/**
 * Returns the peak amplitude across all channels, 0 to 1, in each of `columns` equal spans. Returns one peak per
 * sample if there are fewer samples than columns.
 */
export function peaksOf(channels: readonly Float32Array[], columns: number): readonly number[] {
  const length = Math.max(0, ...channels.map((channel) => channel.length));
  const count = Math.min(columns, length);
  return Array.from({ length: count }, (_, column) => {
    const from = Math.floor((column * length) / count);
    const to = Math.floor(((column + 1) * length) / count);
    return Math.min(1, Math.max(...channels.map((channel) => peakIn(channel, from, to))));
  });
}

/** Returns the largest amplitude from a sample to another, exclusive. */
export function peakIn(channel: Float32Array, from = 0, to = channel.length): number {
  let peak = 0;
  for (let index = from; index < to; index += 1) {
    const size = Math.abs(channel[index] ?? 0);
    if (size > peak) peak = size;
  }
  return peak;
}

/** Formats peaks as an SVG path in a box of `width` × `height`, mirrored vertically; silence is a thin line. */
export function formatOutline(peaks: readonly number[], width: number, height: number): string {
  if (peaks.length === 0) return "";
  const middle = height / 2;
  const half = (peak: number) => Math.max(0.5, peak * middle);
  const xOf = (column: number) => round((column * width) / Math.max(1, peaks.length - 1));
  const upper = peaks.map((peak, column) => `${xOf(column)} ${round(middle - half(peak))}`);
  const lower = peaks.map((peak, column) => `${xOf(column)} ${round(middle + half(peak))}`);
  return `M${[...upper, ...lower.reverse()].join("L")}Z`;
}

/**
 * Returns the positions of a loop's beats after the first, 0 to 1; every fourth above 32 beats, none above 64 lines.
 */
export function beatLines(durationSeconds: number, tempoBpm: number): readonly number[] {
  const beats = (durationSeconds * tempoBpm) / 60;
  const step = beats > 32 ? 4 : 1;
  const count = Math.ceil(beats / step - 0.01) - 1;
  if (count < 1 || count > 64) return [];
  return Array.from({ length: count }, (_, index) => ((index + 1) * step) / beats);
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
