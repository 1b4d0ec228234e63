import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { breachesOf } from "../axe-check.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { focused, openClipPage, press, rowOf } from "./clip-page.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("the pages' frame (needs Chromium)", () => {
  const isSeen = (page: Page, label: string) =>
    page.getByRole("region", { name: label }).isVisible();
  const inSight = async (page: Page) =>
    Promise.all(["Packages", "Sounds", "Details"].map((label) => isSeen(page, label)));

  test("[X8] panes side by side, two at a time, or one, with Back and the focus where it was", async () => {
    const page = await openClipPage(browser, 12, 900);
    expect(await inSight(page)).toEqual([true, true, true]);
    await page.setViewportSize({ width: 760, height: 560 });
    expect(await inSight(page)).toEqual([true, true, false]);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await inSight(page)).toEqual([true, false, false]);
    await page.getByRole("row", { name: /^Package 1,/ }).focus();
    await press(page, "ArrowDown", "Enter");
    await soon(() => inSight(page)).toEqual([false, true, false]);
    await soon(() => focused(page)).toBe("Choose all");
    await rowOf(page, 3).click();
    await press(page, "Enter");
    await soon(() => inSight(page)).toEqual([false, false, true]);
    await soon(() => focused(page)).toBe("Play Sound with a name 3");
    await page.getByRole("button", { name: "Back" }).click();
    await soon(() => focused(page)).toBe("s2");
    await page.getByRole("button", { name: "Back" }).click();
    await soon(() => focused(page)).toBe("p1");
    expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight")).toBe(true);
  });

  test("[X8] the list of packages: keys, the button of a row, 100 rows of which few are rendered", async () => {
    const page = await openClipPage(browser, 12);
    await page.getByRole("row", { name: /^Package 1,/ }).focus();
    await press(page, "End");
    await soon(() => focused(page)).toBe("p99");
    expect(await page.locator(".pick-row").count()).toBeLessThan(45);
    await press(page, "ArrowRight");
    expect(await focused(page)).toBe("Play Package 100");
    await press(page, "ArrowLeft", "ArrowUp");
    await soon(() => focused(page)).toBe("p98");
  });

  test("[X7] a dialog keeps the focus and gives it back", async () => {
    const page = await openClipPage(browser, 12);
    await page.getByRole("button", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.waitFor();
    for (let n = 0; n < 4; n += 1) {
      await press(page, "Tab");
      expect(
        await page.evaluate(
          `document.activeElement === document.body || document.activeElement.closest("dialog") !== null`,
        ),
      ).toBe(true);
    }
    await press(page, "Escape");
    await soon(() => dialog.count()).toBe(0);
    expect(await focused(page)).toBe("Settings");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await soon(() => focused(page)).toBe("Settings");
  });

  test("[X9] no rule of WCAG is broken, at each width, with a selection and while it plays", async () => {
    const page = await openClipPage(browser, 40);
    await rowOf(page, 2).click();
    await rowOf(page, 6).click({ modifiers: ["Shift"] });
    await page.evaluate("audioToggle('s7')");
    for (const screen of ["list", "main", "detail"]) {
      await page.evaluate(`setScreen(${JSON.stringify(screen)})`);
      expect(await breachesOf(page), screen).toEqual([]);
    }
    await page.evaluate("setOpen(true)");
    expect(await breachesOf(page), "dialog").toEqual([]);
  });

  test("[X9] color, name, tempo, Play and state stay at 360 px; every target is 24 px or more", async () => {
    const page = await openClipPage(browser, 12, 360);
    await page.getByRole("row", { name: /^Package 1,/ }).click();
    const cells = (name: string) => page.locator(`[data-key=s0] .${name}`);
    for (const name of ["clip-color", "clip-name", "clip-bpm", "clip-play", "clip-state"]) {
      expect(await cells(name).isVisible(), name).toBe(true);
    }
    expect(
      await cells("clip-name").evaluate((cell) => cell.getBoundingClientRect().width),
    ).toBeGreaterThan(60);
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      const small = await page.evaluate(`[...document.querySelectorAll("button, .clip-tick label")]
        .map((one) => [one.getBoundingClientRect(), one.getAttribute("aria-label")])
        .filter(([{ width, height }]) => width > 0 && (width < 24 || height < 24)).map(([, name]) => name)`);
      expect(small).toEqual([]);
    }
  });
});
