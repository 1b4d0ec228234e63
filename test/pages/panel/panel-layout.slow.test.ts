import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { readCannedScenes } from "../../../scripts/pictures/canned-states.ts";
import { WHOLE_FORMS } from "../../whole-forms.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { readFindings } from "./look-at-layout.ts";

const browser = useBrowser();
const scenes = await readCannedScenes();

/** Scenes with the most buttons and the longest results. */
const FULLEST = new Set(["first-live", "script-missing", "saved", "rest", "partial", "troubles"]);
/** Rows to show one after the other; a longer list has more of the same. */
const MAX_ROWS = 5;
const SPOKEN = WHOLE_FORMS ? LANGUAGES : (["en", "de", "fr"] as const);
const WIDTHS = WHOLE_FORMS ? [360, 390, 680, 720, 760, 800, 900, 1280] : [360, 680, 900];
const HEIGHTS = WHOLE_FORMS ? [560, 800] : [560];
const SIZES = HEIGHTS.flatMap((height) => WIDTHS.map((width) => [width, height] as const));

/** Shows a pane where the window is too narrow for all. */
function showScreen(screen: string): string {
  return `void (document.querySelector(".shell").dataset.screen = "${screen}")`;
}

function clickOn(selector: string, index: number): string {
  return `void document.querySelectorAll("${selector}")[${index}].click()`;
}

describeInBrowser("the panel's layout (needs Chromium)", () => {
  const shown = scenes.filter(({ name }) => WHOLE_FORMS || FULLEST.has(name));
  test.each(shown)(
    "[N21] $name: buttons and results never cover each other, and nothing is cut off, at any width, in every language",
    async ({ state, packages, showResultOf }) => {
      await using importer = await CannedImporter.start(state, packages);
      const findings: string[] = [];
      for (const language of SPOKEN) {
        const start = { language, isDialog: false, ...(showResultOf && { showResultOf }) };
        const page = await browser.open(await importer.dialogUrl(start));
        await page.locator(".header-buttons button").first().waitFor();
        const rows = await page.locator(".pick-row").count();
        for (let row = 0; row < Math.min(Math.max(1, rows), MAX_ROWS); row += 1) {
          // The row that the page was opened at comes first.
          if (row > 0) await page.evaluate(clickOn(`.pick-row[aria-selected=false]`, row - 1));
          for (const [width, height] of SIZES) {
            await page.setViewportSize({ width, height });
            for (const screen of ["list", "main"]) {
              await page.evaluate(showScreen(screen));
              const found = await readFindings(page);
              findings.push(
                ...found.map((one) => `${language} ${width}×${height} row ${row}: ${one}`),
              );
            }
          }
        }
        await page.close();
      }
      expect(findings).toEqual([]);
    },
  );
});
