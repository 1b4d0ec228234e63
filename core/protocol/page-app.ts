/** The app name of the relay's sending page, also in the names of its scenes and tracks. */
export const PAGE_APP = "Soundferry page";

/**
 * Formats the name with which the page pairs, so that two browsers can be told apart (rule P10).
 * @param browser such as `Chrome on macOS`; null if it is unknown
 */
export function pageAppName(browser: string | null): string {
  return browser === null ? PAGE_APP : `${PAGE_APP} (${browser})`;
}

/** Splits an app's name into its display name and its browser; null for the browser of any other app. */
export function parsePageApp(appName: string): {
  readonly name: string;
  readonly browser: string | null;
} {
  const start = `${PAGE_APP} (`;
  return appName.startsWith(start) && appName.endsWith(")") && appName.length > start.length + 1
    ? { name: PAGE_APP, browser: appName.slice(start.length, -1) }
    : { name: appName, browser: null };
}
