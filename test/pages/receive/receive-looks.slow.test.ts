import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { RECEIVE } from "../../../core/messages/en/receive.ts";
import { type Language, LANGUAGES } from "../../../core/messages/languages.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import { translateWith } from "../../../core/messages/translate.ts";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { soon } from "../../sim/soon.ts";
import { breachesOf } from "../axe-check.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { FRESH_BROWSER, PAIRED_BROWSER } from "./canned-browser.ts";
import { openScreens, type Screens } from "./screens-page.ts";

const browser = useBrowser();
const kit = await readCannedPackage("one-shot-kit");
const WITH_PACKAGE = { ...PAIRED_BROWSER, packages: [kit.offered] };

/** A browser with this language alone, which can write into folders. */
const inLanguage = (language: string) => `
Object.defineProperty(navigator, "languages", { get: () => [${JSON.stringify(language)}] });
window.showDirectoryPicker = async () => ({ name: "Samples" });`;

/** Shows each screen of the page's own, and calls back for each. */
async function eachScreen(
  screens: Screens,
  language: Language,
  look: (name: string) => Promise<void>,
): Promise<void> {
  const { page } = screens;
  const click = (name: string) => page.getByRole("button", { name, exact: true }).last().click();
  const t = translateWith(language, TABLES[language]);
  await screens.change({ needsKey: true });
  await look("first visit");
  await screens.change({ stage: "unable" });
  await look("unable");
  await screens.change({ stage: "elsewhere" });
  await look("elsewhere");
  await screens.show(FRESH_BROWSER);
  await page.getByRole("img", { name: /K 7 M Q 2 X/ }).waitFor();
  await look("code");
  await screens.show(WITH_PACKAGE, kit.plan);
  await page.locator(".first-step-end").click();
  await page.setViewportSize({ width: 1100, height: 720 });
  await page.locator(".package-bar .import-box button").click();
  await page.locator(".place").waitFor();
  await look("where");
  await page.setViewportSize({ width: 1100, height: 720 });
  await click(t("receive.choose-folder"));
  await click(t("panel.settings"));
  await look("settings");
  await click(t("receive.forget"));
  await screens.refuse("…");
  await click(t("receive.forget"));
  await page.locator(".kept .error").waitFor();
  await look("forget");
}

/** Texts that the canned states have in English. */
const CANNED = new Set(["receive.relay-fixed", "receive.saves-zip"]);

/** The English texts of this page that its screen shows. */
async function englishOn(page: Page, language: Language): Promise<readonly string[]> {
  const shown = await page.locator("body").innerText();
  const own = new Map(Object.entries(TABLES[language]));
  return Object.entries(RECEIVE)
    .filter(([key, text]) => !CANNED.has(key) && own.get(key) !== text)
    .map(([, text]) => text.replace(/\{\w+\}.*$/, ""))
    .filter((text) => text !== "" && shown.includes(text));
}

describeInBrowser("the screens of receiving, in every look (needs Chromium)", () => {
  test.each(LANGUAGES)("[RC27] in %s every screen fits a phone, in its language", async (tag) => {
    const screens = await openScreens(browser, inLanguage(tag));
    const { page } = screens;
    await page.setViewportSize({ width: 390, height: 844 });
    await eachScreen(screens, tag, async (name) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const wide = await page.evaluate<readonly string[]>(`[...document.querySelectorAll("*")]
        .filter((one) => !one.closest(".unseen, .shell") && one.getBoundingClientRect().right > 390.5)
        .map((one) => one.outerHTML.slice(0, 80))`);
      expect(wide, name).toEqual([]);
      if (tag !== "en") expect(await englishOn(page, tag), name).toEqual([]);
    });
  });

  test("[RC27] no screen breaks a default rule of axe", async () => {
    const screens = await openScreens(browser, inLanguage("en"));
    await eachScreen(screens, "en", async (name) => {
      expect(await breachesOf(screens.page), name).toEqual([]);
    });
  });

  test("[RC27] the keyboard alone goes from the first visit to an import, and to forgetting", async () => {
    const screens = await openScreens(browser, inLanguage("en"));
    const { page } = screens;
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement === document.body ? '' : document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
      );
    /** Presses Tab until a control has the focus, and then a key. */
    const press = async (name: string, key = "Enter"): Promise<void> => {
      for (let tabs = 0; (await focused()) !== name; tabs += 1) {
        if (tabs > 60) throw new Error(`Tab never came to ${name}.`);
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press(key);
    };
    await page.setViewportSize({ width: 1100, height: 720 });
    await press("Receive");
    await screens.show(FRESH_BROWSER);
    await soon(focused).toBe("Pair an app");
    await press("Later");
    await screens.show(WITH_PACKAGE, kit.plan);
    await press("Import");
    await press("Save as ZIP", "Space");
    await soon(async () => (await screens.calls()).map(([name]) => name)).toContain("useZip");
    await press("Settings");
    await press("Forget this browser");
    await soon(focused).toBe("Keep");
    await press("Forget this browser");
    await soon(focused).toBe("Receive sounds in this browser");
  });
});
