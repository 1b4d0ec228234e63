import { test } from "vitest";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const FOCUSED = "document.activeElement.innerText";

describeInBrowser("setting up Live (needs Chromium)", () => {
  test("[H20] Install is reached and pressed by keyboard, and the steps turn green when Live answers", async () => {
    await using importer = await CannedImporter.start({ ...PAIRED, live: LIVE_UNSET });
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Set up Live" }).press("Enter");
    const install = page.getByRole("button", { name: "Install", exact: true });
    await install.waitFor();
    await soon(async () => {
      await page.keyboard.press("Tab");
      return page.evaluate<string>(FOCUSED);
    }).toBe("Install");
    await page.keyboard.press("Enter");
    await soon(() => importer.calls).toMatchObject([
      { method: "POST", path: "/control/live/script" },
    ]);

    importer.change({ live: { ...LIVE_UNSET, script: "current" } });
    await install.waitFor({ state: "detached" });
    const dialog = page.getByRole("dialog", { name: "Set up Ableton Live" });
    await soon(() =>
      page.evaluate("document.querySelector('dialog').contains(document.activeElement)"),
    ).toBe(true);
    await page.getByText("It is in Live’s User Library.").waitFor();

    importer.change({ live: LIVE_READY });
    await dialog.getByText("Live 12.1.5 Standard is ready for exact imports").waitFor();
    await page.keyboard.press("Escape");
    await soon(() => page.getByRole("button", { name: "Set up Live" }).count()).toBe(0);
    await page.getByRole("button", { name: "Settings" }).click();
    await soon(() => page.locator(".live-steps").isVisible()).toBe(false);
    await page.getByText("Live 12.1.5 Standard is ready for exact imports").click();
    await soon(() => page.locator(".live-steps .done").count()).toBe(3);
  });

  test("[H20] a refused installation shows its reason beside the button", async () => {
    await using importer = await CannedImporter.start({ ...PAIRED, live: LIVE_UNSET });
    importer.refusals.set(
      "/control/live/script",
      "The disk is full. Free some space and try again.",
    );
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Set up Live" }).click();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "The disk is full." }).waitFor();
  });

  test("[H20] in Live's dialog the steps open with a click, too; without Live there is nothing", async () => {
    const live = { ...LIVE_UNSET, script: "unknown", canInstall: false } as const;
    await using importer = await CannedImporter.start({ ...PAIRED, live });
    const page = await browser.open(await importer.dialogUrl());
    const offer = page.getByRole("button", { name: "Set up Live" });
    await offer.click();
    await page.getByText("In a terminal, run: soundferry live install").waitFor();
    importer.change({ live: null });
    await offer.waitFor({ state: "detached" });
  });
});
