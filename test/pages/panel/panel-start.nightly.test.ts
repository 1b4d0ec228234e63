import { join } from "node:path";
import { expect, test } from "vitest";
import { FRESH, OFFLINE, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { importerWithPanel, pairedApp, readCode, openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("a page that is opened before everything was read (needs Chromium)", () => {
  test("[N14] shows what waits, not the pairing code, once the relay has told of an app", async () => {
    const { importer, page } = await openPanel(browser, {
      ...FRESH,
      isReading: true,
      pairing: { code: null, expiresInSeconds: null, usedBy: null },
    });
    await page.getByText("Looking for packages…").first().waitFor();
    expect(await page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
    importer.change({ ...PAIRED, isReading: false });
    await page.locator(".pick-list").waitFor();
    expect(importer.calls.map(({ path }) => path)).not.toContain("/control/pairing-code");
  });

  test("[N14] goes on to the code when there is no app and no package", async () => {
    const { importer, page } = await openPanel(browser, { ...FRESH, isReading: true });
    await page.getByText("Looking for packages…").first().waitFor();
    importer.change({ isReading: false });
    await page.getByText("K7M Q2X").waitFor();
  });

  test("[N14] says that the relay is away, and asks for no code", async () => {
    const { importer, page } = await openPanel(browser, { ...OFFLINE, isReading: true });
    await page
      .getByText(/does not answer/)
      .first()
      .waitFor();
    expect(await page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
    expect(importer.calls.map(({ path }) => path)).not.toContain("/control/pairing-code");
  });

  test("[N14] a paired computer whose relay is away keeps its code to itself", async () => {
    const folder = await temporaryFolder();
    const relay = await RunningRelay.start();
    const first = await importerWithPanel(relay.url, { folder });
    const page = await browser.open(first.panelUrl);
    await pairedApp(relay.url, await readCode(page), "Windowsill");
    await page.getByText("Paired with Windowsill", { exact: true }).waitFor();
    await first.close();
    await relay[Symbol.asyncDispose]();

    const again = await importerWithPanel(relay.url, { folder });
    await page.goto(again.panelUrl);
    await page.getByText("No packages yet. They’ll appear here automatically.").first().waitFor();
    expect(await page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
  });

  test("[N14][R5] a slow inbox never puts the relay's address before its packages", async () => {
    const folder = await temporaryFolder();
    for (let number = 0; number < 60; number++) {
      await writeLocalPackage(join(folder, "inbox", `Kit ${number}`), `Kit ${number}`, ["Kick"]);
    }
    const { panelUrl, importer } = await importerWithPanel(null, { folder });
    const page = await browser.open(panelUrl);
    await page
      .getByRole("button", { name: /^Import: Kit/ })
      .first()
      .waitFor();
    await soon(() => importer.state.local.length).toBe(60);
    expect(await page.getByRole("textbox", { name: "The relay’s address" }).count()).toBe(0);
  });
});
