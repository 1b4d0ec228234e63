import type { Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { sharedChromium } from "../shared-chromium.ts";

export { describeInBrowser } from "../shared-chromium.ts";

export interface PageOptions {
  /** Runs in the page before its own script. */
  readonly before?: string;
  /** Set for a page that isn't ours, for which a policy that stops it is no failure. */
  readonly isForeign?: boolean;
}

/** Pages in the worker's browser. Tests of a file share one where they let go of it. */
export function useBrowser(): {
  readonly open: (url: string, options?: PageOptions) => Promise<Page>;
} {
  const idle: Page[] = [];
  afterAll(() => Promise.all(idle.map((page) => page.close())));
  return {
    open: async (url, options = {}) => {
      const page = idle.pop() ?? (await (await sharedChromium()).newPage());
      onTestFinished(async () => {
        page.removeAllListeners();
        // A script that was added to run before the page's own can't be removed.
        if (options.before !== undefined || page.isClosed()) return page.close();
        await page.goto("about:blank");
        idle.push(page);
      });
      await openPage(page, url, options);
      return page;
    },
  };
}

/** The test fails where the page's script did. */
async function openPage(
  page: Page,
  url: string,
  { before, isForeign = false }: PageOptions,
): Promise<void> {
  page.setDefaultTimeout(30_000);
  const failures: string[] = [];
  page.on("pageerror", ({ message }) => failures.push(message));
  page.on("console", (message) => {
    if (!isForeign && /content security policy/i.test(message.text()))
      failures.push(message.text());
  });
  onTestFinished(() => expect(failures).toEqual([]));
  await page.setViewportSize({ width: 760, height: 560 });
  if (before !== undefined) await page.addInitScript(before);
  await page.goto(url);
}
