import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { gatedHost } from "../../addon/paused-host.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { importerWithPanel, pairedApp } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { readCode } from "./read-code.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("more journeys with the panel (needs Chromium)", () => {
  test("[N3] an import goes on when its page is closed, and is cancelled only by Cancel", async () => {
    const folder = await temporaryFolder();
    await writeLocalPackage(join(folder, "inbox", "Kit"), "Kit", ["Kick", "Snare"]);
    const gated = gatedHost();
    const { panelUrl } = await importerWithPanel(null, { folder, more: { host: gated.host } });
    const page = await browser.open(panelUrl);
    await page.getByRole("button", { name: "Import: Kit" }).click();
    await gated.reached;
    await page.getByRole("progressbar", { name: "Kit" }).first().waitFor();
    await page.close();
    const second = await browser.open(panelUrl);
    const cancel = second.getByRole("button", { name: "Cancel the import of Kit" });
    await cancel.waitFor();
    gated.open();
    await second.getByText("2 of 2", { exact: true }).first().waitFor();
    await cancel.waitFor({ state: "detached" });

    const stuck = gatedHost();
    const other = await importerWithPanel(null, {
      settings: { inboxFolder: join(folder, "inbox") },
      more: { host: stuck.host },
    });
    await second.goto(other.panelUrl);
    await second.getByRole("button", { name: "Import: Kit" }).click();
    await stuck.reached;
    await second.getByRole("button", { name: "Cancel the import of Kit" }).click();
    await second.getByText("The import was cancelled.", { exact: true }).first().waitFor();
    await second.getByRole("button", { name: "Import: Kit" }).waitFor();
  });

  test("[N3][N6][N19] the keyboard alone hears a sound, imports, and unpairs", async () => {
    await using relay = await RunningRelay.start();
    const { panelUrl } = await importerWithPanel(relay.url);
    const page = await browser.open(panelUrl);
    const { client, send } = await pairedApp(relay.url, await readCode(page), "Windowsill");
    await send("textures");
    await tabTo(page, "Show 1 package");
    await page.keyboard.press("Enter");
    await page.locator(".clip-row", { hasText: "Rain on the Skylight" }).waitFor();

    await tabTo(page, /^Rain on the Skylight/);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Stop Rain on the Skylight" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(1);
    await soon(() => page.getByRole("button", { name: "Stop Rain on the Skylight" }).count()).toBe(
      0,
    );
    await page.keyboard.press("Space");
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(0);

    await tabTo(page, "Import");
    await page.keyboard.press("Enter");
    await page.getByText("4 of 4", { exact: true }).first().waitFor();
    await soon(() => page.evaluate("document.activeElement.id")).toBe("package-title");

    await tabTo(page, "Settings");
    await page.keyboard.press("Enter");
    await tabTo(page, "Unpair Windowsill");
    await page.keyboard.press("Enter");
    await page.getByText("No apps yet.").waitFor();
    await expect(client.me()).rejects.toMatchObject({ status: 401 });
  });
});

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const focused = "document.activeElement.ariaLabel ?? document.activeElement.innerText ?? ''";
  for (let presses = 0; presses < 60; presses += 1) {
    const at = await page.evaluate<string>(focused);
    if (typeof name === "string" ? at === name : name.test(at)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${name}.`);
}
