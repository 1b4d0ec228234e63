import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  clipRow,
  clips,
  detail,
  editFile,
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
import { POINTER } from "../../cli/layout/planted-faults.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const openOf = (fixtures: readonly string[], options = {}) =>
  openPreview(browser, fixtures, options);

/** The name of what has the keyboard's focus. */
const FOCUSED =
  "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent";

function said(page: Page) {
  return page.locator("#app-news, .page > [role=status]").last();
}

const WEATHER = /^Weather, Indoors/;

describeInBrowser("the preview's page at work (needs Chromium)", () => {
  test("[V4][V5] shows and announces an edit without a reload, and a broken file in its place", async () => {
    const { library, page } = await openOf(["drum-loops-90-126-174", "textures"], {
      isWatching: true,
    });
    const manifest = join(library, "textures", "manifest.json");
    const whole = await readFile(manifest, "utf8");
    await sceneRow(page, WEATHER).click();
    await editFile(manifest, (text) => text.replace("Radiator", "Boiler"));
    await clipRow(page, /^Boiler/).waitFor();
    await soon(() => said(page).innerText()).toMatch(
      /^Weather, Indoors .* changed: 2 differences\.$/,
    );
    await sceneRow(page, /^Weather, Indoors.*2 differences.*edited/).waitFor();

    await editFile(manifest, (text) => text.slice(0, 40));
    await sceneRow(page, /^textures, can’t be used, edited/).waitFor();
    await soon(() => said(page).innerText()).toMatch(/^Weather, Indoors .* can’t be used: /);
    await page.getByText("Line 3, column", { exact: false }).first().waitFor();
    await editFile(manifest, () => whole);
    await clipRow(page, /^Radiator/).waitFor();
    await soon(() => said(page).innerText()).toContain("accepted");

    await rm(join(library, "textures", "radiator.wav"));
    await clipRow(page, /^Radiator.*Can’t be used/).click();
    const fault = detail(page).locator(".faults");
    await soon(() => fault.innerText()).toContain("radiator.wav is not in the package's folder.");
    await soon(() => fault.innerText()).toMatch(/Line \d+, column \d+/);
  });

  test("[V5] announces each edit, and keeps the keyboard's focus as close as possible", async () => {
    const { library, page } = await openOf(["textures"], { isWatching: true });
    const manifest = join(library, "textures", "manifest.json");
    const whole = await readFile(manifest, "utf8");
    await page.evaluate(`(() => {
      globalThis.told = 0;
      const news = [...document.querySelectorAll(".page > [role=status]")].at(-1);
      new MutationObserver(() => { told += 1; }).observe(news, { childList: true });
    })()`);
    const focused = () => page.evaluate<string>(FOCUSED);
    await page.getByRole("button", { name: "Mute Radiator" }).focus();
    await editFile(manifest, (text) => text.replace("Radiator", "Boiler"));
    await soon(focused).toBe("Mute Boiler");
    await editFile(manifest, (text) => text.replace("Boiler", "Kettle"));
    await soon(focused).toBe("Mute Kettle");
    // Both in the same words.
    await soon(() => page.evaluate("told")).toBe(2);

    await showTab(page, /^Layout/);
    await page.getByRole("button", { name: "Accept this layout" }).focus();
    await editFile(manifest, () => whole);
    await soon(focused).toBe("Accepted");
    await page.getByRole("spinbutton").focus();
    await editFile(manifest, (text) => text.slice(0, 40));
    await soon(focused).toContain("Transport");
  });

  test("[V6] keeps a half-typed or invalid tempo through an edit, and an empty field means the scene's own", async () => {
    const { library, page } = await openOf(["textures"], { isWatching: true });
    const tempo = page.getByRole("spinbutton");
    const type = async (...keys: readonly string[]): Promise<void> => {
      await page.keyboard.press("ControlOrMeta+A");
      for (const key of keys) await page.keyboard.press(key);
    };
    await tempo.focus();
    await type("1", "0");
    const manifest = join(library, "textures", "manifest.json");
    await editFile(manifest, (text) => text.replace("Radiator", "Boiler"));
    await clipRow(page, /^Boiler/).waitFor();
    await soon(() => tempo.inputValue()).toBe("10");
    await page.keyboard.press("0");
    await page.keyboard.press("Enter");
    await sceneRow(page, WEATHER).click();
    await soon(() => clipRow(page, /^Rain/).innerText()).toContain("×1.25 here");
    await tempo.focus();
    await type("7", "Enter");
    await page.getByRole("alert").waitFor();
    await soon(() => tempo.inputValue()).toBe("7");
    await type("Delete", "Enter");
    await page.getByRole("alert").waitFor({ state: "detached" });
    await soon(() => tempo.inputValue()).toBe("80");
    await soon(() => clipRow(page, /^Rain/).innerText()).not.toContain("here");
  });

  test("[V19] plays from the bar that the slider shows, goes to another while it plays, and says the position", async () => {
    const { page } = await openOf(["drum-loops-90-126-174"]);
    const slider = page.getByRole("slider", { name: "Position" });
    const bar = () => slider.getAttribute("aria-valuetext");
    const shown = transport(page).locator(".bars-words");
    await soon(bar).toBe("Bar 1 of 2");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await soon(bar).toBe("Bar 2 of 2");
    await soon(() => shown.innerText()).toMatch(/^Bar 2\.1 of 2/m);
    await transportButton(page, /^Play Three/).click();
    await soon(() => shown.innerText()).toMatch(/^Bar 2\.[2-4] of 2/m);
    await soon(bar).toBe("Bar 1 of 2");
    await slider.focus();
    await page.keyboard.press("End");
    await soon(bar).toBe("Bar 2 of 2");
    await transportButton(page, /^Stop Three/).click();
    await soon(() => shown.innerText()).toMatch(/^Bar 2\.1 of 2/m);
  });

  test("[V5][V6] a scene that is removed stops, and says so in its place", async () => {
    const library = await libraryOf(["drum-loops-90-126-174", "textures"]);
    const { url } = await servedPreview(library, [], { isWatching: true });
    const page = await openWide(browser, url);
    await sceneButton(page, WEATHER, /^Play Weather/).click();
    await transportButton(page, /^Stop Weather/).waitFor();
    await rm(join(library, "textures"), { recursive: true });
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(0);
    await sceneRow(page, /, removed, /).click();
    await page.getByText("This folder was removed.").waitFor();
    await soon(() => sceneList(page).getByRole("row").count()).toBe(2);
  });

  test("[V9] a sound broken by an edit plays on, with its error shown, until it is fixed", async () => {
    const fixtures = ["drum-loops-90-126-174", "textures"];
    const { library, page } = await openOf(fixtures, { isWatching: true });
    const playsOn = transport(page).getByText("keep playing as they were");
    await sceneRow(page, WEATHER).click();
    await transportButton(page, /^Play Weather/).click();
    const stop = transport(page).getByRole("button", { name: /^Stop Weather/ });
    await stop.waitFor();

    const manifest = join(library, "textures", "manifest.json");
    const whole = await readFile(manifest, "utf8");
    await editFile(manifest, (text) => text.slice(0, 40));
    await playsOn.waitFor();
    await sceneRow(page, /^textures.*can’t be used/).waitFor();
    await stop.waitFor();
    await editFile(manifest, () => whole);
    await soon(() => playsOn.count()).toBe(0);
    await sceneRow(page, WEATHER).waitFor();

    const radiator = join(library, "textures", "radiator.wav");
    await rename(radiator, `${radiator}.aside`);
    await clipRow(page, /^Radiator.*Can’t be used/).waitFor();
    await playsOn.waitFor();
    await stop.click();
    await soon(() => playsOn.count()).toBe(0);
  });

  test("[V7] marks differences beside the accepted layout, and accepts them with one button", async () => {
    const { library, page } = await openOf(["textures"]);
    const golden = join(library, "textures", "expected", "layout.json");
    await editFile(golden, (text) =>
      text.replace('"tempo_bpm": 80', '"tempo_bpm": 90').replace("Frost Chords", "Ice Chords"),
    );
    await page.reload();
    await showTab(page, /^Layout \(2\)/);
    const [accepted, now] = ["Accepted", "Now"].map((name) =>
      page.locator(".side", { has: page.getByRole("heading", { name, exact: true }) }),
    );
    await soon(() => accepted?.locator("mark").allInnerTexts()).toEqual([
      expect.stringMatching(/^differs:\s*90 BPM$/),
      expect.stringMatching(/^differs:\s*Ice Chords/),
    ]);
    await soon(() => now?.locator("mark").count()).toBe(2);
    await soon(() => now?.getByRole("row").count()).toBe(3);
    await soon(() => now?.getByRole("columnheader").allInnerTexts()).toEqual([
      "#",
      "Track name",
      "Tempo",
    ]);
    await page.getByRole("button", { name: "Show everything" }).click();
    await soon(() => now?.getByRole("columnheader").count()).toBe(16);
    await soon(() => now?.getByRole("row").count()).toBe(5);

    await page.getByRole("button", { name: "Accept this layout" }).click();
    await sceneRow(page, /^Weather.*, accepted/).waitFor();
    await soon(() => readFile(golden, "utf8")).toContain('"tempo_bpm": 80');
  });

  test("[V7][B7] says what became of a sound's audio, and why that can't be accepted", async () => {
    const { library, page } = await openOf(["local-without-digests", "textures"]);
    const file = join(library, "local-without-digests", "bass.wav");
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0, 5000, 9000));
    await writeFile(join(library, "textures", "frost-chords.wav"), POINTER);
    await page.reload();
    await sceneRow(page, /^Made by Hand/).click();
    await showTab(page, /^Layout \(1\)/);
    await page.getByText(/: the audio changed \(same length\)\.$/).waitFor();
    await page.getByRole("button", { name: "Accept this layout" }).click();
    await sceneRow(page, /^Made by Hand.*, accepted/).waitFor();
    await sceneRow(page, /^Weather/).click();
    await page
      .getByRole("listitem")
      .filter({ hasText: "frost-chords.wav is a Git LFS pointer: run git lfs pull." })
      .waitFor();
    const button = page.getByRole("button", { name: "Accept this layout" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
  });

  test("[V3][V7] does not accept a layout that changed since it was shown, and says so", async () => {
    const { library, page } = await openOf(["textures"]);
    const golden = join(library, "textures", "expected", "layout.json");
    await editFile(golden, (text) => text.replace('"tempo_bpm": 80', '"tempo_bpm": 90'));
    await page.reload();
    await showTab(page, /^Layout \(1\)/);
    await editFile(join(library, "textures", "manifest.json"), (text) =>
      text.replace("Radiator", "Boiler"),
    );
    await page.getByRole("button", { name: "Accept this layout" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("has just changed");
    await soon(() => readFile(golden, "utf8")).toContain('"tempo_bpm": 90');
  });

  test("[V5] the preview is stopped: the page says so and keeps what it showed", async () => {
    const { page, preview } = await openOf(["textures"]);
    await preview.close();
    await page.getByText("The preview isn’t responding").waitFor();
    await soon(() => clips(page).locator(".clip-row").count()).toBe(4);
  });

  test("[V5] an address without a secret, or with another one, says what to do", async () => {
    const { preview } = await openOf(["textures"]);
    const bare = await browser.open(preview.url.replace(/#.*/, ""));
    await bare.getByText("the part after the # is missing").waitFor();
    const wrong = await browser.open(preview.url.replace(/#.*/, "#other"));
    await wrong.getByText("The preview was restarted.").waitFor();
  });

  test("[V2][V5] a folder without a package says so", async () => {
    const library = await libraryOf([]);
    const empty = await servedPreview(library, []);
    const page = await browser.open(empty.url);
    await page.getByText("No package found").first().waitFor();
    await page.getByText("0 scenes, 0 sounds; 1 folder can’t be used").waitFor();
  });

  test("[V5][V15] names and faults are text, whatever is in them", async () => {
    const library = await libraryOf(["textures"]);
    const hostile = '<img src=x onerror=\\"document.title=1\\"> \\u202Egnol';
    await editFile(join(library, "textures", "manifest.json"), (text) =>
      text
        .replace("Radiator", hostile)
        .replace("Weather, Indoors", `${hostile}<script>1</script>`)
        .replace('"title"', '"<img src=x onerror=alert(1)>": "<script>1</script>", "title"'),
    );
    const { url } = await servedPreview(library, ["textures"]);
    const page = await openWide(browser, url);
    await clipRow(page, /onerror/).click();
    await showTab(page, /^Package/);
    await page.getByText("<script>1</script>", { exact: false }).first().waitFor();
    await showTab(page, /^Layout/);
    await soon(() => page.locator("img, .page script").count()).toBe(0);
    expect(await page.title()).toBe("Soundferry preview");
  });
});
