import { expect, test } from "vitest";
import { breachesOf } from "../axe-check.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { relayWithPage } from "./page-at-work.ts";

const browser = useBrowser();
const SETTINGS = {
  SOUNDFERRY_OPERATOR_NAME: "A studio with a name that is far too long for the width of a phone",
  SOUNDFERRY_OPERATOR_CONTACT: "hello@example.com",
  SOUNDFERRY_OPERATOR_PRIVACY_URL: "https://example.com/privacy",
  SOUNDFERRY_OPERATOR_ABUSE_URL: "https://example.com/abuse",
};
const GERMAN = 'Object.defineProperty(navigator, "languages", { get: () => ["de-DE", "en"] });';

describeInBrowser("who runs the relay, on its page (needs Chromium)", () => {
  test.each([
    ["light", 1200],
    ["dark", 1200],
    ["light", 320],
    ["dark", 320],
  ] as const)("[O10] in %s at a width of %i it is a strip below the page", async (theme, width) => {
    const relay = await relayWithPage(SETTINGS);
    const page = await browser.open(relay.url, { before: GERMAN });
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 640 });
    const strip = page.locator(".operator").filter({ visible: true });
    expect(await strip.count()).toBe(1);
    expect(await strip.getAttribute("lang")).toBe("de");
    for (const name of ["Kontakt", "Datenschutz", "Missbrauch melden"]) {
      const box = await strip.getByRole("link", { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(24);
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    const shell = await page.locator(".shell").boundingBox();
    const { y = 0, height = 0 } = (await strip.boundingBox()) ?? {};
    expect([y, y + height]).toEqual([(shell?.y ?? 0) + (shell?.height ?? 0), 640]);
    expect((await strip.locator("span").boundingBox())?.width).toBeGreaterThan(250);
    expect(await breachesOf(page)).toEqual([]);
  });
});
