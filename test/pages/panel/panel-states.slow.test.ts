import type { Page } from "playwright-core";
import type { PanelSound } from "../../../core/protocol/panel-api.ts";
import { expect, test } from "vitest";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { FRESH, PAIRED, readCannedScenes } from "../../../scripts/pictures/canned-states.ts";
import { showPanelScene } from "../../../scripts/pictures/show-panel-scene.ts";
import { someOf } from "../../whole-forms.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

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

/** Elements that stick out of the page to the right, and a page that scrolls. */
const STICKING_OUT = `[
  ...[...document.querySelectorAll("body *")]
    .filter((one) => !one.closest(".unseen, dialog:not([open])") && one.checkVisibility()
      && one.getBoundingClientRect().right > innerWidth + 1)
    .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  ...(document.documentElement.scrollHeight > innerHeight ? ["the page scrolls"] : []),
]`;

/** Levels of the page's headings in sight, as they come. */
const HEADINGS = `[...document.querySelectorAll("h1, h2, h3")]
  .filter((one) => one.checkVisibility())
  .map(({ tagName }) => Number(tagName[1]))`;

async function expectSound(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(BADLY_NAMED), name).toEqual([]);
  const levels = await page.evaluate<number[]>(HEADINGS);
  const isInOrder = levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1);
  expect(isInOrder, `${name}: ${levels.join(" ")}`).toBe(true);
  for (const width of someOf([360, 768, 1280], 2)) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(STICKING_OUT), `${name} at ${width}`).toEqual([]);
  }
}

describeInBrowser("every state of the panel (needs Chromium)", () => {
  test("[N19] controls have names, headings are in order, and nothing sticks out or scrolls the page at any width", async () => {
    for (const scene of someOf(scenes, 2)) {
      const { state, before, packages, name } = scene;
      const { importer, page } = await openPanel(browser, before ?? state, packages);
      await showPanelScene(page, importer, scene);
      await expectSound(page, name);
    }
  });

  test("32 sounds of a package are rows, with their colors and waveforms as far as they are in sight", async () => {
    const scene = scenes.find(({ name }) => name === "many-sounds");
    const { page } = await openPanel(browser, scene?.state ?? FRESH, scene?.packages);
    await page.setViewportSize({ width: 1280, height: 640 });
    const list = page.getByRole("grid", { name: "Sounds of Night Bus Home" });
    await soon(() => list.getAttribute("aria-rowcount")).toBe("33");
    await page.getByRole("button", { name: "Play Kick", exact: true }).waitFor();
    await soon(() => list.locator("svg .shape, canvas, path.shape").count()).toBeGreaterThan(3);
  });

  test("[N6] a huge sound has no Play, and Play says what is wrong", async () => {
    const kit = await readCannedPackage("one-shot-kit");
    const [deep] = kit.offered.sounds;
    const sounds: PanelSound[] = [{ ...(deep ?? GONE), bytes: 65_000_000 }, GONE];
    const state = { ...PAIRED, packages: [{ ...kit.offered, sounds }] };
    const { page } = await openPanel(browser, state, [kit]);
    const row = (name: string) => page.locator(".clip-row", { hasText: name });
    await row("Gone").waitFor();
    await soon(() => row("Kick Deep").getByRole("button", { name: /^Play/ }).isEnabled()).toBe(
      false,
    );
    await page.getByRole("button", { name: "Play Gone" }).click();
    await page.getByText("This sound is no longer available.").first().waitFor();
  });
});
