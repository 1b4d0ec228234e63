import type { Page } from "playwright-core";
import type { CannedImporter } from "./canned-importer.ts";
import type { CannedScene } from "./canned-package.ts";

/**
 * Brings a panel, opened in the scene's state `before` or in its own, to the scene: clicks its button, and changes
 * the importer's state.
 */
export async function showPanelScene(
  page: Page,
  importer: CannedImporter,
  { state, before, click }: CannedScene,
): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Settings" }).waitFor();
  if (click !== undefined) await page.getByRole("button", { name: click }).click();
  if (before === undefined) return;
  await page.getByRole("img", { name: /^Pairing code/ }).waitFor();
  importer.change(state);
  await page.getByText("Paired with").first().waitFor();
}
