import {
  type Sound,
  type SoundRole,
  WARP_MODE_KEYS,
  WARP_MODES,
  type WarpMode,
} from "../manifest/manifest.ts";

const WARP_MODE_OF_ROLE = {
  drums: "beats",
  bass: "tones",
  melodic: "complex_pro",
  vocal: "complex_pro",
  texture: "texture",
  fx: "complex",
} as const satisfies Record<SoundRole, WarpMode>;

/** Returns a loop's `warp_mode`, else its role's, else Complex; null for a one-shot (rule T5). */
export function planWarpMode(sound: Pick<Sound, "kind" | "role" | "warp_mode">): WarpMode | null {
  if (sound.kind === "oneshot") return null;
  return sound.warp_mode ?? WARP_MODE_OF_ROLE[sound.role ?? "fx"];
}

/** Returns the warp mode with one of Live's numbers; undefined if no mode has that number. */
export function warpModeOfNumber(number: number | null | undefined): WarpMode | undefined {
  return WARP_MODE_KEYS.find((name) => WARP_MODES[name] === number);
}

/** Warp modes as in Live's menu. */
export const WARP_MODE_NAMES: Readonly<Record<WarpMode, string>> = {
  beats: "Beats",
  tones: "Tones",
  texture: "Texture",
  repitch: "Re-Pitch",
  complex: "Complex",
  complex_pro: "Complex Pro",
};
