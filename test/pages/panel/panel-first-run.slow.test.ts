import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CORRECT_TEMPO } from "../../../addon/hosts/host-settings.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { loadPrintingHostWithSetting } from "../../docs/printing-host.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { SwitchableHost } from "../../addon/switchable-host.ts";
import { importerWithPanel, pairedApp } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { readCode } from "./read-code.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

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
    await page.getByTitle(`Connected to ${relay.url}`).waitFor();

    const { client, send } = await pairedApp(relay.url, await readCode(page), "Limp");
    await page.getByText("Paired with Limp", { exact: true }).waitFor();
    const { packageId } = await send("half-beat-lengths");
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await page.getByRole("heading", { name: "Seven Eighths & Relatives" }).waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.locator(".clip-row", { hasText: "3.5" }).first().waitFor();
    await soon(() => page.locator(".clip-row").count()).toBe(5);
    expect(await readdir(settings.soundsFolder).catch(() => [])).toEqual([]);
    expect((await client.status(packageId)).status).toBe("waiting");

    await page.getByRole("checkbox", { name: "Set the tempo to 100 BPM" }).check();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("5 of 5", { exact: true }).first().waitFor();
    await soon(async () => (await client.status(packageId)).status).toBe("imported");
    const session = await readPreviewSession(join(settings.dataFolder, "preview-session.json"));
    expect(session).toMatchObject({ tempo_bpm: 100 });
    expect(session.scenes).toHaveLength(1);

    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: /^Rename this computer/ }).click();
    await page.getByRole("textbox", { name: "Name of this computer" }).fill("Attic");
    await page.keyboard.press("Enter");
    await page.getByText("Attic", { exact: true }).waitFor();
    await soon(async () => (await client.me()).device_name).toBe("Attic");

    await page.getByRole("button", { name: "Unpair Limp" }).click();
    await page.getByText("No apps yet.").waitFor();
    await expect(client.me()).rejects.toMatchObject({ status: 401 });
  });

  test("[K3][N3] a host's own setting is switched with the keyboard, and stays after a restart", async () => {
    const folder = await temporaryFolder();
    await writeLocalPackage(join(folder, "inbox", "Kit"), "Kit", ["Kick", "Snare"]);
    const PrintingHost = await loadPrintingHostWithSetting(folder);
    const printed: string[] = [];
    const host = new PrintingHost((line) => printed.push(line));
    const first = await importerWithPanel(null, { folder, more: { host } });
    const page = await browser.open(first.panelUrl);
    await page
      .getByRole("button", { name: "Use the inbox without a relay" })
      .waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Settings" }).click();
    const setting = page.getByRole("checkbox", {
      name: "Print the number of sounds",
      description: "Adds a line with the number of sounds to each scene.",
    });
    expect(await setting.isChecked()).toBe(false);
    await setting.press("Space");
    await soon(() => first.importer.state.host.settings).toMatchObject([{ value: true }]);
    await first.close();

    const second = await importerWithPanel(null, { folder, more: { host } });
    await soon(() => second.importer.state.local.length).toBe(1);
    await page.goto(second.panelUrl);
    await page.getByRole("button", { name: "Settings" }).click();
    expect(await setting.isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Import: Kit" }).click();
    await page.getByText("2 of 2", { exact: true }).first().waitFor();
    expect(printed).toContain("sounds 2");
  });

  test("[N9][N3] the header follows the host that is ready, and the settings with it", async () => {
    const live = new SwitchableHost(false);
    const settings = [{ ...CORRECT_TEMPO, id: "shout", label: "Shout" }];
    const more = { preferredHosts: [Object.assign(live, { settings })] };
    const { panelUrl } = await importerWithPanel(null, { more });
    const page = await browser.open(panelUrl);
    const header = page.getByRole("banner");
    await header.getByText("Imports into Preview", { exact: true }).waitFor();
    live.isOn = true;
    await header.getByText("Imports into Live 12.1.5 Standard", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("checkbox", { name: "Shout" }).waitFor({ state: "attached" });
    live.isOn = false;
    await header.getByText("Imports into Preview", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Shout" }).waitFor({ state: "detached" });
  });
});
