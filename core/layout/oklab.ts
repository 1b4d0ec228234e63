/** A colour in OKLab, where distance approximates perceived difference. */
export interface Oklab {
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

/** Euclidean distance in OKLab; black and white are 1 apart. */
export function oklabDistance(one: Oklab, other: Oklab): number {
  return Math.hypot(one.lightness - other.lightness, one.a - other.a, one.b - other.b);
}

/** Linear light, 0 to 1, of an sRGB channel, 0 to 255. */
function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
