import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CannedImporter } from "../../scripts/pictures/canned-importer.ts";
import { FRESH, readCannedScenes } from "../../scripts/pictures/canned-states.ts";
import { PAGE_SCENES } from "../../scripts/pictures/page-scenes.ts";
import { showPageScene } from "../../scripts/pictures/take-page-picture.ts";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { libraryOf, servedPreview } from "../preview/served-preview.ts";
import { breachesOf } from "./axe-check.ts";

const browser = useBrowser();

const DIFFERING = "textures";
const FIXTURES = [DIFFERING, "drum-loops-90-126-174", "length-only", "local-with-broken-sounds"];

/** Opens the preview of fixtures, of which the first is another one than was accepted, and of a folder that is broken. */
async function openPreview() {
  const library = await libraryOf([...FIXTURES, "bare-minimum"]);
  await replaceIn(
    join(library, DIFFERING, "expected", "layout.json"),
    '"tempo_bpm": 80',
    '"tempo_bpm": 90',
  );
  await writeFile(join(library, "bare-minimum", "manifest.json"), "{");
  const preview = await servedPreview(library, [...FIXTURES, "bare-minimum"]);
  const page = await browser.open(preview.url);
  await page.locator(".tracks").first().waitFor();
  return { page, preview };
}

async function replaceIn(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}

async function expectNoBreach(page: Page, name: string): Promise<void> {
  expect(await breachesOf(page), name).toEqual([]);
}

describeInBrowser("no page breaks a rule of WCAG 2.2 A and AA (needs Chromium)", () => {
  test("[V7] the preview: all fixtures, one row after another and side by side", async () => {
    const library = join(import.meta.dirname, "..", "..", "fixtures", "packages");
    const { url } = await servedPreview(library, []);
    const page = await browser.open(url);
    await page.locator(".tracks").first().waitFor();
    await expectNoBreach(page, "all fixtures");
    await page.getByRole("button", { name: "Side by side, as in Live" }).click();
    await expectNoBreach(page, "side by side");
    await page.getByRole("button", { name: "Side by side, as in Live" }).click();
    await page.getByRole("searchbox").fill("no such scene");
    await expectNoBreach(page, "nothing found");
  });

  test("[V7] the preview: broken, compared, playing, muted, a wrong tempo, and stopped", async () => {
    const { page, preview } = await openPreview();
    await page.getByRole("button", { name: /differences?$/ }).click();
    await page.getByRole("button", { name: "Show everything" }).click();
    await expectNoBreach(page, "compared");
    await page
      .getByRole("button", { name: /^Play Three Speeds/ })
      .first()
      .click();
    await soon(() => page.getByRole("button", { name: /^Stop Three Speeds/ }).count()).toBe(2);
    await page
      .getByRole("button", { name: /^Mute / })
      .first()
      .click();
    await page
      .getByRole("button", { name: /^Solo / })
      .nth(1)
      .click();
    await expectNoBreach(page, "playing");
    await page.getByRole("spinbutton").fill("7");
    await page.getByRole("spinbutton").press("Enter");
    await page.getByRole("alert").waitFor();
    await expectNoBreach(page, "a wrong tempo");
    await preview.close();
    await page.getByText("The preview isn’t responding").waitFor();
    await expectNoBreach(page, "stopped");
  });

  test("[V7] the preview: an address without a secret, or with another one", async () => {
    const { preview } = await openPreview();
    for (const secret of ["", "#other"]) {
      const page = await browser.open(preview.url.replace(/#.*/, secret));
      await page.getByRole("heading", { name: "Soundferry preview" }).waitFor();
      await expectNoBreach(page, `secret ${secret}`);
    }
  });

  test("the panel in every state", async () => {
    const scenes = await readCannedScenes();
    await using importer = await CannedImporter.start(FRESH, scenes[0]?.packages);
    const page = await browser.open(importer.panelUrl);
    for (const { name, state } of scenes) {
      importer.change(state);
      for (const { title } of [...state.packages, ...state.runs]) {
        await page.getByText(title, { exact: true }).first().waitFor();
      }
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      await expectNoBreach(page, name);
    }
  });

  test("the panel in Live's dialog, and without a secret", async () => {
    const scenes = await readCannedScenes();
    const partial = scenes.find(({ showResultOf }) => showResultOf !== undefined);
    await using importer = await CannedImporter.start(partial?.state ?? FRESH, partial?.packages);
    const showResultOf = partial?.showResultOf ?? "";
    const dialog = await browser.open(await importer.dialogUrl({ showResultOf }));
    await dialog.getByRole("heading", { name: "Waiting for import" }).waitFor();
    await expectNoBreach(dialog, "dialog");
    const bare = await browser.open(importer.panelUrl.replace(/#.*/, ""));
    await bare.getByRole("heading").first().waitFor();
    await expectNoBreach(bare, "no secret");
  });

  for (const scene of PAGE_SCENES) {
    test(`[G9] the relay's page: ${scene.name}`, async () => {
      const page = await browser.open("about:blank", { before: "" });
      await showPageScene(page, scene);
      await expectNoBreach(page, scene.name);
    });
  }
});
