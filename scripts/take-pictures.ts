import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { PanelStart } from "../core/protocol/panel-api.ts";
import { CannedImporter } from "./pictures/canned-importer.ts";
import { type CannedScene, readCannedScenes } from "./pictures/canned-states.ts";
import { findChromium, CHROMIUM_ARGUMENTS } from "./pictures/find-chromium.ts";
import { PAGE_SCENES } from "./pictures/page-scenes.ts";
import { showPanelScene } from "./pictures/show-panel-scene.ts";
import { type PageLook, takePagePicture } from "./pictures/take-page-picture.ts";
import { takeJourney } from "./pictures/take-journey.ts";
import { PREVIEW_PICTURES, takePreviewPicture } from "./pictures/take-preview-picture.ts";

// Takes the pictures of the pages' states in docs/images/, with an importer and a relay that give canned
// answers, and with a real preview of fixtures. Needs a Chromium on this computer. An argument selects the
// pictures whose names start with it.

const FOLDER = join(import.meta.dirname, "..", "docs", "images");
/** The size of Live's dialog. */
const DIALOG = { width: 760, height: 560 };

/** Whether every visible sound has its waveform. */
const DRAWN = `[...document.querySelectorAll(".clip-wave")].every((wave) =>
  !wave.checkVisibility() || wave.getBoundingClientRect().top > innerHeight || wave.querySelector(".shape") !== null)`;

interface Look {
  readonly suffix: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
  /** The scenes to take; default: all. */
  readonly only?: readonly string[];
}

const LOOKS: readonly Look[] = [
  { suffix: "", ...DIALOG, colorScheme: "light" },
  {
    suffix: "-dark",
    ...DIALOG,
    colorScheme: "dark",
    only: ["waiting", "partial", "pairing", "importing"],
  },
  {
    suffix: "-phone",
    width: 390,
    height: 844,
    colorScheme: "light",
    only: ["waiting", "first-run", "pairing", "pairing-asks", "live-setup", "moved", "troubles"],
  },
  {
    suffix: "-wide",
    width: 1100,
    height: 700,
    colorScheme: "light",
    only: ["waiting", "many-sounds", "live-setup"],
  },
  { suffix: "-wide-dark", width: 1100, height: 700, colorScheme: "dark", only: ["live-setup"] },
];

/** The relay's page has its own window. */
const PAGE_LOOKS: readonly (PageLook & Pick<Look, "only">)[] = [
  { suffix: "", width: 1280, height: 720, colorScheme: "light" },
  {
    suffix: "-dark",
    width: 1280,
    height: 720,
    colorScheme: "dark",
    only: ["page-sounds", "page-results"],
  },
  { suffix: "-phone", width: 390, height: 700, colorScheme: "light", only: ["page-sounds"] },
];

/** The preview's page takes all available width. */
const PREVIEW_LOOKS: typeof PAGE_LOOKS = [
  { suffix: "", width: 1200, height: 800, colorScheme: "light" },
  { suffix: "-dark", width: 1200, height: 800, colorScheme: "dark", only: ["preview"] },
  { suffix: "-phone", width: 390, height: 844, colorScheme: "light", only: ["preview"] },
];

async function takePicture(browser: Browser, scene: CannedScene, look: Look): Promise<void> {
  const { width, height, colorScheme, suffix } = look;
  await using importer = await CannedImporter.start(scene.before ?? scene.state, scene.packages);
  // The page's CSP blocks the code below that waits for rendering.
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    bypassCSP: true,
  });
  const page = await context.newPage();
  const isDialog = width === DIALOG.width;
  await page.goto(isDialog ? await importer.dialogUrl(startOf(scene)) : importer.panelUrl);
  await showPanelScene(page, importer, scene);
  await page.waitForFunction(DRAWN);
  const path = join(FOLDER, `${scene.name}${suffix}.png`);
  await page.screenshot({ path, animations: "disabled" });
  await context.close();
  process.stdout.write(`${path}\n`);
}

function startOf({ showResultOf }: CannedScene): Partial<PanelStart> {
  return showResultOf === undefined ? {} : { showResultOf };
}

const executablePath = findChromium();
if (executablePath === undefined) {
  process.stderr.write("There is no Chromium on this computer to take pictures with.\n");
  process.exitCode = 1;
} else {
  await mkdir(FOLDER, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
  const wanted = process.argv[2] ?? "";
  for (const scene of await readCannedScenes()) {
    if (!scene.name.startsWith(wanted)) continue;
    // It needs more fonts than most computers have.
    if (scene.name === "names") continue;
    for (const look of LOOKS) {
      if (look.only?.includes(scene.name) ?? true) await takePicture(browser, scene, look);
    }
  }
  for (const scene of PAGE_SCENES.filter(({ name }) => name.startsWith(wanted))) {
    for (const { only, ...look } of PAGE_LOOKS) {
      if (!(only?.includes(scene.name) ?? true)) continue;
      process.stdout.write(`${await takePagePicture(browser, scene, look, FOLDER)}\n`);
    }
  }
  for (const picture of PREVIEW_PICTURES.filter(({ name }) => name.startsWith(wanted))) {
    for (const { only, ...look } of PREVIEW_LOOKS) {
      if (!(only?.includes(picture.name) ?? true)) continue;
      process.stdout.write(`${await takePreviewPicture(browser, picture, look, FOLDER)}\n`);
    }
  }
  if ("journey".startsWith(wanted)) {
    const path = join(FOLDER, "journey.png");
    await takeJourney(browser, path);
    process.stdout.write(`${path}\n`);
  }
  await browser.close();
}
