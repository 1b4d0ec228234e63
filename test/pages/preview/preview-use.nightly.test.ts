import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  clipRow,
  clips,
  detail,
  openPreview,
  openWide,
  sceneList,
  sceneRow,
  showTab,
  transport,
  libraryOf,
  servedPreview,
  transportButton,
  sceneButton,
} from "./open-preview.ts";
import { focusedName, tabTo } from "../tab-to.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

/** Positions of the playheads of the visible sounds. */
const PLAYHEADS = `[...document.querySelectorAll(".clip-row .playhead")]
  .filter((one) => !one.hidden && one.style.visibility === "visible").map(({ style }) => style.insetInlineStart)`;

async function playWeather(page: Page): Promise<void> {
  const inTransport = (name: RegExp) => transport(page).getByRole("button", { name });
  await inTransport(/^Play Weather/).click();
  await inTransport(/^Stop Weather/).waitFor();
}

describeInBrowser("using the preview's page (needs Chromium)", () => {
  test("[V6][V7] the keyboard alone plays, changes the tempo, mutes, edits, compares and accepts", async () => {
    const fixtures = ["drum-loops-90-126-174", "textures"];
    const library = await libraryOf(fixtures);
    const golden = join(library, "textures", "expected", "layout.json");
    const accepted = await readFile(golden, "utf8");
    await writeFile(golden, accepted.replace('"tempo_bpm": 80', '"tempo_bpm": 90'));
    const { url } = await servedPreview(library, fixtures);
    const page = await openWide(browser, url);
    await sceneList(page).waitFor();

    await tabTo(page, /^Three Speeds/);
    await page.keyboard.press("ArrowDown");
    await soon(() => focusedName(page)).toMatch(/^Weather, Indoors/);
    await page.keyboard.press("Space");
    await transportButton(page, /^Stop Weather/).waitFor();
    await soon(() => page.evaluate<string[]>(PLAYHEADS)).not.toEqual([]);
    const moved = await page.evaluate<string[]>(PLAYHEADS);
    await soon(() => page.evaluate(PLAYHEADS)).not.toEqual(moved);

    await tabTo(page, /^Rain on the Skylight/);
    await page.keyboard.press("ArrowDown");
    await soon(() => focusedName(page)).toMatch(/^Radiator/);
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Solo Radiator", pressed: true }).waitFor();
    await page.keyboard.press("m");
    await page.getByRole("button", { name: "Mute Radiator", pressed: true }).waitFor();
    await page.keyboard.press("Enter");
    await detail(page).getByRole("heading", { name: "Radiator" }).waitFor();
    await soon(() => page.evaluate("document.activeElement.closest('.pane').dataset.pane")).toBe(
      "detail",
    );

    await page.keyboard.press("Shift+Tab");
    await tabTo(page, /^Sound$/, "Shift+Tab");
    await page.keyboard.press("ArrowRight");
    await tabTo(page, /^Accept this layout/);
    await page.keyboard.press("Enter");
    await sceneRow(page, /^Weather.*accepted/).waitFor();
    expect(await readFile(golden, "utf8")).toBe(accepted);

    await page.getByRole("spinbutton", { name: /^Tempo/ }).focus();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("100");
    await page.keyboard.press("Enter");
    await soon(() => clipRow(page, /^Rain/).innerText()).toContain("×1.25 here");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "from 20 to 999 BPM" }).waitFor();
  });

  test("[V6] plays one scene at a time at its own tempo, and shows the rate of loops at another tempo", async () => {
    const { page } = await openPreview(browser, ["textures", "drum-loops-90-126-174"]);
    await playWeather(page);
    await sceneButton(page, /^Three Speeds/, /^Play /).click();
    await transportButton(page, /^Stop Three Speeds/).waitFor();
    await soon(() => page.getByRole("spinbutton").inputValue()).toBe("90");
    await soon(() => page.getByRole("button", { name: /^Stop Weather/ }).count()).toBe(0);
    await sceneRow(page, /^Three Speeds/).click();
    await soon(() => clipRow(page, /^Warehouse Four/).innerText()).toContain("×0.714 here");
    await transportButton(page, /^Stop Three/).click();
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(0);
    await soon(() => page.evaluate(PLAYHEADS)).toEqual([]);
  });

  test("[V6] a sound plays alone, which stops the scene", async () => {
    const { page } = await openPreview(browser, ["textures"]);
    await playWeather(page);
    await clipRow(page, /^Radiator/).click();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Stop Radiator" }).waitFor();
    await transportButton(page, /^Play Weather/).click();
    await soon(() => page.getByRole("button", { name: "Stop Radiator" }).count()).toBe(0);
  });

  test("[V17] exports the changes of all packages, to copy or to save", async () => {
    const { library, page } = await openPreview(browser, ["textures"]);
    await page.getByRole("button", { name: "Export changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No manifest has changed since the preview started.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await showTab(page, /^Package/);
    await detail(page).getByLabel("Title").fill("Mine");
    await page.keyboard.press("Enter");
    await sceneRow(page, /^Mine/).waitFor();
    await page.getByRole("button", { name: "Export changes" }).click();
    await dialog.getByText("+++ b/textures/manifest.json").waitFor();
    const saving = page.waitForEvent("download");
    await dialog.getByRole("button", { name: /^Save: Manifest/ }).click();
    const saved = await readFile(await (await saving).path(), "utf8");
    expect(saved).toContain('+  "title": "Mine"');
    await soon(() => dialog.innerText()).toContain(library);
  });

  test("[V5] everything has a name and a role: headings in order, no doubled ids", async () => {
    const { page } = await openPreview(browser, ["textures", "local-with-broken-sounds"]);
    await soon(() => clips(page).locator(".clip-row").count()).toBe(6);
    const nameless = await page.evaluate(`[...document.querySelectorAll("button, input, select")]
      .filter((one) => !(one.ariaLabel || one.innerText?.trim() || one.labels?.length)).length`);
    expect(nameless).toBe(0);
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[id]')].map(({ id }) => id)",
    );
    expect(new Set(ids).size).toBe(ids.length);
    const levels = await page.evaluate<string[]>(
      "[...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => tagName)",
    );
    expect(levels).toEqual(["H1", "H2"]);
    await soon(() => page.getByRole("main").count()).toBe(1);
    await sceneRow(page, /^Weather/).click();
    await clipRow(page, /^Radiator/).click();
    for (const [term, words] of [
      ["Warp", "Texture"],
      ["Length", "8 beats"],
      ["Tempo", "80 BPM"],
      ["Gain", "0 dB"],
    ]) {
      const fact = detail(page)
        .locator(".settings > div")
        .filter({ hasText: `${term}` })
        .first();
      expect(await fact.locator("dd").innerText()).toBe(words);
    }
  });

  test("[V5] stays fast with a library of 1,000 packages, and filters it", async () => {
    const library = await libraryOf(["bare-minimum"]);
    const names = Array.from({ length: 999 }, (_, index) => `Take ${index + 1}`);
    await Promise.all(
      names.map(async (name) => {
        await mkdir(join(library, name));
        await cp(join(library, "bare-minimum"), join(library, name), { recursive: true });
      }),
    );
    const { url, state } = await servedPreview(library, []);
    expect(state.scenes).toHaveLength(1000);
    const page = await openWide(browser, url);
    await page.getByText("1000 scenes", { exact: false }).waitFor();
    // Only what is near is in the page.
    await soon(() => sceneList(page).locator(".pick-row").count()).toBeGreaterThan(5);
    expect(await sceneList(page).locator(".pick-row").count()).toBeLessThan(60);
    const search = page.getByRole("searchbox");
    await search.fill("take 777");
    await soon(() => sceneList(page).locator(".pick-row").count()).toBe(1);
    await search.fill("take");
    await page.getByRole("heading", { name: "999 sounds found" }).waitFor();
    expect(await clips(page).locator(".clip-row").count()).toBeLessThan(60);
    await search.fill("");
    await sceneList(page).locator(".pick-row").first().click();
    await page.keyboard.press("End");
    await sceneRow(page, /Take 999$/).waitFor();
  });
});
