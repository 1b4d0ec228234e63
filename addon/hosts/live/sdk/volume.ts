import { formatNumber } from "../../../../core/text/format-number.ts";

/** The dB range where the scale of a track's volume is known; it goes lower on an unknown scale. */
export const VOLUME_RANGE_DB = { least: -18, most: 6 } as const;

/** -18 dB, with the tolerance of a 32-bit float. */
const LEAST_RAW = 0.4 - 1e-6;

/** Returns the raw volume for a gain within the range. */
export function volumeOfGain(gainDb: number): number {
  return (gainDb + 34) / 40;
}

/** Returns the gain in dB, rounded to 0.001, of a raw volume; undefined below the range. */
export function gainOfVolume(raw: number): number | undefined {
  return raw < LEAST_RAW ? undefined : roundGain(40 * raw - 34);
}

export function isWithinVolumeRange(gainDb: number): boolean {
  return gainDb >= VOLUME_RANGE_DB.least && gainDb <= VOLUME_RANGE_DB.most;
}

/** Rounds to 0.001 dB, which removes floating-point differences. */
export function roundGain(gainDb: number): number {
  return Math.round(gainDb * 1000) / 1000;
}

/** Formats a gain, such as `-24 dB` or `+3.5 dB`. */
export function formatGain(gainDb: number): string {
  const sign = gainDb > 0 ? "+" : gainDb < 0 ? "-" : "";
  return `${sign}${formatNumber(Math.abs(gainDb), 2)} dB`;
}
