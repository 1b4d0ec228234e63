import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { focused, openClipPage, press, rowOf } from "./clip-page.ts";
import { soon } from "../../sim/soon.ts";
import { breachesOf } from "../axe-check.ts";

const browser = useBrowser();

const selected = (page: Page): Promise<readonly string[]> => page.evaluate("[...selection.keys]");
const active = (page: Page): Promise<string | null> => page.evaluate("selection.active");
describeInBrowser("the clip list (needs Chromium)", () => {
  test("[X1] of 1,000 rows only those near the view are there, and the active one, which keeps the focus", async () => {
    const page = await openClipPage(browser, 1_000);
    const rows = page.locator(".clip-row");
    await soon(() =>
      page.evaluate("calls.filter((call) => call.startsWith('outline')).length > 5"),
    ).toBe(true);
    expect(await rows.count()).toBeLessThan(40);
    expect(
      await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height)),
    ).toEqual(Array.from({ length: await rows.count() }, () => 32));
    expect(await page.getByRole("grid", { name: "Sounds" }).getAttribute("aria-rowcount")).toBe(
      "1001",
    );
    await rowOf(page, 1).click();
    await page.evaluate(`document.querySelector(".clip-scroller").scrollTop = 16000`);
    await rowOf(page, 501).waitFor();
    expect(await focused(page)).toBe("s0");
    expect(await rows.count()).toBeLessThan(41);
    await press(page, "ArrowDown");
    await soon(() => focused(page)).toBe("s1");
    expect(await page.evaluate(`document.querySelector(".clip-scroller").scrollTop`)).toBe(32);
    // Rows that were only passed asked for nothing.
    expect(await page.evaluate("calls.includes('outline s300')")).toBe(false);
  });

  test("[X2] the keyboard selects, extends, moves, plays, opens, mixes, ticks and removes", async () => {
    const page = await openClipPage(browser, 100);
    await page.getByRole("button", { name: "Settings" }).focus();
    // Past the packages to the sounds: one stop each, and one for the box of all.
    await press(page, "Tab", "Tab", "Tab");
    await soon(() => focused(page)).toBe("s0");
    expect(await selected(page)).toEqual(["s0"]);
    await press(page, "ArrowDown", "ArrowDown", "Shift+ArrowDown");
    expect(await selected(page)).toEqual(["s2", "s3"]);
    await press(page, "Control+ArrowDown", "Control+ArrowDown", "Control+Space");
    expect([await selected(page), await active(page)]).toEqual([["s2", "s3", "s5"], "s5"]);
    await press(page, "End");
    expect(await selected(page)).toEqual(["s99"]);
    await soon(() => focused(page)).toBe("s99");
    await press(page, "Home", "Shift+End");
    expect(await selected(page)).toHaveLength(100);
    await press(page, "Home", "PageDown");
    const page1 = Number((await active(page))?.slice(1));
    expect(page1).toBeGreaterThan(5);
    await press(page, "PageUp", "Control+a");
    expect(await selected(page)).toHaveLength(100);
    expect(await active(page)).toBe("s0");
    await press(page, "Space", "m", "s", "Enter");
    expect(await page.evaluate("calls.filter((call) => !call.startsWith('outline'))")).toEqual([
      "toggle s0",
      "open s0",
    ]);
    expect(await page.evaluate("[[...muted], [...soloed]]")).toEqual([["s0"], ["s0"]]);
    await soon(() => focused(page)).toBe("Stop Sound with a name 1");
  });

  test("[X2] the arrow keys reach a row's controls, and Delete removes what is selected", async () => {
    const page = await openClipPage(browser, 100);
    await rowOf(page, 1).click();
    await press(page, "ArrowRight");
    expect(await focused(page)).toBe("Choose Sound with a name 1");
    await press(page, "Space", "ArrowRight", "ArrowRight", "ArrowRight");
    expect(await focused(page)).toBe("Play Sound with a name 1");
    expect(await page.evaluate("[...ticked]")).toEqual(["s0"]);
    await press(page, "ArrowDown");
    await soon(() => focused(page)).toBe("s1");
    await press(page, "Shift+ArrowDown", "Delete");
    await soon(() => focused(page)).toBe("s3");
    expect(await selected(page)).toEqual(["s3"]);
    expect(await page.evaluate("rows.length")).toBe(98);
  });

  test("[X3] clicks select, extend and add; tick boxes apply to the selection", async () => {
    const page = await openClipPage(browser, 12);
    await rowOf(page, 3).click();
    await rowOf(page, 6).click({ modifiers: ["Shift"] });
    expect(await selected(page)).toEqual(["s2", "s3", "s4", "s5"]);
    await rowOf(page, 8).click({ modifiers: ["Control"] });
    expect(await selected(page)).toEqual(["s2", "s3", "s4", "s5", "s7"]);
    await page.getByRole("checkbox", { name: "Choose Sound with a name 5" }).click();
    expect(await page.evaluate("[...ticked]")).toEqual(["s2", "s3", "s4", "s5", "s7"]);
    expect(await selected(page)).toHaveLength(5);
    await rowOf(page, 1).click();
    await page.getByRole("checkbox", { name: "Choose Sound with a name 10" }).click();
    await page
      .getByRole("checkbox", { name: "Choose Sound with a name 12" })
      .click({ modifiers: ["Shift"] });
    expect(await page.evaluate("[...ticked].slice(5)")).toEqual(["s9", "s10", "s11"]);
    const all = page.getByRole("checkbox", { name: "Choose all" });
    expect(await all.evaluate((box) => "indeterminate" in box && box.indeterminate)).toBe(true);
    await all.click();
    expect(await page.evaluate("ticked.size")).toBe(11);
    expect(await page.evaluate("ticked.has('s1')")).toBe(false);
    await all.click();
    expect(await page.evaluate("ticked.size")).toBe(0);
    await rowOf(page, 9).dblclick();
    // Outlines are asked for whenever there is time.
    const asked = await page.evaluate("calls.filter((call) => !call.startsWith('outline')).at(-1)");
    expect(asked).toBe("open s8");
  });

  test("[X4] a row is read as one sentence, colors by name", async () => {
    const page = await openClipPage(browser, 12);
    const names = await page
      .locator(".clip-row")
      .evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
    expect(names.slice(0, 5)).toEqual([
      "Sound with a name 1, Loop, Drums, 126.5 BPM, 8 beats, Pink",
      "Sound with a name 2, One-shot, Automatic, Imported",
      "Sound with a name 3, Loop or one-shot?, Drums, 126.5 BPM, 8 beats, Navy, Loop?",
      "Sound 4, One-shot, White, Failed",
      "Sound with a name 5, Loop, Drums, 126.5 BPM, 8 beats, Dark gray, Downloading",
    ]);
  });

  test("[X5] a color is picked with the arrow keys, and shown as the nearest that Live has", async () => {
    const page = await openClipPage(browser, 12);
    await page.evaluate("setOpen(true)");
    const radios = page.getByRole("radio");
    await soon(() => radios.count()).toBe(71);
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.getByRole("radio", { name: "Automatic" }).focus();
    await press(page, "ArrowDown", "ArrowRight", "ArrowDown");
    expect([await focused(page), await page.evaluate("color")]).toEqual(["Dark orange", "#F66C03"]);
    expect(await page.getByRole("radio", { checked: true }).getAttribute("aria-label")).toBe(
      "Dark orange",
    );
    await press(page, "Shift+Tab");
    expect(await focused(page)).toBe("Close");
    await page.evaluate("setColor('#FE3535')");
    await soon(() =>
      page.getByRole("radio", { name: "Red", exact: true, checked: true }).count(),
    ).toBe(1);
    await page.getByRole("radio", { name: "Automatic" }).click();
    expect(await page.evaluate("color")).toBeNull();
  });

  test("[X6] a sound that can't be played says why, also to screen readers", async () => {
    const page = await openClipPage(browser, 12);
    const said = page.locator(".clips [role=status]");
    await page.getByRole("button", { name: "Play Sound with a name 5" }).click({ force: true });
    await soon(() => said.textContent()).toBe("This file is too large to play here.");
    await rowOf(page, 6).getByRole("button", { name: "Play Sound with a name 6" }).click();
    await soon(() => said.textContent()).toBe("This file can’t be decoded.");
    const state = rowOf(page, 6).locator(".clip-state");
    expect([await state.textContent(), await state.getAttribute("title")]).toEqual([
      "Can’t play",
      "This file can’t be decoded.",
    ]);
    expect(await page.evaluate("calls.includes('toggle s4')")).toBe(false);
  });

  test("[X6] the playhead moves while a sound plays, in few steps where less motion is wanted", async () => {
    const page = await openClipPage(browser, 12);
    const moves = () =>
      page.evaluate(`new Promise((resolve) => {
        const head = document.querySelector("[data-key=s0] .playhead");
        const seen = new Set();
        const until = performance.now() + 1200;
        const look = () => {
          seen.add(head.style.insetInlineStart);
          performance.now() < until ? requestAnimationFrame(look) : resolve(seen.size);
        };
        look();
      })`);
    expect(await page.locator("[data-key=s0] .playhead").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Play Sound with a name 1", exact: true }).click();
    await page.getByRole("button", { name: "Stop Sound with a name 1", exact: true }).waitFor();
    expect(await moves()).toBeGreaterThan(8);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await press(page, "Space", "Space");
    expect(await moves()).toBeLessThan(6);
    await page.emulateMedia({ reducedMotion: null });
  });
});

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
    await rowOf(page, 3).locator(".clip-name").click();
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
    await soon(() => focused(page)).toBe("Settings");
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

  test("[X9] color, name, tempo, mute, solo, Play and state stay at 360 px; every target is 24 px or more", async () => {
    const page = await openClipPage(browser, 12, 360);
    await page.getByRole("row", { name: /^Package 1,/ }).click();
    const cells = (name: string) => page.locator(`[data-key=s0] .${name}`);
    for (const name of [
      "clip-color",
      "clip-name",
      "clip-bpm",
      "clip-mixer",
      "clip-play",
      "clip-state",
    ]) {
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
