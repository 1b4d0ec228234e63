import type { WarpMode } from "../../../../core/manifest/manifest.ts";

/** A method that changes a loop's tempo without its pitch: an approximation of the host's warp modes (rule V10). */
export type WarpMethod =
  /** Takes attacks unchanged from the file and stretches the sound between them. For Beats. */
  | "transients"
  /** Stretches evenly. For Tones, Complex and Complex Pro. */
  | "smooth"
  /** Stretches in long blocks, in which attacks blur. For Texture. */
  | "blurred";

const METHOD_OF_MODE = {
  beats: "transients",
  tones: "smooth",
  texture: "blurred",
  repitch: null,
  complex: "smooth",
  complex_pro: "smooth",
} as const satisfies Record<WarpMode, WarpMethod | null>;

/** Returns the method for a warp mode, Complex's without a mode; null for Re-Pitch, whose pitch follows the tempo. */
export function warpMethodOf(mode: WarpMode | null): WarpMethod | null {
  return METHOD_OF_MODE[mode ?? "complex"];
}

/** Settings of the stretching module. */
export type StretchSettings =
  | { readonly preset: "default" | "cheaper" }
  | { readonly blockMs: number };

/** Settings chosen by the measurements in docs/build/performance.md. */
export const STRETCH_SETTINGS: Readonly<Record<WarpMethod, StretchSettings>> = {
  transients: { preset: "cheaper" },
  smooth: { preset: "default" },
  blurred: { blockMs: 400 },
};

/**
 * Returns the time by which a loop is rendered earlier, because stretching blurs attacks, which are then heard late;
 * the longer the loop gets, the later.
 * @param stretch the new length divided by the old one
 */
export function earlierSeconds(method: WarpMethod, stretch: number): number {
  if (method === "transients") return 0;
  return Math.min(0.002, Math.max(0, 0.0007 + 0.0035 * (stretch - 1)));
}
