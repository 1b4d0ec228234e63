import { join } from "node:path";
import { expect, test } from "vitest";
import { gatedHost } from "../../addon/paused-host.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { importerWithPanel, pairedApp, readCode } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { tabTo } from "../tab-to.ts";
import { soon } from "../../sim/soon.ts";
import { readdir } from "node:fs/promises";
import { CORRECT_TEMPO } from "../../../addon/hosts/host-settings.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { loadPrintingHostWithSetting } from "../../docs/printing-host.ts";
import { FolderHost } from "../../../addon/hosts/folder/folder-host.ts";
import { isOnlySaved } from "../../../core/protocol/package-status.ts";
import { SwitchableHost } from "../../addon/switchable-host.ts";

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

  test("[N22] without Live, two clicks after pairing save the sounds; once Live answers, one click places them", async () => {
    await using relay = await RunningRelay.start();
    const live = new SwitchableHost(false);
    const more = { host: new FolderHost(), preferredHosts: [live] };
    const { panelUrl, settings } = await importerWithPanel(relay.url, { more });
    const page = await browser.open(panelUrl);
    const { client, send } = await pairedApp(relay.url, await readCode(page), "Limp");
    await page.evaluate("clicks = 0, addEventListener('click', () => (clicks += 1), true)");
    const { packageId } = await send("half-beat-lengths");
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const bar = page.locator(".package-bar");
    await bar.getByText(/^Saved( in|\.)/).waitFor();
    expect(await page.evaluate("clicks")).toBe(2);
    const files = await readdir(settings.soundsFolder, { recursive: true });
    expect(files.filter((name) => name.endsWith(".wav"))).toHaveLength(5);
    expect(isOnlySaved((await client.status(packageId)).results)).toBe(true);
    expect(live.requests).toEqual([]);

    live.isOn = true;
    await page.getByRole("button", { name: "Place in Live: Seven Eighths & Relatives" }).click();
    await bar.getByText("All 5 sounds imported").waitFor();
    expect(live.requests).toHaveLength(1);
    await soon(async () => isOnlySaved((await client.status(packageId)).results)).toBe(false);
  });
});
