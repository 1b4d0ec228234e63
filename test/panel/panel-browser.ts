import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../scripts/pictures/find-chromium.ts";

const executablePath = findChromium();

/** Tests that need a browser; left out where this computer has none. */
export const describeInBrowser = describe.skipIf(executablePath === undefined);

export interface PageOptions {
  /** Runs in the page before its own script. */
  readonly before?: string;
  /** Whether it is no page of ours: a policy that stops it is no failure. */
  readonly isForeign?: boolean;
}

/**
 * One browser for all tests of a file, and one page in it where they let go of it: a process for each
 * test would take longer than the tests.
 */
export function useBrowser(): {
  readonly open: (url: string, options?: PageOptions) => Promise<Page>;
} {
  let browser: Browser | undefined;
  const idle: Page[] = [];
  beforeAll(async () => {
    if (executablePath === undefined) return;
    browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
  }, 60_000);
  afterAll(() => browser?.close());
  return {
    open: async (url, options = {}) => {
      if (browser === undefined) throw new Error("There is no browser.");
      const page = idle.pop() ?? (await browser.newPage());
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
