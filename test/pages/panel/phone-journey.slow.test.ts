import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import { translateWith } from "../../../core/messages/translate.ts";
import { COMPUTER } from "../../lan/home-network.ts";
import { soon } from "../../sim/soon.ts";
import { breachesOf } from "../axe-check.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import { tabTo } from "../tab-to.ts";
import { phoneAtHome } from "./phone-at-home.ts";
import { readQr } from "./read-qr.ts";

const PHONE_LOOKS = [
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const;
const ASKS = { name: "Chrome on Android wants to pair." };
/** The address of the default route's network. */
const HOME = `http://${COMPUTER.home}:4700/`;

function qrCode(panel: Page) {
  return panel.getByRole("img", { name: "The pairing code to scan with a phone" });
}

/** The number of apps that the panel lists as paired. */
async function countApps(panel: Page): Promise<number> {
  await panel.getByRole("button", { name: "Settings" }).click();
  await panel.getByRole("heading", { name: "Paired apps" }).waitFor();
  const count = await panel.locator(".apps > li").count();
  await panel.getByRole("button", { name: "Close" }).click();
  return count;
}

/** Clicks until the prompt is gone: it takes no click at first (rule P12). */
async function answer(panel: Page, name: "Allow" | "Don’t allow"): Promise<void> {
  const prompt = panel.getByRole("alertdialog");
  await soon(async () => {
    if (await prompt.isVisible()) await prompt.getByRole("button", { name, exact: true }).click();
    return prompt.count();
  }).toBe(0);
}

describeInBrowser("a phone beside the computer (needs Chromium and network namespaces)", () => {
  test("[N31][N7] from the QR code to the first sound in the panel: pair, choose, send on the phone, allow in the panel", async () => {
    const { panel, open } = await phoneAtHome();
    await panel.getByRole("checkbox", { name: "Let devices in this network send" }).click();
    await qrCode(panel).waitFor();
    const link = await readQr(panel);
    expect(link).toMatch(new RegExp(`^${HOME}#code=[2-9A-Z]{6}$`));

    const phone = await open(link);
    const { page } = phone;
    await phone.tap(page.getByRole("button", { name: "Pair", exact: true }));
    const prompt = panel.getByRole("alertdialog", ASKS);
    await prompt.getByText("Allow only if you scanned just now.").waitFor();
    await prompt.getByText("In the network 192.168.50.0/24").waitFor();
    await answer(panel, "Allow");
    await page.getByRole("button", { name: "To Test machine", exact: true }).waitFor();
    await phone.tap(page.getByRole("button", { name: "Choose files" }));
    const send = page.getByRole("button", { name: "Send to Test machine" });
    await soon(() => send.getAttribute("aria-disabled")).not.toBe("true");
    await phone.tap(send);
    await panel.getByRole("button", { name: "Show 1 package" }).click();
    await panel.locator(".clip-row", { hasText: "Kick Deep" }).waitFor();
    process.stdout.write(`From the QR code to the sound: ${phone.spent().toFixed(1)} s.\n`);
    expect(phone.taps).toHaveLength(3);
  });

  test("[N31][P12] nothing is paired without a yes, and after a no the phone says so", async () => {
    const { panel, open } = await phoneAtHome("--lan");
    await qrCode(panel).waitFor();
    const phone = await open(await readQr(panel));
    const { page } = phone;
    await phone.tap(page.getByRole("button", { name: "Pair", exact: true }));
    await panel.getByRole("alertdialog", ASKS).waitFor();
    await page.getByText("Now allow it on your computer, in Soundferry.").waitFor();
    await answer(panel, "Don’t allow");
    await panel.getByText("You didn’t let the app pair, so the code has ended.").waitFor();
    await qrCode(panel).waitFor({ state: "detached" });
    // A no is answered as late as a wrong code.
    await page.getByRole("alert").filter({ hasText: /code/ }).waitFor({ timeout: 60_000 });
    expect(await page.getByRole("button", { name: "To Test machine", exact: true }).count()).toBe(
      0,
    );
    await panel.getByRole("button", { name: "Later" }).click();
    expect(await countApps(panel)).toBe(0);
  });

  test("[N31][N19] the keyboard alone: switch it on, pair, allow, choose, send", async () => {
    const { panel, open } = await phoneAtHome();
    await panel.getByRole("checkbox", { name: "Let devices in this network send" }).waitFor();
    await tabTo(panel, "Let devices in this network send");
    await panel.keyboard.press("Space");
    await qrCode(panel).waitFor();
    const { page } = await open(await readQr(panel));
    await page.getByRole("button", { name: "Pair", exact: true }).waitFor();
    await tabTo(page, "Pair");
    await page.keyboard.press("Enter");
    await panel.getByRole("alertdialog", ASKS).waitFor();
    await tabTo(panel, "Allow");
    await soon(async () => {
      await panel.keyboard.press("Enter");
      return panel.getByRole("alertdialog").count();
    }).toBe(0);
    await tabTo(page, "Choose files");
    await page.keyboard.press("Enter");
    await page.locator(".clip-row", { hasText: "Kick Deep" }).waitFor();
    await tabTo(page, /^Send to/);
    await page.keyboard.press("Enter");
    await tabTo(panel, "Show 1 package");
    await panel.keyboard.press("Enter");
    await panel.locator(".clip-row", { hasText: "Kick Deep" }).waitFor();
  });

  test("[N31][N20] in each language of the phone its page fits the screen, and breaks no rule of axe in light and dark", async () => {
    const { open } = await phoneAtHome("--lan");
    for (const language of LANGUAGES) {
      const t = translateWith(language, TABLES[language]);
      const { page } = await open(`${HOME}#code=K7MQ2X`, language);
      await page.getByRole("button", { name: t("page.pair"), exact: true }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      expect(await breachesOf(page, PHONE_LOOKS), language).toEqual([]);
      await page.context().close();
    }
  });
});
