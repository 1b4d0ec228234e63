import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { libraryOf, servedPreview } from "./served-preview.ts";

const browser = useBrowser();

/** What somebody who uses the keyboard is on. */
const FOCUSED = "document.activeElement.ariaLabel ?? document.activeElement.innerText ?? ''";

async function tabTo(page: Page, name: string, key = "Tab"): Promise<void> {
  for (let pressed = 0; pressed < 80; pressed += 1) {
    if ((await page.evaluate<string>(FOCUSED)).trim() === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not come to ${name}.`);
}

/** Where the playheads of the clips that can be seen are. */
const PLAYHEADS = `[...document.querySelectorAll(".playhead")]
  .filter(({ style }) => style.visibility === "visible").map(({ style }) => style.transform)`;

describeInBrowser("using the preview's page (needs Chromium)", () => {
  test("[V6][V7] the keyboard alone plays, changes the tempo, mutes, compares and accepts", async () => {
    const fixtures = ["textures", "drum-loops-90-126-174"];
    const library = await libraryOf(fixtures);
    const golden = join(library, "textures", "expected", "layout.json");
    const accepted = await readFile(golden, "utf8");
    await writeFile(golden, accepted.replace('"tempo_bpm": 80', '"tempo_bpm": 90'));
    const { url } = await servedPreview(library, fixtures);
    const page = await browser.open(url);
    await page.locator(".tracks").first().waitFor();

    await tabTo(page, "Play Weather, Indoors (Windowsill)");
    await page.keyboard.press("Space");
    const stop = page.getByRole("button", { name: "Stop Weather, Indoors (Windowsill)" });
    await soon(() => stop.count()).toBe(2);
    await soon(() => page.evaluate<string[]>(PLAYHEADS)).not.toEqual([]);
    const moved = await page.evaluate<string[]>(PLAYHEADS);
    await soon(() => page.evaluate(PLAYHEADS)).not.toEqual(moved);

    const tempo = page.getByRole("spinbutton", { name: /^Tempo/ });
    await soon(() => tempo.inputValue()).toBe("80");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("100");
    await page.keyboard.press("Enter");
    const clip = page.locator(".clip", { hasText: "Radiator" });
    await clip.getByText("×1.25 in this preview only").waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "from 20 to 999 BPM" }).waitFor();

    await tabTo(page, "Solo Radiator");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Solo Radiator", pressed: true }).waitFor();
    await soon(() => page.locator(".tracks").first().locator(".clip.silent").count()).toBe(3);
    await tabTo(page, "Mute Radiator");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Mute Radiator", pressed: true }).waitFor();
    await soon(() => page.locator(".tracks").first().locator(".clip.silent").count()).toBe(4);

    await tabTo(page, "1 difference", "Shift+Tab");
    await page.keyboard.press("Enter");
    await tabTo(page, "Accept this layout");
    await page.keyboard.press("Enter");
    await soon(() => page.locator(".chip.good").count()).toBe(2);
    expect(await readFile(golden, "utf8")).toBe(accepted);
    await soon(() => page.evaluate(FOCUSED)).toContain("Weather, Indoors");
  });

  test("[V6] plays one scene at a time at its own tempo, and shows the rate of loops at another tempo", async () => {
    const fixtures = ["textures", "drum-loops-90-126-174"];
    const { url } = await servedPreview(await libraryOf(fixtures), fixtures);
    const page = await browser.open(url);
    const transport = page.getByRole("group", { name: "Transport" });
    await transport.getByRole("button", { name: "Play Weather, Indoors (Windowsill)" }).click();
    const other = page.getByRole("button", { name: "Play Three Speeds of Dust (Breakyard)" });
    await other.first().click();
    await transport.getByText("Three Speeds of Dust (Breakyard)").waitFor();
    await soon(() => page.getByRole("spinbutton").inputValue()).toBe("90");
    await soon(() => page.getByRole("button", { name: /^Stop Weather/ }).count()).toBe(0);
    const clip = page.locator(".clip", { hasText: "Warehouse Four" });
    await soon(() => clip.locator(".preview-only").innerText()).toBe("×0.714 in this preview only");
    await transport.getByRole("button", { name: /^Stop Three/ }).click();
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(0);
    await soon(() => page.evaluate(PLAYHEADS)).toEqual([]);
  });

  test("[V6] no line moves if the user prefers reduced motion", async () => {
    const { url } = await servedPreview(await libraryOf(["textures"]), ["textures"]);
    const page = await browser.open("about:blank");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(url);
    await page
      .getByRole("button", { name: /^Play / })
      .first()
      .click();
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(2);
    await soon(() => page.locator("[aria-busy=true]").count()).toBe(0);
    await page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
    );
    await soon(() => page.evaluate(PLAYHEADS)).toEqual([]);
    await page.emulateMedia({ reducedMotion: null });
  });

  test("[V5] everything has a name and a role: tables with heads, headings in order, no doubled ids", async () => {
    const fixtures = ["textures", "local-with-broken-sounds"];
    const { url } = await servedPreview(await libraryOf(fixtures), fixtures);
    const page = await browser.open(url);
    await soon(() => page.locator(".tracks").count()).toBe(2);
    const nameless = await page.evaluate(`[...document.querySelectorAll("button, input")]
      .filter((one) => !(one.ariaLabel || one.innerText?.trim() || one.labels?.length)).length`);
    expect(nameless).toBe(0);
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[id]')].map(({ id }) => id)",
    );
    expect(new Set(ids).size).toBe(ids.length);
    const levels = await page.evaluate<string[]>(
      "[...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => tagName)",
    );
    expect(levels).toEqual(["H1", "H2", "H2"]);
    await soon(() => page.getByRole("table").count()).toBe(2);
    await soon(() => page.getByRole("columnheader").count()).toBe(10);
    await soon(() => page.getByRole("main").count()).toBe(1);
    for (const [term, words] of [
      ["Warp", "Texture"],
      ["Length", "8 beats"],
      ["Tempo", "80 BPM"],
      ["Gain", "0 dB"],
    ]) {
      const facts = page.locator(".clip", { hasText: "Radiator" }).locator(".settings > div");
      expect(
        await facts
          .filter({ hasText: `${term}` })
          .locator("dd")
          .innerText(),
      ).toBe(words);
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
    const page = await browser.open(url);
    await page.getByText("1000 scenes", { exact: false }).waitFor();
    // Only what is near is drawn.
    await page.locator(".tracks").first().waitFor();
    expect(await page.locator(".tracks").count()).toBeLessThan(40);
    const filter = page.getByRole("searchbox", { name: "Filter scenes by name or folder" });
    await filter.fill("take 777");
    await soon(() => page.locator(".scene").count()).toBe(1);
    await filter.fill("no such take");
    await page.getByText("No scenes match.").waitFor();
    await filter.fill("");
    await page.getByRole("checkbox", { name: "Show changes only" }).check();
    await page.getByText("No scenes match.").waitFor();
    await page.getByRole("checkbox", { name: "Show changes only" }).uncheck();
    await page.locator(".scene").last().scrollIntoViewIfNeeded();
    await soon(() => page.locator(".scene").last().locator(".tracks").count()).toBe(1);
  });
});
