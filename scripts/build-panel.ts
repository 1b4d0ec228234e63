import { cachedBuild } from "./cached-build.ts";
import type { PageSources } from "./bundle-page.ts";
import { printSize } from "./print-size.ts";

// Builds the panel's page: one HTML file with inline script and style, so that Live's dialog can show it
// without a server. Run as a script, it prints the size.

export const PANEL_SOURCES: PageSources = {
  template: "pages/panel/panel.html",
  script: "pages/panel/panel.tsx",
  style: "pages/panel/style/panel.css",
  unusedMessages: ["page"],
};

/**
 * The panel's page as one HTML text that loads nothing else, cached as `panel.html`. Its `#start` element
 * holds `null`; Live's dialog replaces it with a `PanelStart` as JSON, with every `<` written as `\u003c`.
 * @param folder absolute; default `dist/`
 */
export async function buildPanelPage(folder?: string): Promise<string> {
  const makers = ["scripts/build-panel.ts", "scripts/bundle-page.ts"];
  // Loaded on demand: most calls need no bundler.
  const make = async () => (await import("./bundle-page.ts")).bundlePage(PANEL_SOURCES);
  return cachedBuild({ fileName: "panel.html", makers, make }, folder);
}

if (import.meta.main) printSize("dist/panel.html", await buildPanelPage());
