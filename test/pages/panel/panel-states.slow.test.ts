import type { Page } from "playwright-core";
import { type PanelSound, LOAD_FROM_IMPORTER } from "../../../core/protocol/panel-api.ts";
import { expect, test } from "vitest";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { FRESH, PAIRED, readCannedScenes } from "../../../scripts/pictures/canned-states.ts";
import { showPanelScene } from "../../../scripts/pictures/show-panel-scene.ts";
import { someOf } from "../../whole-forms.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";

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

const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;
const STATE = { ...PAIRED, packages: [kit.offered] };

/** The objects that Live adds to the page on each system. They keep the messages to Live in `answers`. */
const MACOS = `window.answers = [];
  window.webkit = { messageHandlers: { live: { postMessage: (answer) => answers.push(answer) } } };`;
const WINDOWS = `window.answers = [];
  window.chrome = { webview: { postMessage: (answer) => answers.push(answer) } };`;

function answerOf(text: string): object {
  return { method: "close_and_send", params: [text] };
}

describeInBrowser("the panel in Live's dialog (needs Chromium)", () => {
  test("[X9] in Live it is a neutral dark gray in either theme of the system; elsewhere it follows the system", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const groundOf = (page: Page) =>
      page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const page = await browser.open(await importer.dialogUrl());
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await soon(() => groundOf(page), colorScheme).toBe("rgb(38, 38, 38)");
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(importer.panelUrl);
    await soon(() => groundOf(page)).toBe("rgb(230, 229, 226)");
    await page.emulateMedia({ colorScheme: null });
  });

  test.each([
    ["macOS", MACOS],
    ["Windows", WINDOWS],
  ])(
    "[N1] on %s a click on Import closes it with the request, and Escape with nothing",
    async (_, before) => {
      await using importer = await CannedImporter.start(STATE, [kit]);
      const page = await browser.open(await importer.dialogUrl(), { before });
      expect(await page.evaluate("origin")).toBe("null");
      await page.getByRole("button", { name: "Play Kick Deep" }).waitFor();
      await page.getByRole("button", { name: `Import: ${title}` }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Close", exact: true }).click();
      const request = JSON.stringify({ packageId });
      await soon(() => page.evaluate("answers")).toEqual([request, "", ""].map(answerOf));
      expect(importer.calls).toEqual([]);
    },
  );

  test("Escape ends a question first, then a dialog of the page", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const page = await browser.open(await importer.dialogUrl(), { before: MACOS });
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Unpair Low Room" }).press("Enter");
    await page.getByRole("button", { name: "Keep Low Room paired" }).press("Escape");
    await page.getByRole("button", { name: "Unpair Low Room" }).press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await soon(() => page.evaluate("answers")).toEqual([]);
  });

  test("where the importer can't be reached it shows what it was given, and Import works", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const url = await importer.dialogUrl({ state: STATE });
    await importer.stop();
    const page = await browser.open(url, { before: MACOS });
    await page.getByText("You can still import.").waitFor();
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    const request = JSON.stringify({ packageId });
    await soon(() => page.evaluate("answers")).toEqual([answerOf(request)]);
    await page.getByRole("button", { name: "Reload the panel" }).click();
    const answers = [answerOf(request), answerOf(LOAD_FROM_IMPORTER)];
    await soon(() => page.evaluate("answers")).toEqual(answers);
  });

  test("it can be opened at a result, and has no copy button where there is no clipboard", async () => {
    const scenes = await readCannedScenes();
    const scene = scenes.find(({ name }) => name === "partial");
    const { state, packages, showResultOf = "" } = scene ?? { state: STATE, packages: [] };
    await using importer = await CannedImporter.start(state, packages);
    const page = await browser.open(await importer.dialogUrl({ showResultOf }), { before: MACOS });
    const focused = () => page.evaluate("document.activeElement.id");
    await soon(focused).toBe("package-title");
    await page.locator(".clip-row", { hasText: "Differs" }).first().dblclick();
    await page.getByText("Tempo: asked for 124 BPM, got 62 BPM.").waitFor();
    await page.getByRole("button", { name: "Pair another app" }).click();
    await page.getByRole("img", { name: /^Pairing code/ }).waitFor();
    await soon(() => page.getByRole("button", { name: /Copy/ }).count()).toBe(0);
  });

  test("[N15] the request names the ticked sounds", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const page = await browser.open(await importer.dialogUrl(), { before: MACOS });
    const [first, ...rest] = kit.offered.sounds;
    await page.getByRole("checkbox", { name: `Choose ${first?.name ?? ""}`, exact: true }).click();
    await page.getByRole("button", { name: "Import 9 of 10", exact: true }).click();
    const request = JSON.stringify({ packageId, soundIds: rest.map(({ id }) => id) });
    await soon(() => page.evaluate("answers")).toEqual([answerOf(request)]);
    await soon(() => page.getByRole("button", { name: /^Import all/ }).count()).toBe(0);
  });

  test("the importer's own page knows that it is in a dialog", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const page = await browser.open(importer.panelUrl, { before: WINDOWS });
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await soon(() => page.evaluate("answers.length")).toBe(1);
    expect(importer.calls).toEqual([]);
  });
});
