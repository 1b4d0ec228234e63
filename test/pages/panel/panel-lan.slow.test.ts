import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import { translateWith } from "../../../core/messages/translate.ts";
import { lanSentence } from "../../../core/protocol/lan-sentences.ts";
import type { PanelLan, PanelState } from "../../../core/protocol/panel-api.ts";
import { cannedApp, CANNED_REQUEST } from "../../../scripts/pictures/canned-app.ts";
import {
  CANNED_LAN,
  CANNED_LAN_BUSY,
  CANNED_LAN_OFF,
} from "../../../scripts/pictures/canned-lan.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { FRESH, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { breachesOf } from "../axe-check.ts";
import { shiftsAfter } from "../kit/nothing-moves.ts";
import { soon } from "../../sim/soon.ts";
import { readFindings } from "./look-at-layout.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { readQr } from "./read-qr.ts";

const browser = useBrowser();

/** A computer with its own relay. */
const HERE: PanelState = {
  ...FRESH,
  connection: { ...FRESH.connection, relayUrl: "http://127.0.0.1:4700" },
};
const CODE = "K7MQ2X";
const SWITCH = { name: "Let devices in this network send" };
const NOBODY = "No device has come yet. The usual causes:";

async function open(lan: PanelLan | null, more: Partial<PanelState> = {}) {
  const { importer, page } = await openPanel(browser, { ...HERE, ...more, lan });
  await page.getByRole("banner").getByRole("button", { name: "Settings" }).waitFor();
  return { importer, page };
}

function qrCode(page: Page) {
  return page.getByRole("img", { name: "The pairing code to scan with a phone" });
}

describeInBrowser("devices in the network (needs Chromium)", () => {
  test("[N31] the switch is off at first, in the pairing step and in the settings; a click and a tick say what they change", async () => {
    const { importer, page } = await open(CANNED_LAN_OFF);
    const box = page.getByRole("checkbox", SWITCH);
    const keep = page.getByRole("checkbox", { name: "Keep on" });
    expect([await box.isChecked(), await keep.isEnabled()]).toEqual([false, false]);
    await page.getByText("others in this network could hear or change what you send").waitFor();
    await box.press("Space");
    await soon(() => importer.calls.at(-1)).toEqual({
      method: "PUT",
      path: "/control/lan",
      body: { isOn: true, keepsOn: false },
    });
    importer.change({ lan: CANNED_LAN });
    await keep.click();
    await soon(() => importer.calls.at(-1)?.body).toEqual({ isOn: true, keepsOn: true });
    importer.change({ lan: { ...CANNED_LAN, keepsOn: true } });
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog").getByRole("checkbox", SWITCH).click();
    await soon(() => importer.calls.at(-1)?.body).toEqual({ isOn: false, keepsOn: false });
  });

  test("[N31] where it can't be switched the page says why, and the box stays true", async () => {
    const { importer, page } = await open(CANNED_LAN_OFF);
    importer.refusals.set("/control/lan", "Port 4700 is taken on 192.168.1.20.");
    const box = page.getByRole("checkbox", SWITCH);
    await box.click();
    await page.getByText("Port 4700 is taken on 192.168.1.20.").waitFor();
    expect(await box.isChecked()).toBe(false);
    const fixedBecause = "--host decides which devices reach the relay.";
    importer.change({ lan: { ...CANNED_LAN, fixedBecause } });
    await page.getByText(fixedBecause).waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    importer.change({ lan: { ...CANNED_LAN, addresses: [], trouble: lanSentence("LAN_ABSENT") } });
    await page.getByText("This computer is in no private network now.").waitFor();
    const connection = { ...HERE.connection, relayUrl: "https://127.0.0.1:4700" };
    importer.change({ lan: CANNED_LAN, connection });
    await page.getByText("others in this network could hear").waitFor({ state: "detached" });
    importer.change({ lan: null });
    await box.waitFor({ state: "detached" });
  });

  test("[N7][N31] while it is on, the QR code and the text have the address by number, and of several networks the chosen one's", async () => {
    const { importer, page } = await open(CANNED_LAN_OFF);
    await soon(() => qrCode(page).count()).toBe(0);
    importer.change({ lan: CANNED_LAN });
    await qrCode(page).waitFor();
    expect(await readQr(page)).toBe(`http://192.168.1.20:4700/#code=${CODE}`);
    await page.getByText("http://192.168.1.20:4700", { exact: true }).waitFor();
    expect(await page.getByRole("combobox").count()).toBe(0);
    expect(await page.getByText("Also:").count()).toBe(0);
    const link = page.getByRole("link", { name: "Open the sending page" });
    expect(await link.getAttribute("href")).toBe(`http://127.0.0.1:4700/#code=${CODE}`);

    importer.change({ lan: CANNED_LAN_BUSY });
    await page.getByText("Also: http://studio-mac.local:4700").waitFor();
    await page.getByRole("combobox", { name: "Network" }).selectOption("http://172.20.10.2:4700");
    expect(await readQr(page)).toBe(`http://172.20.10.2:4700/#code=${CODE}`);
    importer.change({ lan: CANNED_LAN });
    await soon(() => readQr(page)).toBe(`http://192.168.1.20:4700/#code=${CODE}`);
    importer.change({ lan: CANNED_LAN_OFF });
    await qrCode(page).waitFor({ state: "detached" });
  });

  test("[N7] a relay elsewhere has its own address in the QR code, and one on this computer none", async () => {
    const { importer, page } = await open(null, { connection: FRESH.connection });
    await qrCode(page).waitFor();
    expect(await readQr(page)).toBe(`https://relay.example.com/#code=${CODE}`);
    importer.change({ connection: HERE.connection });
    await qrCode(page).waitFor({ state: "detached" });
  });

  test("[N31] if nobody comes within 30 s of the QR code, the usual causes are named until somebody does", async () => {
    const { importer, page } = await open(CANNED_LAN_OFF);
    await page.clock.install();
    await page.reload();
    await page.getByRole("checkbox", SWITCH).waitFor();
    const causes = page.locator(".lan-nobody [role=status]");
    await page.clock.fastForward(60_000);
    importer.change({ lan: CANNED_LAN });
    await qrCode(page).waitFor();
    await page.clock.fastForward(29_000);
    expect(await causes.textContent()).toBe("");
    await page.clock.fastForward(1_000);
    await causes.getByText(NOBODY).waitFor();
    for (const cause of ["Windows asks only once", "guest Wi-Fi", "another network"]) {
      await causes.getByText(cause).waitFor();
    }
    importer.change({ lan: { ...CANNED_LAN, hasVisitor: true } });
    await soon(() => causes.textContent()).toBe("");
  });

  test.each([
    ["192.168.1.0/24", true, CANNED_LAN],
    ["fd12:3456:789a::/48", true, CANNED_LAN],
    ["203.0.113.0/24", false, CANNED_LAN],
    ["192.168.1.0/24", false, CANNED_LAN_OFF],
    [null, false, CANNED_LAN],
  ])(
    "[N31][P12] an app in %s is asked about as one that scanned: %s",
    async (network, isScanned, lan) => {
      const request = { ...CANNED_REQUEST, name: "Ada’s phone", network };
      const { importer, page } = await open(lan, PAIRED);
      await page.getByRole("button", { name: "Pair another app" }).click();
      importer.change({ lan, pairing: { ...HERE.pairing, request } });
      const title = isScanned ? "Ada’s phone wants to pair." : "Let Ada’s phone pair?";
      const prompt = page.getByRole("alertdialog", { name: title });
      const advice = isScanned ? "you scanned just now" : "you entered the code just now";
      await prompt.getByText(`Allow only if ${advice}.`).waitFor();
    },
  );

  // A high window has room around what it shows in its middle, so that everything can move.
  test.each([
    { width: 1280, height: 1100, isDialog: false },
    { width: 1280, height: 1100, isDialog: true },
    { width: 360, height: 640, isDialog: false },
  ])(
    "[N13][N31] at $width pixels (in a dialog: $isDialog) nothing moves from the switch to the phone that paired",
    async ({ isDialog, ...size }) => {
      const before = isDialog ? PAIRED.apps : [];
      const { importer, page } = await open(CANNED_LAN_OFF, { apps: before });
      await page.clock.install();
      await page.reload();
      await page.setViewportSize(size);
      if (isDialog) await page.getByRole("button", { name: "Pair another app" }).click();
      await page.getByRole("checkbox", SWITCH).waitFor();
      const still = async (name: string, act: () => Promise<unknown>): Promise<void> => {
        expect(await shiftsAfter(page, act), name).toEqual([]);
      };
      const change = (name: string, to: Partial<PanelState>): Promise<void> =>
        still(name, async () => importer.change(to));
      await still("a click", () => page.getByRole("checkbox", SWITCH).click());
      await change("on", { lan: CANNED_LAN });
      await still("nobody", () => page.clock.fastForward(31_000));
      await page.locator(".lan-nobody").getByText(NOBODY).last().waitFor();
      await change("trouble, more networks and a name", { lan: CANNED_LAN_BUSY });
      const networks = page.getByRole("combobox", { name: "Network" });
      await still("a long address", () => networks.selectOption({ index: 2 }));
      await change("a visitor", { lan: { ...CANNED_LAN, hasVisitor: true } });
      await change("off", { lan: CANNED_LAN_OFF });
      const apps = [...before, { ...cannedApp("pair_9", "Ada’s phone", 0), isNew: true }];
      await change("paired", { apps, pairing: { ...HERE.pairing, code: null } });
    },
  );

  test.each([CANNED_LAN_OFF, CANNED_LAN, CANNED_LAN_BUSY])(
    "[N19][N31] no rule of axe is broken: %o",
    async (lan) => {
      const { page } = await open(lan);
      expect(await breachesOf(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole("button", { name: "Settings" }).click();
      expect(await breachesOf(page)).toEqual([]);
    },
  );

  test.each(LANGUAGES)("[N20][N21][N31] nothing is cut off or covered: %s", async (language) => {
    const t = translateWith(language, TABLES[language]);
    await using importer = await CannedImporter.start({ ...HERE, lan: CANNED_LAN_BUSY });
    const page = await browser.open(await importer.dialogUrl({ language, isDialog: false }));
    await page.getByText(t("panel.lan-http")).waitFor();
    for (const lan of [CANNED_LAN_BUSY, CANNED_LAN_OFF]) {
      importer.change({ lan });
      await page
        .getByRole("checkbox", { name: t("panel.lan-switch"), checked: lan.isOn })
        .waitFor();
      for (const width of [360, 390, 760, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await readFindings(page), `${width}`).toEqual([]);
      }
    }
  });
});
