import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { CannedImporter } from "./pictures/canned-importer.ts";
import { readCannedScenes } from "./pictures/canned-states.ts";
import { findChromium, CHROMIUM_ARGUMENTS } from "./pictures/find-chromium.ts";
import { showPanelScene } from "./pictures/show-panel-scene.ts";
import { takeJourney } from "./pictures/take-journey.ts";
import { takePagePicture } from "./pictures/take-page-picture.ts";
import { takePreviewPicture } from "./pictures/take-preview-picture.ts";

// Takes the pictures in docs/images/ that the documentation shows, with an importer and a relay that give canned
// answers, and with a real preview of fixtures. Needs a Chromium on this computer. An argument selects the
// pictures whose names start with it.

/** The size of Live's dialog. */
const DIALOG = { width: 760, height: 560 };
const HIGH_WINDOW = { width: 760, height: 720 };
const BROWSER_WINDOW = { width: 1100, height: 700 };

/** Tests in the page that every visible sound has its waveform. */
const DRAWN = `[...document.querySelectorAll(".clip-wave")].every((wave) =>
  !wave.checkVisibility() || wave.getBoundingClientRect().top > innerHeight || wave.querySelector(".shape") !== null)`;

type Take = (browser: Browser, path: string) => Promise<void>;

const PICTURES: Readonly<Record<string, Take>> = {
  "first-run": ofPanel("first-run", DIALOG),
  pairing: ofPanel("lan-on", HIGH_WINDOW),
  waiting: ofPanel("waiting", DIALOG),
  partial: ofPanel("partial", DIALOG),
  "waiting-wide": ofPanel("waiting", BROWSER_WINDOW),
  "live-setup-wide": ofPanel("live-setup", BROWSER_WINDOW),
  "page-sounds": (browser, path) => takePagePicture(browser, "page-sounds", path),
  preview: takePreviewPicture,
  journey: takeJourney,
};

/** Takes a picture of the panel, in Live's dialog or in a browser. */
function ofPanel(name: string, viewport: typeof DIALOG): Take {
  return async (browser, path) => {
    const scene = (await readCannedScenes()).find((each) => each.name === name);
    if (scene === undefined) throw new Error(`There is no scene ${name}.`);
    await using importer = await CannedImporter.start(scene.before ?? scene.state, scene.packages);
    // The page's CSP blocks the code below that waits for rendering.
    const context = await browser.newContext({ viewport, colorScheme: "light", bypassCSP: true });
    const page = await context.newPage();
    const { showResultOf } = scene;
    const start = showResultOf === undefined ? {} : { showResultOf };
    await page.goto(viewport === DIALOG ? await importer.dialogUrl(start) : importer.panelUrl);
    await showPanelScene(page, importer, scene);
    await page.waitForFunction(DRAWN);
    await page.screenshot({ path, animations: "disabled" });
    await context.close();
  };
}

const executablePath = findChromium();
if (executablePath === undefined) {
  process.stderr.write("There is no Chromium on this computer to take pictures with.\n");
  process.exitCode = 1;
} else {
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
  const wanted = process.argv[2] ?? "";
  for (const [name, take] of Object.entries(PICTURES)) {
    if (!name.startsWith(wanted)) continue;
    const path = join(import.meta.dirname, "..", "docs", "images", `${name}.png`);
    await take(browser, path);
    process.stdout.write(`${path}\n`);
  }
  await browser.close();
}
