import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readPreviewSession } from "../../addon/host/preview-session.ts";
import { gatedHost } from "../addon/gated-host.ts";
import { writeLocalPackage } from "../addon/importer-at-work.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { importerWithPanel, pairedApp } from "./panel-at-work.ts";
import { describeInBrowser, soon, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

async function readCode(page: Page): Promise<string> {
  const code = page.getByRole("img", { name: /^Pairing code/ });
  return (await code.innerText()).trim();
}

describeInBrowser("the whole journey (needs Chromium)", () => {
  test("[N3][N4][N5][N6] first run, pair, send, see, import, read the results, rename, unpair", async () => {
    await using relay = await RunningRelay.start();
    const { panelUrl, settings } = await importerWithPanel(null);
    const page = await browser.open(panelUrl);

    const field = page.getByRole("textbox", { name: "The relay’s address" });
    await field.fill("http://127.0.0.1:1");
    await field.press("Enter");
    await page.getByRole("alert").filter({ hasText: "127.0.0.1:1" }).waitFor();
    await field.fill(relay.url);
    await field.press("Enter");
    await page.getByText(`Connected to ${relay.url}`).waitFor();

    const { client, send } = await pairedApp(relay.url, await readCode(page), "Limp");
    await page.getByText("Paired with Limp", { exact: true }).waitFor();
    const { packageId } = await send("half-beat-lengths");
    await page.getByRole("heading", { name: "Seven Eighths & Relatives" }).waitFor();
    await page.locator(".facts", { hasText: "3.5 beats" }).first().waitFor();
    await soon(() => page.getByRole("img", { name: /^Colour #/ }).count()).toBe(5);
    await soon(() => page.locator(".outline .shape").count()).toBeGreaterThan(0);
    expect(await readdir(settings.soundsFolder).catch(() => [])).toEqual([]);
    expect((await client.status(packageId)).status).toBe("waiting");

    await page.getByRole("checkbox", { name: "Set the tempo to 100 BPM" }).check();
    await page.getByRole("button", { name: "Import: Seven Eighths & Relatives" }).click();
    await page.getByText("All 5 sounds imported", { exact: true }).waitFor();
    await soon(async () => (await client.status(packageId)).status).toBe("imported");
    const session = await readPreviewSession(join(settings.dataFolder, "preview-session.json"));
    expect(session).toMatchObject({ tempo_bpm: 100 });
    expect(session.scenes).toHaveLength(1);

    await page.getByRole("button", { name: /^Rename this computer/ }).click();
    await page.getByRole("textbox", { name: "Name of this computer" }).fill("Attic");
    await page.keyboard.press("Enter");
    await page.getByText("Attic", { exact: true }).waitFor();
    await soon(async () => (await client.me()).device_name).toBe("Attic");

    await page.getByRole("button", { name: "Unpair Limp" }).first().click();
    await page.getByText("No app yet.").waitFor();
    await expect(client.me()).rejects.toMatchObject({ status: 401 });
  });

  test("[N3] an import goes on when its page is closed, and is cancelled only by Cancel", async () => {
    const folder = await temporaryFolder();
    await writeLocalPackage(join(folder, "inbox", "Kit"), "Kit", ["Kick", "Snare"]);
    const gated = gatedHost();
    const { panelUrl } = await importerWithPanel(null, { folder, more: { host: gated.host } });
    const page = await browser.open(panelUrl);
    await page.getByRole("button", { name: "Import: Kit" }).click();
    await gated.reached;
    await page.getByRole("progressbar", { name: "Kit" }).waitFor();
    await page.close();
    const second = await browser.open(panelUrl);
    const cancel = second.getByRole("button", { name: "Cancel the import of Kit" });
    await cancel.waitFor();
    gated.open();
    await second.getByText("All 2 sounds imported", { exact: true }).waitFor();
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
    await second.getByText("The import was cancelled.", { exact: true }).waitFor();
    await second.getByRole("button", { name: "Import: Kit" }).waitFor();
  });

  test("[N3][N6] the keyboard alone hears a sound, imports, and unpairs", async () => {
    await using relay = await RunningRelay.start();
    const { panelUrl } = await importerWithPanel(relay.url);
    const page = await browser.open(panelUrl);
    const { client, send } = await pairedApp(relay.url, await readCode(page), "Windowsill");
    await send("textures");
    const play = page.getByRole("button", { name: "Play Rain on the Skylight" });
    await play.waitFor();

    await tabTo(page, "Play Rain on the Skylight");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Stop Rain on the Skylight" }).waitFor();
    await tabTo(page, "Play Frost Chords");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop Frost Chords" }).waitFor();
    expect(await page.getByRole("button", { name: /^Stop / }).count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Play Frost Chords" }).waitFor();

    await tabTo(page, "Import: Weather, Indoors");
    await page.keyboard.press("Enter");
    await page.getByText("All 4 sounds imported", { exact: true }).waitFor();
    await soon(() => page.evaluate("document.activeElement.id")).toMatch(/^result-/);

    await tabTo(page, "Unpair Windowsill");
    await page.keyboard.press("Enter");
    await page.getByText("No app yet.").waitFor();
    await expect(client.me()).rejects.toMatchObject({ status: 401 });
  });
});

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = "document.activeElement.ariaLabel ?? document.activeElement.innerText ?? ''";
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${name}.`);
}
