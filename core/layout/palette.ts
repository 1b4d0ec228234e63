import type { Layout } from "./layout.ts";

/** Live's 70 track and clip colors as 0xRRGGBB, in the order of a layout's `colorIndex` (rule T4). */
export const PALETTE: readonly number[] = [
  0xff94a6, 0xffa529, 0xcc9927, 0xf7f47c, 0xbffb00, 0x1aff2f, 0x25ffa8, 0x5cffe8, 0x8bc5ff,
  0x5480e4, 0x92a7ff, 0xd86ce4, 0xe553a0, 0xffffff, 0xff3636, 0xf66c03, 0x99724b, 0xfff034,
  0x87ff67, 0x3dc300, 0x00bfaf, 0x19e9ff, 0x10a4ee, 0x007dc0, 0x886ce4, 0xb677c6, 0xff39d4,
  0xd0d0d0, 0xe2675a, 0xffa374, 0xd3ad71, 0xedffae, 0xd2e498, 0xbad074, 0x9bc48d, 0xd4fde1,
  0xcdf1f8, 0xb9c1e3, 0xcdbbe4, 0xae98e5, 0xe5dce1, 0xa9a9a9, 0xc6928b, 0xb78256, 0x99836a,
  0xbfba69, 0xa6be00, 0x7db04d, 0x88c2ba, 0x9bb3c4, 0x85a5c2, 0x8393cc, 0xa595b5, 0xbf9fbe,
  0xbc7196, 0x7b7b7b, 0xaf3333, 0xa95131, 0x724f41, 0xdbc300, 0x85961f, 0x539f31, 0x0a9c8e,
  0x236384, 0x1a2f96, 0x2f52a2, 0x624bad, 0xa34bad, 0xcc2e6e, 0x3c3c3c,
];

/**
 * Formats a palette entry as `#RRGGBB`, upper case.
 * @throws {RangeError} if there is no such entry
 */
export function formatColor(colorIndex: number): string {
  const rgb = PALETTE[colorIndex];
  if (rgb === undefined) throw new RangeError(`The palette has no color ${colorIndex}.`);
  return `#${rgb.toString(16).padStart(6, "0").toUpperCase()}`;
}

/**
 * Palette indices that packages use in turn: saturated and neither too dark nor too pale (OKLab chroma
 * from 0.12, lightness 0.4 to 0.95), each the farthest from all before it. Any two are at least 0.13
 * apart in OKLab, neighbors at least 0.2, so consecutive imports look different.
 */
export const COLOR_ROTATION: readonly number[] = [
  10, 5, 56, 1, 65, 26, 61, 7, 17, 67, 14, 20, 0, 46,
];

/**
 * Returns the palette index for a package's sounds without a `color` (rule T4).
 * @param turn the package's turn, a whole number from 0; wraps around
 * @throws {RangeError} if `turn` is negative or not whole
 */
export function colorOfTurn(turn: number): number {
  const colorIndex = COLOR_ROTATION[turn % COLOR_ROTATION.length];
  if (colorIndex === undefined) throw new RangeError(`${turn} is not a turn.`);
  return colorIndex;
}

/**
 * Gives the automatic colors of a layout their value (rule T4), so that a host can have it.
 * @param turn the package's turn in the rotation, from 0
 */
export function colorLayout(layout: Layout<number | null>, turn: number): Layout {
  const turnColor = colorOfTurn(turn);
  return {
    ...layout,
    tracks: layout.tracks.map((sound) =>
      "error" in sound ? sound : { ...sound, colorIndex: sound.colorIndex ?? turnColor },
    ),
  };
}

/**
 * Returns the index of the perceptually nearest palette entry; a tie goes to the lower index (rule T4).
 * @param color `#RRGGBB`
 * @param palette 0xRRGGBB each; default: Live's
 */
export function nearestColor(color: string, palette: readonly number[] = PALETTE): number {
  const target = oklabOf(Number.parseInt(color.slice(1), 16));
  const distances = palette.map((entry) => oklabDistance(oklabOf(entry), target));
  return distances.indexOf(Math.min(...distances));
}

/** A color in OKLab, where distance approximates perceived difference. */
interface Oklab {
  /** 0 (black) to 1 (white). */
  readonly lightness: number;
  /** Green to red, about -0.4 to 0.4. */
  readonly a: number;
  /** Blue to yellow, about -0.4 to 0.4. */
  readonly b: number;
}

/** Converts sRGB, 0xRRGGBB, to OKLab; after Björn Ottosson, “A perceptual color space”, 2020. */
export function oklabOf(rgb: number): Oklab {
  const red = linear((rgb >> 16) & 0xff);
  const green = linear((rgb >> 8) & 0xff);
  const blue = linear(rgb & 0xff);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Returns the Euclidean distance in OKLab; black and white are 1 apart. */
export function oklabDistance(one: Oklab, other: Oklab): number {
  return Math.hypot(one.lightness - other.lightness, one.a - other.a, one.b - other.b);
}

/** Converts an sRGB channel, 0 to 255, to linear light, 0 to 1. */
function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
