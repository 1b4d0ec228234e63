import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { pairedPage, pairedPageOverLine, rowNames } from "./page-at-work.ts";
import { addFiles, chosen, wavOnDisk } from "./test-sounds.ts";

const browser = useBrowser();

/** Adds so many small one-shots. */
async function addHits(page: Page, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `Hit One Shot ${index + 1}.wav`);
  await addFiles(page, ...names.map((name) => chosen(name, smallWav())));
  await page.getByText(`${count} one-shots`, { exact: false }).first().waitFor();
}

const choice = (page: Page) => page.getByRole("button", { name: "2 packages, 2 scenes" });
const send = (page: Page) => page.getByRole("button", { name: "Send to Studio" }).click();
const sentRows = (page: Page) =>
  page
    .locator(".pick-row bdi")
    .filter({ hasText: /\(\d of \d\)/ })
    .allInnerTexts();

describeInBrowser("more than a package holds (needs Chromium)", () => {
  test("[G20] asks once, sends the packages one after the other, and follows each", async () => {
    const { importer, page } = await pairedPage(browser.open);
    await addHits(page, 33);
    await page.getByText("33 sounds in total; one package holds 32.").waitFor();
    await page.getByRole("textbox", { name: "Scene title" }).fill("Kit");
    // Send moves the focus to what is missing.
    await page.getByRole("button", { name: "Send to Studio" }).press("Enter");
    await soon(() => page.evaluate("document.activeElement.id")).toBe("question");
    expect(await choice(page).getAttribute("aria-pressed")).toBe("false");
    await choice(page).click();
    expect(await choice(page).getAttribute("aria-pressed")).toBe("true");
    await page.getByText("33 one-shots → 2 scenes Kit").waitFor();
    await send(page);
    await soon(() => sentRows(page)).toEqual(["Kit (1 of 2)", "Kit (2 of 2)"]);
    await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
    const { packages } = await importer.packages();
    const sent = packages.map(({ manifest: { title, items } }) => `${title}: ${items.length}`);
    expect(sent.toSorted()).toEqual(["Kit (1 of 2): 32", "Kit (2 of 2): 1"]);
    await importer.importAll();
    await soon(() => page.getByText("All 32 sounds imported", { exact: true }).count()).toBe(1);
    // A reload knows both.
    await page.reload();
    await soon(() => sentRows(page)).toEqual(["Kit (1 of 2)", "Kit (2 of 2)"]);
    expect(await rowNames(page)).toEqual([]);
  });

  test("[G20] the question ends when one package holds what is left", async () => {
    const { page } = await pairedPage(browser.open);
    await addHits(page, 33);
    await choice(page).click();
    await page.locator(".clip-row").first().click();
    await page.keyboard.press("Delete");
    await soon(() => choice(page).count()).toBe(0);
    await page.getByText("32 one-shots → scene").waitFor();
  });

  test("[G18][G20] a reload in the second package continues with it, and makes no third", async () => {
    const { importer, line, page } = await pairedPageOverLine(browser.open);
    await addHits(page, 32);
    await page
      .getByLabel("Sound files")
      .setInputFiles(await wavOnDisk("Long One Shot.wav", 16_000_000));
    await choice(page).click();
    await page.getByRole("textbox", { name: "Scene title" }).fill("Kit");
    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    await send(page);
    await page.getByText(/^2 of 2: Sending: [1-9]/).waitFor();
    expect(await rowNames(page)).toHaveLength(1);
    line.breakStalled();
    line.repair();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("Kit (2 of 2) wasn’t sent completely.").waitFor();
    await soon(() => rowNames(page)).toHaveLength(1);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
    const { packages } = await importer.packages();
    expect(packages.map(({ manifest: { title } }) => title).toSorted()).toEqual([
      "Kit (1 of 2)",
      "Kit (2 of 2)",
    ]);
    await page.locator('.pick-row[data-key="new"]').click();
    await page.getByText("Drop sounds or a folder anywhere on this page.").waitFor();
  });
});
