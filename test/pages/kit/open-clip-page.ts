import type { Page } from "playwright-core";
import type { useBrowser } from "../panel/panel-browser.ts";
import { buildClipPage } from "./clip-page.ts";

/** Opens the page of canned rows in a window of a width. */
export async function openClipPage(
  browser: ReturnType<typeof useBrowser>,
  count: number,
  width = 1280,
): Promise<Page> {
  const html = await buildClipPage();
  const page = await browser.open("about:blank");
  await page.setViewportSize({ width, height: 700 });
  await page.route("http://clips.test/**", (route) =>
    route.fulfill({ contentType: "text/html", body: html }),
  );
  await page.goto(`http://clips.test/#${count}`);
  await page.getByRole("grid", { name: "Packages" }).waitFor();
  return page;
}

/** The key, or else the words, of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `document.activeElement.dataset.key ?? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.slice(0, 40)`,
  );

export const rowOf = (page: Page, number: number) =>
  page.getByRole("row", { name: new RegExp(`^Sound with a name ${number},`) });

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
