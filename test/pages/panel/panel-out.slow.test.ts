import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { servePage } from "../../serve-page.ts";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { importerWithPanel, openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
const kit = await readCannedPackage("one-shot-kit");
const bass = await readCannedPackage("bass-lines");

/** Drags a row with the mouse; returns what the browser gets. */
async function drag(page: Page, row: string): Promise<string> {
  await page.evaluate(`addEventListener("dragstart", (event) => {
    globalThis.dragged = event.dataTransfer.getData("DownloadURL");
  })`);
  const box = await page.locator(".clip-row", { hasText: row }).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 80, (box?.y ?? 0) + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 10, { steps: 5 });
  await page.mouse.up();
  return page.evaluate("globalThis.dragged");
}

describeInBrowser("a sound that leaves the panel (needs Chromium)", () => {
  test("[N26] is dragged out before its import, as its own file, by an address that works once and for no other page", async () => {
    const folder = await temporaryFolder();
    const inbox = join(folder, "inbox", "Kit");
    await writeLocalPackage(inbox, "Kit", ["Kick", "Snare"]);
    const { panelUrl, secret } = await importerWithPanel(null, { folder });
    const page = await browser.open(panelUrl);
    await page.locator(".clip-row", { hasText: "Snare" }).waitFor();
    const [, type, name, address = ""] =
      /^([^:]+):([^:]+):(.+)$/.exec(await drag(page, "Snare")) ?? [];
    expect([type, name]).toEqual(["audio/wav", "Snare.wav"]);
    expect(address).toMatch(new RegExp(`^${new URL(panelUrl).origin}/control/drag/[0-9a-f-]{36}$`));
    expect(address).not.toContain(secret);

    const foreign = await servePage("<!doctype html><title>Foreign</title>");
    const other = await browser.open(foreign, { isForeign: true });
    const learned = await other.evaluate<string[]>(`Promise.all([
      fetch(${JSON.stringify(address)}).then((answer) => answer.text(), () => "nothing"),
      fetch(${JSON.stringify(address)}, { mode: "no-cors" }).then(({ type }) => type, () => "nothing"),
      new Promise((resolve) => {
        const audio = new Audio(${JSON.stringify(address)});
        audio.onloadedmetadata = () => resolve("a sound");
        audio.onerror = () => resolve("nothing");
      }),
    ])`);
    expect(learned).toEqual(["nothing", expect.stringMatching(/^(nothing|opaque)$/), "nothing"]);

    const got = await fetch(address);
    expect(got.status).toBe(200);
    const own = await readFile(join(inbox, "Snare.wav"));
    expect(Buffer.from(await got.arrayBuffer()).equals(own)).toBe(true);
    expect((await fetch(address)).status).toBe(404);
  });

  test("[N26] can't be dragged in another browser, nor once its package has expired", async () => {
    const noChromium = "delete Navigator.prototype.userAgentData";
    const expired = { ...bass.offered, status: "expired" as const, expiresInSeconds: 0 };
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages: [expired] }, [bass]);
    const row = page.locator(".clip-row").first();
    await soon(() => row.getAttribute("draggable")).toBe("false");
    importer.change({ packages: [bass.offered] });
    await soon(() => row.getAttribute("draggable")).toBe("true");
    const other = await browser.open(importer.panelUrl, { before: noChromium });
    await soon(() => other.locator(".clip-row").first().getAttribute("draggable")).toBe("false");
  });
});

/** Records notifications instead of showing them; `permission` is what the person answers. */
const recording = (permission: string) => `
  globalThis.asked = 0;
  globalThis.shown = [];
  globalThis.Notification = class extends EventTarget {
    static permission = "default";
    static async requestPermission() {
      asked += 1;
      return (Notification.permission = ${JSON.stringify(permission)});
    }
    constructor(title, { body }) {
      super();
      shown.push(title + ": " + body);
    }
  };`;

describeInBrowser("news of packages (needs Chromium)", () => {
  const arrival = { packages: [kit.offered] };

  test("[N27] the tab's title counts the new packages", async () => {
    const { importer, page } = await openPanel(browser, PAIRED, [kit, bass]);
    await soon(() => page.title()).toBe("Soundferry");
    importer.change({ packages: [bass.offered, kit.offered] });
    await soon(() => page.title()).toBe("(2) Soundferry");
    importer.change({
      packages: [{ ...bass.offered, status: "imported", results: {} }, kit.offered],
    });
    await soon(() => page.title()).toBe("(1) Soundferry");
  });

  async function openRecording(permission: string) {
    const { importer } = await openPanel(browser, PAIRED, [kit, bass]);
    const page = await browser.open(importer.panelUrl, { before: recording(permission) });
    await page.getByRole("banner").getByRole("button", { name: "Settings" }).click();
    const toggle = page.getByRole("checkbox", { name: /^Notify me of new packages/ });
    await soon(() => toggle.isChecked()).toBe(false);
    const asked = () => page.evaluate<number>("asked");
    const shown = () => page.evaluate<string[]>("shown");
    return { importer, page, toggle, asked, shown };
  }

  test("[N27] a notification is shown only after the person's switch, which alone asks", async () => {
    const { importer, page, toggle, asked, shown } = await openRecording("granted");
    importer.change(arrival);
    await soon(() => page.title()).toBe("(1) Soundferry");
    expect([await asked(), await shown()]).toEqual([0, []]);
    await toggle.click();
    await soon(() => toggle.isChecked()).toBe(true);
    expect(await asked()).toBe(1);
    importer.change({ packages: [bass.offered, kit.offered] });
    const { appName: app, title } = bass.offered;
    await soon(shown).toEqual([`Soundferry: New package from ${app}: ${title}.`]);
    const more = [1, 2].map((n) => Object.assign({}, kit.offered, { packageId: `pkg_${n}` }));
    importer.change({ packages: [...more, bass.offered, kit.offered] });
    await soon(async () => (await shown()).slice(1)).toEqual(["Soundferry: 2 new packages."]);
    await toggle.click();
    await soon(() => toggle.isChecked()).toBe(false);
    importer.change({ packages: [] });
    importer.change(arrival);
    await soon(() => page.title()).toBe("(1) Soundferry");
    expect([await asked(), (await shown()).length]).toEqual([1, 2]);
  });

  test("[N27] the switch says if the browser blocks notifications", async () => {
    const { page, toggle } = await openRecording("denied");
    await toggle.click();
    await page.getByText("Your browser blocks notifications from this page.").waitFor();
    await soon(() => toggle.isDisabled()).toBe(true);
  });

  test("[N27] without notifications there is no switch", async () => {
    const { importer } = await openPanel(browser, PAIRED);
    const before = "delete globalThis.Notification";
    const page = await browser.open(importer.panelUrl, { before });
    await page.getByRole("banner").getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
    expect(await page.getByRole("checkbox", { name: /^Notify/ }).count()).toBe(0);
  });
});

describeInBrowser("the volume of the panel (needs Chromium)", () => {
  test("[N25] the volume is remembered, works with the keyboard, and a page without an origin has one, too", async () => {
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages: [kit.offered] }, [
      kit,
    ]);
    const volume = page.getByRole("slider", { name: "Volume" });
    await soon(() => volume.inputValue()).toBe("100");
    await volume.focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
    await soon(() => volume.inputValue()).toBe("97");
    await page.reload();
    await soon(() => volume.inputValue()).toBe("97");
    await page.goto(await importer.dialogUrl());
    await soon(() => volume.inputValue()).toBe("100");
    await volume.fill("40");
    await soon(() => volume.inputValue()).toBe("40");
  });
});
