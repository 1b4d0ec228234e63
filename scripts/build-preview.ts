import { cachedBuild } from "./cached-build.ts";
import type { PageSources } from "./bundle-page.ts";
import { printSize } from "./print-size.ts";

// Builds the page of `soundferry preview`: one HTML file with inline script and style. Run as a script, it
// prints the size.

export const PREVIEW_SOURCES: PageSources = {
  template: "pages/preview/preview.html",
  script: "pages/preview/preview.tsx",
  style: "pages/preview/style/preview.css",
  unusedMessages: ["panel", "page"],
};

/**
 * The preview's page as one HTML text that loads nothing else, cached as `preview.html`.
 * @param folder absolute; default `dist/`
 */
export async function buildPreviewPage(folder?: string): Promise<string> {
  const makers = ["scripts/build-preview.ts", "scripts/bundle-page.ts"];
  // Loaded on demand: most calls need no bundler.
  const make = async () => (await import("./bundle-page.ts")).bundlePage(PREVIEW_SOURCES);
  return cachedBuild({ fileName: "preview.html", makers, make }, folder);
}

if (import.meta.main) printSize("dist/preview.html", await buildPreviewPage());
