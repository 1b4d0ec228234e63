import type { WarpMode } from "../../../../core/manifest/manifest.ts";

/** How a loop's tempo is changed without its pitch: an approximation of the host's warp modes (rule V10). */
export type WarpMethod =
  /** Attacks are taken from the file as they are; between them the sound is stretched. For Beats. */
  | "transients"
  /** For Tones, Complex and Complex Pro. */
  | "smooth"
  /** Long blocks, in which attacks blur. For Texture. */
  | "blurred";

const METHOD_OF_MODE = {
  beats: "transients",
  tones: "smooth",
  texture: "blurred",
  repitch: null,
  complex: "smooth",
  complex_pro: "smooth",
} as const satisfies Record<WarpMode, WarpMethod | null>;

/** null for Re-Pitch, whose pitch follows the tempo. Without a mode it is Complex's. */
export function warpMethodOf(mode: WarpMode | null): WarpMethod | null {
  return METHOD_OF_MODE[mode ?? "complex"];
}

/** What the stretching module is configured with. */
export type StretchSettings =
  | { readonly preset: "default" | "cheaper" }
  | { readonly blockMs: number };

/** As measured, see docs/build/performance.md. */
export const STRETCH_SETTINGS: Readonly<Record<WarpMethod, StretchSettings>> = {
  transients: { preset: "cheaper" },
  smooth: { preset: "default" },
  blurred: { blockMs: 400 },
};

/**
 * How much earlier to render a loop: an attack that stretching has blurred is heard late, the more the longer it gets.
 * @param stretch the new length by the old
 */
export function earlierSeconds(method: WarpMethod, stretch: number): number {
  if (method === "transients") return 0;
  return Math.min(0.002, Math.max(0, 0.0007 + 0.0035 * (stretch - 1)));
}
