import { readFile, rename, writeFile, cp } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { useBrowser } from "../panel/panel-browser.ts";
import { join } from "node:path";
import { hearFile } from "../../../cli/layout/hear-package.ts";
import { type ServePreviewOptions, servePreview } from "../../../cli/preview/serve-preview.ts";
import { buildPreviewPage } from "../../../scripts/build-pages.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

/** The preview's page of copies of these fixtures, which a test may edit. */
export async function openPreview(
  browser: ReturnType<typeof useBrowser>,
  fixtures: readonly string[],
  options: Pick<Partial<ServePreviewOptions>, "isWatching" | "hear"> = {},
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

/** A button in a scene's row. */
export function sceneButton(page: Page, scene: RegExp, name: RegExp): Locator {
  return sceneRow(page, scene).getByRole("button", { name });
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

export function transportButton(page: Page, name: RegExp): Locator {
  return transport(page).getByRole("button", { name });
}

/** Changes a file's text as an editor does that writes beside and renames. */
export async function editFile(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(`${path}.new`, changed);
  await rename(`${path}.new`, path);
}

const FIXTURES = join(import.meta.dirname, "../../..", "fixtures", "packages");

/** A folder with copies of these fixtures, in this order, that a test may edit. */
export async function libraryOf(fixtures: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  await Promise.all(
    fixtures.map((name) => cp(join(FIXTURES, name), join(folder, name), { recursive: true })),
  );
  return folder;
}

/** The real page, served as the command serves it, until the test is over. */
export async function servedPreview(
  library: string,
  fixtures: readonly string[],
  {
    isWatching = false,
    hear = hearFile,
  }: Pick<Partial<ServePreviewOptions>, "isWatching" | "hear"> = {},
) {
  const preview = await servePreview({
    folders: fixtures.length === 0 ? [library] : fixtures.map((name) => join(library, name)),
    isWatching,
    hear,
    port: 0,
    page: () => buildPreviewPage(),
    startFolder: library,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await preview[Symbol.asyncDispose]();
  };
  onTestFinished(close);
  return Object.assign(preview, { close });
}
