import type { SoundRole } from "../manifest/manifest.ts";

const ROLE_NAMES: Readonly<Record<SoundRole, string>> = {
  drums: "Drums",
  bass: "Bass",
  melodic: "Melodic",
  vocal: "Vocal",
  texture: "Texture",
  fx: "FX",
};

/** A role's display name. */
export function formatRole(role: SoundRole): string {
  return ROLE_NAMES[role];
}
