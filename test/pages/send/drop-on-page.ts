import type { Page } from "playwright-core";

/** Drops files and folders at these absolute paths, as a person would. */
export async function dropOnPage(page: Page, ...files: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, x: 100, y: 200, data });
  }
  await devtools.detach();
}
