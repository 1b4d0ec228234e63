/** Returns a setting that this browser stores for the page's origin; null if it has none, or stores nothing. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Such as in Live's dialog, which has no origin.
    return null;
  }
}

/** Stores a setting if the browser allows it, otherwise it lasts until the page is closed; null removes it. */
export function storeSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The browser stores nothing for this page.
  }
}
