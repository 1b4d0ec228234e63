import { keptBuild } from "./kept-build.ts";
import type { PageSources } from "./bundle-page.ts";
import { printSize } from "./print-size.ts";

// Builds the page of `soundferry preview`: one HTML file with script and style in it. Run as a script, it says
// how large the page is.

export const PREVIEW_SOURCES: PageSources = {
  template: "tools/preview/page/preview.html",
  script: "tools/preview/page/preview.tsx",
  style: "tools/preview/page/style/preview.css",
};

/**
 * The preview's page as one HTML text that loads nothing else; kept as `preview.html`.
 * @param folder absolute; `dist/` where left out
 */
export async function buildPreviewPage(folder?: string): Promise<string> {
  const makers = ["scripts/build-preview.ts", "scripts/bundle-page.ts"];
  // Loaded only now: most calls need no bundler.
  const make = async () => (await import("./bundle-page.ts")).bundlePage(PREVIEW_SOURCES);
  return keptBuild({ fileName: "preview.html", makers, make }, folder);
}

if (import.meta.main) printSize("dist/preview.html", await buildPreviewPage());
