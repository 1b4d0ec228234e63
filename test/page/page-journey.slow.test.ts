import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { computerAt, pairedPageOverLine, relayWithPage } from "./page-at-work.ts";
import { wavOnDisk } from "./test-sounds.ts";

const browser = useBrowser();

describeInBrowser("more journeys with the relay's page (needs Chromium)", () => {
  test("[G5] resumes automatically after the connection breaks in the middle of an upload", async () => {
    const { line, importer, page } = await pairedPageOverLine(browser.open);
    await page.getByLabel("Sound files").setInputFiles(await wavOnDisk("long.wav", 16_000_000));
    await page.getByRole("textbox", { name: "Name of sound 1" }).waitFor();

    line.stallAfter(2_000_000);
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText(/^Sending: [1-9]/).waitFor();
    line.cut();
    await page.getByRole("alert").filter({ hasText: "Retrying in" }).waitFor();
    line.repair();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    await importer.importAll();
    await page.getByText("1 sound imported", { exact: true }).waitFor();
  });

  test("[G9] the keyboard alone pairs, describes, sends and withdraws", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(relay.url);
    // Long before the key: the browser must have heard by then that the dialog is not to be shown.
    const choosing = page.waitForEvent("filechooser");
    await tabTo(page, "Pairing code");
    await page.keyboard.type(await code());
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Unpair Studio" }).waitFor();

    await tabTo(page, "Choose files");
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles(await wavOnDisk("beat.wav", 2 * 2 * 44_100));
    await tabTo(page, "Play beat");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Stop beat" }).waitFor();
    await page.keyboard.press("Space");
    await tabTo(page, "Yes, beat is such a loop");
    await page.keyboard.press("Enter");
    await soon(() => focusedName(page)).toBe("Plays beat");
    await tabTo(page, "Beats of beat");
    await soon(() => page.evaluate("document.activeElement.value")).toBe("4");
    await tabTo(page, "Send to Studio");
    await page.keyboard.press("Enter");
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    await soon(() => page.evaluate("document.activeElement.id")).toMatch(/^sent-/);

    await tabTo(page, "Withdraw Untitled");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await soon(() => focusedName(page)).toBe("Withdraw Untitled");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Withdrawn", { exact: true }).waitFor();
    expect((await importer.packages()).packages).toEqual([]);
  });
});

/** The accessible name of what has the focus, as far as labels and texts give it. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const focused = document.activeElement;
    return focused.ariaLabel ?? focused.labels?.[0]?.textContent ?? focused.textContent;
  })()`);
}

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focusedName(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${name}.`);
}
