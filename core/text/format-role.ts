import type { SoundRole } from "../manifest/manifest.ts";
import type { Translate } from "../messages/translate.ts";

/** Formats a role's display name. */
export function formatRole(t: Translate, role: SoundRole): string {
  return t(`format.role-${role}`);
}
