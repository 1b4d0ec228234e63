import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { soon } from "../../sim/soon.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();
const bass = await readCannedPackage("bass-lines");
/** Its loops all have 100 BPM. */
const halves = await readCannedPackage("half-beat-lengths");

async function openPackage(tempoBpm: number | null, shown = bass) {
  const state = { ...PAIRED, packages: [shown.offered], host: { ...PAIRED.host, tempoBpm } };
  const { importer, page } = await openPanel(browser, state, [shown]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await playAll(page).waitFor();
  return { importer, page, state };
}

function playAll(page: Page) {
  return page.getByRole("button", { name: "Play all" });
}

function position(page: Page) {
  return page.getByRole("slider", { name: "Position" });
}

/** The line that says why loops sound different here. */
function statusLine(page: Page) {
  return page.locator(".shell-status");
}

function row(page: Page, name: string) {
  return page.locator(".clip-row", { hasText: name });
}

describeInBrowser("all sounds of a package together in the panel (needs Chromium)", () => {
  test("[N30][V19] Play all plays every sound from the bar that the keyboard chose, and Stop goes back to it", async () => {
    const { page } = await openPackage(124);
    await soon(() => position(page).getAttribute("aria-valuetext")).toBe("Bar 1 of 2");
    await position(page).focus();
    await page.keyboard.press("ArrowRight");
    await soon(() => position(page).getAttribute("aria-valuetext")).toBe("Bar 2 of 2");
    await playAll(page).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    await soon(() => page.locator(".bars-words").innerText()).toMatch(/^Bar 2\.[2-4] of 2/m);
    const heads = page.locator(".clip-row .playhead:visible");
    await soon(() => heads.count()).toBe(bass.offered.sounds.length);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await soon(() => position(page).getAttribute("aria-valuetext")).toBe("Bar 2 of 2");
  });

  test("[N30][V19] while it plays, the position goes to a bar", async () => {
    const { page } = await openPackage(124);
    await playAll(page).click();
    await soon(() => page.locator(".bars-words").innerText()).toMatch(/^Bar 1\.[2-4] of 2/m);
    await position(page).focus();
    await page.keyboard.press("End");
    await soon(() => position(page).getAttribute("aria-valuetext")).toBe("Bar 2 of 2");
    // It plays on from there, over the end.
    await soon(() => position(page).getAttribute("aria-valuetext")).toBe("Bar 1 of 2");
  });

  test("[N30] mutes and solos by button and key, and says so", async () => {
    const { page } = await openPackage(124);
    await playAll(page).click();
    const mute = page.getByRole("button", { name: "Mute Sub Walk" });
    await mute.click();
    await soon(() => mute.getAttribute("aria-pressed")).toBe("true");
    await row(page, "Acid Runner").locator(".clip-name").click();
    await page.keyboard.press("s");
    const solo = page.getByRole("button", { name: "Solo Acid Runner" });
    await soon(() => solo.getAttribute("aria-pressed")).toBe("true");
  });

  test("[N30] plays at the Set's tempo where that is known, else at the package's own", async () => {
    const other = /An approximation|Playing repitched/;
    const play = async (page: Page): Promise<string> => {
      await playAll(page).click();
      await soon(() => page.locator(".bars-words").innerText()).toMatch(/\.[2-4] of 3/);
      return statusLine(page).innerText();
    };
    const { importer, page, state } = await openPackage(100, halves);
    const said = statusLine(page);
    expect(await play(page)).not.toMatch(other);
    importer.change({ host: { ...state.host, tempoBpm: 90 } });
    await soon(() => said.innerText()).toMatch(other);
    importer.change({ host: { ...state.host, tempoBpm: 100 } });
    await soon(() => said.innerText()).not.toMatch(other);
    const without = await openPackage(null, halves);
    expect(await play(without.page)).not.toMatch(other);
  });

  test("[N30] one sound alone has nothing to play together, and nothing moves for it", async () => {
    const [only, ...others] = bass.offered.sounds;
    expect(others.length).toBeGreaterThan(0);
    const { page } = await openPackage(124);
    const height = () => page.evaluate("document.querySelector('.package-bar').offsetHeight");
    const before = await height();
    const alone = { ...bass.offered, sounds: only === undefined ? [] : [only] };
    const second = await openPanel(browser, { ...PAIRED, packages: [alone] }, [bass]);
    await second.page.setViewportSize({ width: 1280, height: 800 });
    await row(second.page, "Sub Walk").waitFor();
    expect(await playAll(second.page).count()).toBe(0);
    expect(await second.page.evaluate("document.querySelector('.package-bar').offsetHeight")).toBe(
      before,
    );
  });
});
