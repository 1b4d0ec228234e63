import { keptBuild } from "./kept-build.ts";
import type { PageSources } from "./bundle-page.ts";
import { printSize } from "./print-size.ts";

// Builds the relay's page: one HTML file with script and style in it. Run as a script, it says how large
// the page is.

export const PAGE_SOURCES: PageSources = {
  template: "relay/page/page.html",
  script: "relay/page/page.tsx",
  style: "relay/page/style/page.css",
};

/**
 * The relay's page as one HTML text that loads nothing else; kept as `page.html`. It speaks to the relay
 * that its `<meta name="relay">` names, and where that is empty to the one that serves it.
 * @param folder absolute; `dist/` where left out
 */
export async function buildRelayPage(folder?: string): Promise<string> {
  const makers = ["scripts/build-page.ts", "scripts/bundle-page.ts"];
  // Loaded only now: most calls need no bundler.
  const make = async () => (await import("./bundle-page.ts")).bundlePage(PAGE_SOURCES);
  return keptBuild({ fileName: "page.html", makers, make }, folder);
}

if (import.meta.main) printSize("dist/page.html", await buildRelayPage());
