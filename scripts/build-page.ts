import { cachedBuild } from "./cached-build.ts";
import type { PageSources } from "./bundle-page.ts";
import { printSize } from "./print-size.ts";

// Builds the relay's page: one HTML file with inline script and style. Run as a script, it prints the size.

export const PAGE_SOURCES: PageSources = {
  template: "pages/send/page.html",
  script: "pages/send/page.tsx",
  style: "pages/send/style/page.css",
  unusedMessages: ["panel"],
};

/**
 * The relay's page as one HTML text that loads nothing else, cached as `page.html`. It calls the relay in its
 * `<meta name="relay">`, or the one that serves it if that is empty.
 * @param folder absolute; default `dist/`
 */
export async function buildRelayPage(folder?: string): Promise<string> {
  const makers = ["scripts/build-page.ts", "scripts/bundle-page.ts"];
  // Loaded on demand: most calls need no bundler.
  const make = async () => (await import("./bundle-page.ts")).bundlePage(PAGE_SOURCES);
  return cachedBuild({ fileName: "page.html", makers, make }, folder);
}

if (import.meta.main) printSize("dist/page.html", await buildRelayPage());
