/**
 * Titles of the entries in Live's menus; Live puts the extension's name before each. Every hint, document and drawing
 * shows them as `inLiveMenu` formats them.
 */
export const LIVE_MENU = {
  choose: "Import…",
  newest: "Import Newest",
  belowSelection: "Import Below Selection…",
} as const;

/** Formats where an entry is in Live's context menus, such as `Extensions → Soundferry: Import…`. */
export function inLiveMenu(title: string): string {
  return `Extensions → Soundferry: ${title}`;
}
