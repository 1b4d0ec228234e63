/** The files that make the page an app, by path: `app-worker.js` and the icons, of which a PNG is in Base64. */
export type WebAppFiles = ReadonlyMap<string, string>;

export const MANIFEST_PATH = "app.webmanifest";

/** The icon of a page that loads nothing. */
const NO_ICON = '<link rel="icon" href="data:," />';
const LINKS = [
  '<link rel="icon" href="app-icon.svg" type="image/svg+xml" />',
  '<link rel="apple-touch-icon" href="app-icon-apple-180.png" />',
  `<link rel="manifest" href="${MANIFEST_PATH}" />`,
];

/** Adds to a page what makes it installable (rule G21). */
export function withAppLinks(page: string): string {
  return page.replace(NO_ICON, LINKS.join("\n    "));
}
