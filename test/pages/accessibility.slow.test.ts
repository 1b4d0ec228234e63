import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CannedImporter } from "../../scripts/pictures/canned-importer.ts";
import { FRESH, readCannedScenes } from "../../scripts/pictures/canned-states.ts";
import { showPanelScene } from "../../scripts/pictures/show-panel-scene.ts";
import { PAGE_SCENES } from "../../scripts/pictures/page-scenes.ts";
import { showPageScene } from "../../scripts/pictures/take-page-picture.ts";
import { describeInBrowser, useBrowser } from "./panel/panel-browser.ts";
import {
  clipRow,
  detail,
  openWide,
  sceneList,
  sceneRow,
  showTab,
  libraryOf,
  servedPreview,
  transportButton,
} from "./preview/open-preview.ts";
import { breachesOf } from "./axe-check.ts";
import { someOf } from "../whole-forms.ts";

const browser = useBrowser();
const PANEL_SCENES = await readCannedScenes();

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
  const page = await openWide(browser, preview.url);
  await sceneList(page).waitFor();
  return { page, preview };
}

async function replaceIn(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}

async function expectNoBreach(page: Page, name: string): Promise<void> {
  expect(await breachesOf(page), name).toEqual([]);
}

describeInBrowser(
  "no page breaks a default rule of axe, WCAG's and best practices (needs Chromium)",
  () => {
    test("[V7] the preview: all fixtures, each tab, several sounds, a search, and nothing found", async () => {
      const library = join(import.meta.dirname, "..", "..", "fixtures", "packages");
      const { url } = await servedPreview(library, []);
      const page = await openWide(browser, url);
      await sceneRow(page, /^Night Bus/).click();
      await clipRow(page, /^Kick,/).click();
      await clipRow(page, /^Clap,/).click({ modifiers: ["Shift"] });
      await expectNoBreach(page, "several sounds");
      for (const tab of ["Package", "Layout", "Changes"]) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await showTab(page, new RegExp(`^${tab}`));
        await expectNoBreach(page, tab);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole("searchbox").fill("kick");
      await page.getByRole("heading", { name: "sounds found" }).waitFor();
      await expectNoBreach(page, "a search");
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole("searchbox").fill("no such scene");
      await expectNoBreach(page, "nothing found");
    });

    test("[V7] the preview: each screen of a narrow window", async () => {
      const { page } = await openPreview();
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoBreach(page, "scenes");
      await page.setViewportSize({ width: 360, height: 740 });
      await sceneRow(page, /^Weather/).click();
      await expectNoBreach(page, "sounds");
      await page.setViewportSize({ width: 360, height: 740 });
      await clipRow(page, /^Radiator/).dblclick();
      await expectNoBreach(page, "details");
    });

    test("[V7] the preview: broken, compared, edited, playing, muted, a wrong tempo, and stopped", async () => {
      const { page, preview } = await openPreview();
      const wide = () => page.setViewportSize({ width: 1280, height: 900 });
      await expectNoBreach(page, "broken");
      await wide();
      await sceneRow(page, /^Weather/).click();
      await showTab(page, /^Layout/);
      await expectNoBreach(page, "differing");
      await wide();
      await page.getByRole("button", { name: "Show everything" }).click();
      await expectNoBreach(page, "compared");
      await wide();
      await clipRow(page, /^Radiator/).dblclick();
      await detail(page).getByLabel("Own tempo (BPM)").fill("5");
      await page.keyboard.press("Enter");
      await detail(page).getByText("bpm must be").waitFor();
      await expectNoBreach(page, "refused");
      await wide();
      await page.getByRole("button", { name: /choose from the host/ }).click();
      await expectNoBreach(page, "colors");
      await wide();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
      await sceneRow(page, /^Three Speeds/).click();
      await transportButton(page, /^Play Three Speeds/).click();
      await transportButton(page, /^Stop Three Speeds/).waitFor();
      await page
        .getByRole("button", { name: /^Mute / })
        .first()
        .click();
      await page
        .getByRole("button", { name: /^Solo / })
        .nth(1)
        .click();
      await expectNoBreach(page, "playing");
      await wide();
      await page.getByRole("spinbutton").fill("7");
      await page.getByRole("spinbutton").press("Enter");
      await page.getByRole("alert").waitFor();
      await expectNoBreach(page, "a wrong tempo");
      await wide();
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

    for (const scene of someOf(PANEL_SCENES, 1)) {
      test(`[N19] the panel: ${scene.name}`, async () => {
        const { state, before = state, packages, name } = scene;
        await using importer = await CannedImporter.start(before, packages);
        const page = await browser.open(importer.panelUrl);
        await showPanelScene(page, importer, scene);
        await page.evaluate(
          "document.querySelectorAll('details').forEach((one) => one.open = true)",
        );
        await expectNoBreach(page, name);
        if (state.packages.length === 0 || scene.click !== undefined) return;
        if (scene.showResultOf !== undefined) {
          await page.getByRole("button", { name: "History" }).click();
        }
        // On a phone, the package is a screen of its own.
        await page.locator(".pick-row").first().click();
        await expectNoBreach(page, `${name}, its first package`);
      });
    }

    test("[N19] the panel in Live's dialog, and without a secret", async () => {
      const partial = PANEL_SCENES.find(({ showResultOf }) => showResultOf !== undefined);
      await using importer = await CannedImporter.start(partial?.state ?? FRESH, partial?.packages);
      const showResultOf = partial?.showResultOf ?? "";
      const dialog = await browser.open(await importer.dialogUrl({ showResultOf }));
      await dialog.locator(".pick-list").waitFor();
      await expectNoBreach(dialog, "dialog");
      const bare = await browser.open(importer.panelUrl.replace(/#.*/, ""));
      await bare.getByRole("heading").first().waitFor();
      await expectNoBreach(bare, "no secret");
    });

    for (const scene of someOf(PAGE_SCENES, 1)) {
      test(`[G9] the relay's page: ${scene.name}`, async () => {
        const page = await browser.open("about:blank", { before: "" });
        await showPageScene(page, scene);
        await expectNoBreach(page, scene.name);
      });
    }
  },
);
