import { readFile, rename, writeFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { useBrowser } from "../panel/panel-browser.ts";
import { libraryOf, servedPreview } from "./served-preview.ts";

/** The preview's page of copies of these fixtures, which a test may edit. */
export async function openPreview(
  browser: ReturnType<typeof useBrowser>,
  fixtures: readonly string[],
  options: { readonly isWatching?: boolean } = {},
) {
  const library = await libraryOf(fixtures);
  const preview = await servedPreview(library, fixtures, options);
  const page = await openWide(browser, preview.url);
  await sceneList(page).waitFor();
  return { library, page, preview };
}

/** The page in a window that shows all panes. */
export async function openWide(browser: ReturnType<typeof useBrowser>, url: string): Promise<Page> {
  const page = await browser.open("about:blank");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(url);
  return page;
}

export function sceneList(page: Page): Locator {
  return page.getByRole("grid", { name: "Scenes" });
}

/** A scene's row in the list. */
export function sceneRow(page: Page, name: RegExp): Locator {
  return sceneList(page).getByRole("row", { name });
}

/** The list of sounds. */
export function clips(page: Page): Locator {
  return page.locator(".pane-main").getByRole("grid");
}

/** A sound's row, by the start of its name. */
export function clipRow(page: Page, name: RegExp): Locator {
  return clips(page).getByRole("row", { name });
}

export function detail(page: Page): Locator {
  return page.getByRole("tabpanel");
}

export async function showTab(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

export function transport(page: Page): Locator {
  return page.getByRole("group", { name: "Transport" });
}

/** Changes a file's text as an editor does that writes beside and renames. */
export async function editFile(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(`${path}.new`, changed);
  await rename(`${path}.new`, path);
}
