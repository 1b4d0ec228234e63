import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { libraryOf, servedPreview } from "./served-preview.ts";

const browser = useBrowser();

/** Changes a file's JSON as an editor does that writes beside and renames. */
async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(`${path}.new`, changed);
  await rename(`${path}.new`, path);
}

async function openOf(
  fixtures: readonly string[],
  options: { readonly isWatching?: boolean } = {},
) {
  const library = await libraryOf(fixtures);
  const preview = await servedPreview(library, fixtures, options);
  const page = await browser.open(preview.url);
  await page.locator(".tracks").first().waitFor();
  return { library, page, preview };
}

/** The name of what has the keyboard's focus. */
const FOCUSED = "document.activeElement.ariaLabel ?? document.activeElement.textContent";

function said(page: Page) {
  return page.getByRole("status");
}

describeInBrowser("the preview's page at work (needs Chromium)", () => {
  test("[V4][V5] shows and announces an edit without a reload, and a broken file in its place", async () => {
    const fixtures = ["drum-loops-90-126-174", "textures"];
    const { library, page } = await openOf(fixtures, { isWatching: true });
    const manifest = join(library, "textures", "manifest.json");
    const whole = await readFile(manifest, "utf8");
    await edit(manifest, (text) => text.replace("Radiator", "Boiler"));
    await page.getByRole("columnheader", { name: /Boiler/ }).waitFor();
    await soon(() => said(page).innerText()).toMatch(
      /^Weather, Indoors .* changed: 2 differences\.$/,
    );

    await edit(manifest, (text) => text.slice(0, 40));
    await page.getByText("can’t be used", { exact: true }).waitFor();
    await soon(() => said(page).innerText()).toMatch(/^Weather, Indoors .* can’t be used: /);
    await soon(() => page.locator(".tracks").count()).toBe(1);
    await edit(manifest, () => whole);
    await soon(() => page.locator(".tracks").count()).toBe(2);
    await soon(() => said(page).innerText()).toContain("accepted");

    await rm(join(library, "textures", "radiator.wav"));
    const clip = page.locator(".clip.unusable");
    await soon(() => clip.innerText()).toContain("radiator.wav is not in the package's folder.");
  });

  test("[V5] announces each edit, and keeps the keyboard's focus as close as possible", async () => {
    const { library, page } = await openOf(["textures"], { isWatching: true });
    const manifest = join(library, "textures", "manifest.json");
    const whole = await readFile(manifest, "utf8");
    await page.evaluate(`(() => {
      globalThis.told = 0;
      const news = document.querySelector("[role=status]");
      new MutationObserver(() => { told += 1; }).observe(news, { childList: true });
    })()`);
    const focused = () => page.evaluate<string>(FOCUSED);
    await page.getByRole("button", { name: "Mute Radiator" }).focus();
    await edit(manifest, (text) => text.replace("Radiator", "Boiler"));
    await soon(focused).toBe("Mute Boiler");
    await edit(manifest, (text) => text.replace("Boiler", "Kettle"));
    await soon(focused).toBe("Mute Kettle");
    // Both in the same words.
    await soon(() => page.evaluate("told")).toBe(2);

    await edit(manifest, (text) => text.slice(0, 40));
    await soon(focused).toBe("textures");
    await edit(manifest, () => whole.replace("Radiator", "Boiler"));
    await soon(focused).toMatch(/^Weather, Indoors/);
    await page.getByRole("button", { name: "2 differences" }).click();
    await page.getByRole("button", { name: "Accept this layout" }).focus();
    await edit(manifest, () => whole);
    await page.getByText("accepted", { exact: true }).waitFor();
    await soon(focused).toMatch(/^Weather, Indoors/);
    await page.getByRole("spinbutton").focus();
    await edit(manifest, (text) => text.slice(0, 40));
    await soon(() => page.evaluate("document.activeElement.className")).toBe("toolbar");
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
    await edit(manifest, (text) => text.replace("Radiator", "Boiler"));
    await page.getByRole("columnheader", { name: /Boiler/ }).waitFor();
    await soon(() => tempo.inputValue()).toBe("10");
    await page.keyboard.press("0");
    await page.keyboard.press("Enter");
    const clip = page.locator(".clip", { hasText: "Boiler" });
    await clip.getByText("×1.25 in this preview only").waitFor();
    await type("7", "Enter");
    await page.getByRole("alert").waitFor();
    await soon(() => tempo.inputValue()).toBe("7");
    await type("Delete", "Enter");
    await page.getByRole("alert").waitFor({ state: "detached" });
    await soon(() => tempo.inputValue()).toBe("80");
    await clip.getByText("in this preview only").waitFor({ state: "detached" });
  });

  test("[V6] stops a scene that was removed", async () => {
    const library = await libraryOf(["drum-loops-90-126-174", "textures"]);
    const { url } = await servedPreview(library, [], { isWatching: true });
    const page = await browser.open(url);
    await page
      .getByRole("button", { name: /^Play Weather/ })
      .first()
      .click();
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(2);
    await rm(join(library, "textures"), { recursive: true });
    await soon(() => page.getByRole("button", { name: /^Stop / }).count()).toBe(0);
    const transport = page.getByRole("group", { name: "Transport" });
    await transport.getByRole("button", { name: /^Play Three Speeds/ }).waitFor();
  });

  test("[V9] a sound broken by an edit plays on, with its error shown, until it is fixed", async () => {
    const fixtures = ["drum-loops-90-126-174", "textures"];
    const { library, page } = await openOf(fixtures, { isWatching: true });
    const transport = page.getByRole("group", { name: "Transport" });
    const playsOn = transport.getByText("keep playing as they were");
    const heads = page.locator("h2", { hasText: "Weather, Indoors" });
    await page
      .getByRole("button", { name: /^Play Weather/ })
      .first()
      .click();
    await soon(() => page.getByRole("button", { name: /^Stop Weather/ }).count()).toBe(2);

    const manifest = join(library, "textures", "manifest.json");
    const whole = await readFile(manifest, "utf8");
    await edit(manifest, (text) => text.slice(0, 40));
    await playsOn.waitFor();
    await page.getByText("can’t be used", { exact: true }).waitFor();
    await transport.getByRole("button", { name: /^Stop Weather/ }).waitFor();
    await edit(manifest, () => whole);
    await playsOn.waitFor({ state: "detached" });
    await soon(() => heads.count()).toBe(1);
    await soon(() => page.getByRole("button", { name: /^Stop Weather/ }).count()).toBe(2);

    await page
      .getByRole("button", { name: /^Play Three/ })
      .first()
      .click();
    const warehouse = page.locator(".clip", { hasText: "Warehouse Four" });
    await warehouse.getByText("×0.714 in this preview only").waitFor();
    const boomBap = join(library, "drum-loops-90-126-174", "boom-bap-90.wav");
    await rename(boomBap, `${boomBap}.aside`);
    await page.locator(".clip.unusable").waitFor();
    await playsOn.waitFor();
    await soon(() => page.getByRole("spinbutton").inputValue()).toBe("90");
    await warehouse.getByText("×0.714 in this preview only").waitFor();
    await transport.getByRole("button", { name: /^Stop Three/ }).click();
    await playsOn.waitFor({ state: "detached" });
  });

  test("[V7] marks differences beside the accepted layout, and accepts them with one button", async () => {
    const { library, page } = await openOf(["textures"]);
    await edit(join(library, "textures", "expected", "layout.json"), (text) =>
      text.replace('"tempo_bpm": 80', '"tempo_bpm": 90').replace("Frost Chords", "Ice Chords"),
    );
    await page.reload();
    const chip = page.getByRole("button", { name: "2 differences", expanded: false });
    await chip.click();
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
    await soon(() => now?.getByRole("columnheader").count()).toBe(10);
    await soon(() => now?.getByRole("row").count()).toBe(5);

    await page.getByRole("button", { name: "Accept this layout" }).click();
    await page.getByText("accepted", { exact: true }).waitFor();
    await soon(() => page.locator(".comparison").count()).toBe(0);
    await soon(() =>
      readFile(join(library, "textures", "expected", "layout.json"), "utf8"),
    ).toContain('"tempo_bpm": 80');
  });

  test("[V3][V7] does not accept a layout that changed since it was shown, and says so", async () => {
    const { library, page } = await openOf(["textures"]);
    const golden = join(library, "textures", "expected", "layout.json");
    await edit(golden, (text) => text.replace('"tempo_bpm": 80', '"tempo_bpm": 90'));
    await page.reload();
    await page.getByRole("button", { name: "1 difference" }).click();
    await edit(join(library, "textures", "manifest.json"), (text) =>
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
    await soon(() => page.getByRole("columnheader").count()).toBe(4);
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
    await page.getByText("No package found").waitFor();
    await page.getByText("0 scenes, 0 sounds; 1 folder can’t be used").waitFor();
  });

  test("[V5] names are text, whatever is in them", async () => {
    const library = await libraryOf(["textures"]);
    const hostile = '<img src=x onerror=\\"document.title=1\\"> \\u202Egnol';
    await edit(join(library, "textures", "manifest.json"), (text) =>
      text.replace("Radiator", hostile).replace("Weather, Indoors", `${hostile}<script>1</script>`),
    );
    const { url } = await servedPreview(library, ["textures"]);
    const page = await browser.open(url);
    await page.getByRole("columnheader", { name: /onerror/ }).waitFor();
    await page.getByRole("button", { name: /differences?$/ }).click();
    await soon(() => page.locator("img, .page script").count()).toBe(0);
    expect(await page.title()).toBe("Soundferry preview");
    const isolated = await page.evaluate(
      "[...document.querySelectorAll('.track-name bdi, .clip-name bdi, h2 bdi')].length",
    );
    expect(isolated).toBe(9);
  });
});
