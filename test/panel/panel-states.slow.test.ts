import type { PanelSound, PanelState } from "../../core/protocol/panel-api.ts";
import { expect, test } from "vitest";
import { groupPackages } from "../../addon/panel/packages/group-packages.ts";
import { CannedImporter } from "../../scripts/pictures/canned-importer.ts";
import { readCannedPackage } from "../../scripts/pictures/canned-package.ts";
import { FRESH, readCannedScenes } from "../../scripts/pictures/canned-states.ts";
import { describeInBrowser, soon, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

/** A sound that no package has any more. */
const GONE: PanelSound = { id: "gone", name: "Gone", kind: "loop", role: null, bytes: 1000 };

const scenes = await readCannedScenes();

/** Names of controls without an accessible name, and of duplicate ids. */
const BADLY_NAMED = `(() => {
  const nameOf = (control) => control.getAttribute("aria-label")
    || [...(control.labels ?? [])].map((label) => label.innerText).join(" ")
    || control.innerText;
  const controls = [...document.querySelectorAll("button, input, a, summary, [role=img], [role=progressbar]")];
  const unnamed = controls.filter((control) =>
    (nameOf(control) ?? "").trim() === "" && !control.hasAttribute("aria-labelledby"));
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const pointed = [...document.querySelectorAll("[aria-labelledby], [aria-describedby]")]
    .flatMap((one) => [one.getAttribute("aria-labelledby"), one.getAttribute("aria-describedby")])
    .filter((id) => id !== null && document.getElementById(id) === null);
  return [
    ...unnamed.map(({ outerHTML }) => outerHTML),
    ...ids.filter((id, index) => ids.indexOf(id) !== index),
    ...pointed,
  ];
})()`;

/** Elements that stick out of the page to the right. */
const STICKING_OUT = `[...document.querySelectorAll("body *")]
  .filter((one) => !one.closest(".unseen") && one.getBoundingClientRect().right > innerWidth + 1)
  .map(({ outerHTML }) => outerHTML.slice(0, 120))`;

/** Levels of the page's headings, as they come. */
const HEADINGS = `[...document.querySelectorAll("h1, h2, h3")].map(({ tagName }) => Number(tagName[1]))`;

describeInBrowser("every state of the panel (needs Chromium)", () => {
  test("controls have names, headings are in order, and nothing sticks out at any width", async () => {
    await using importer = await CannedImporter.start(FRESH, scenes[0]?.packages);
    const page = await browser.open(importer.panelUrl);
    for (const { name, state } of scenes) {
      importer.change(state);
      await page.getByText(`Soundferry ${state.version}`).waitFor();
      await soon(() => page.locator("h3").allInnerTexts(), name).toEqual(titlesOf(state));
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      expect(await page.evaluate(BADLY_NAMED), name).toEqual([]);
      const levels = await page.evaluate<number[]>(HEADINGS);
      const isInOrder = levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1);
      expect(isInOrder, `${name}: ${levels.join(" ")}`).toBe(true);
      for (const width of [360, 760, 1200]) {
        await page.setViewportSize({ width, height: 560 });
        expect(await page.evaluate(STICKING_OUT), `${name} at ${width}`).toEqual([]);
      }
    }
  });

  test("32 sounds of a package are all there, with their colours and outlines", async () => {
    const scene = scenes.find(({ name }) => name === "many-sounds");
    await using importer = await CannedImporter.start(scene?.state ?? FRESH, scene?.packages);
    const page = await browser.open(importer.panelUrl);
    await soon(() => page.locator(".sounds li").count()).toBe(32);
    await page.getByRole("button", { name: "Play Kick", exact: true }).waitFor();
    await soon(() => page.getByRole("img", { name: /^Colour #/ }).count()).toBe(32);
    await soon(() => page.locator(".outline .shape").count()).toBeGreaterThan(5);
    expect(await page.locator(".outline .shape").count()).toBeLessThan(32);
    await page.locator(".sounds li").last().scrollIntoViewIfNeeded();
    await page.locator(".sounds li:last-child .shape").waitFor({ state: "attached" });
  });

  test("[N6] a large sound is fetched when it is played, a huge one never, and Play says what is wrong", async () => {
    const kit = await readCannedPackage("one-shot-kit");
    const [deep, short, snare] = kit.offered.sounds;
    const sounds: PanelSound[] = [
      { ...(deep ?? GONE), bytes: 13_000_000 },
      { ...(short ?? GONE), bytes: 65_000_000 },
      { ...(snare ?? GONE), bytes: null },
      GONE,
    ];
    const state = { ...FRESH, packages: [{ ...kit.offered, sounds }] };
    await using importer = await CannedImporter.start(state, [kit]);
    const page = await browser.open(importer.panelUrl);
    const row = (name: string) => page.locator(".sounds li", { hasText: name });
    await row("Snare Fat").locator(".shape").waitFor({ state: "attached" });
    await soon(() => row("Kick Deep").locator(".shape").count()).toBe(0);
    await page.getByRole("button", { name: "Play Kick Deep" }).click();
    await row("Kick Deep").locator(".shape").waitFor({ state: "attached" });
    await row("Kick Short").getByText("too large to play here").waitFor();
    await soon(() => row("Kick Short").getByRole("button").count()).toBe(0);
    await page.getByRole("button", { name: "Play Gone" }).click();
    await page.getByRole("alert").filter({ hasText: "This sound is gone." }).waitFor();
    await page.getByRole("button", { name: "Play Gone" }).waitFor();
  });
});

/** What the panel has a card for, from top to bottom. */
function titlesOf(state: PanelState): readonly string[] {
  const { waiting, past } = groupPackages(state);
  return [
    ...state.runs.map(({ title }) => title),
    // Imports that the page did not see yet are above what waits.
    ...past.map(({ title }) => title),
    ...waiting.map(({ offered }) => offered.title),
  ];
}
