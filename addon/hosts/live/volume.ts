import { formatNumber } from "../../../core/text/format-number.ts";

/** The gains, in dB, that a track's volume is known to reach; it goes lower, but how is not known. */
export const VOLUME_RANGE_DB = { least: -18, most: 6 } as const;

/** Live may keep a volume as a 32-bit float: a value that near to the lowest one is that one. */
const LEAST_RAW = 0.4 - 1e-6;

/** The raw value of a track's volume, for a gain within the range. */
export function volumeOfGain(gainDb: number): number {
  return (gainDb + 34) / 40;
}

/** The gain in dB, to a thousandth, of a volume's raw value; undefined below the range. */
export function gainOfVolume(raw: number): number | undefined {
  return raw < LEAST_RAW ? undefined : roundGain(40 * raw - 34);
}

export function isWithinVolumeRange(gainDb: number): boolean {
  return gainDb >= VOLUME_RANGE_DB.least && gainDb <= VOLUME_RANGE_DB.most;
}

/** To a thousandth of a dB: what two ways to compute it may differ by is cut off. */
export function roundGain(gainDb: number): number {
  return Math.round(gainDb * 1000) / 1000;
}

/** A gain for people, such as `-24 dB` and `+3.5 dB`. */
export function formatGain(gainDb: number): string {
  const sign = gainDb > 0 ? "+" : gainDb < 0 ? "-" : "";
  return `${sign}${formatNumber(Math.abs(gainDb), 2)} dB`;
}
