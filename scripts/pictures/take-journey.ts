import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { PreviewHost, readImporterSettings, startImporter } from "../../addon/index.ts";
import { readOutgoing } from "../../cli/send/read-outgoing.ts";
import { MemoryTokenStore, SoundferryClient } from "../../client/index.ts";
import { buildRelay, readRelaySettings } from "../../relay/index.ts";
import { servePreview } from "../../tools/preview/serve-preview.ts";
import { buildPanelPage } from "../build-panel.ts";
import { buildPreviewPage } from "../build-preview.ts";
import { type Frame, writeAnimation } from "./write-animation.ts";

const PACKAGE = "full-32";
/** What the preview shows; the package first. */
const LIBRARY = [PACKAGE, "explicit-warp-and-colours", "loops-with-tails", "one-shot-kit"];
const FIXTURES = join(import.meta.dirname, "../../fixtures/packages");
const APP = { name: "Pocket Studio", id: "journey" };
const WINDOW = {
  viewport: { width: 960, height: 540 },
  bypassCSP: true,
  colorScheme: "light",
} as const;

/** Whether every outline that can be seen is drawn. */
const DRAWN = `[...document.querySelectorAll(".outline, .wave")].every((one) => {
  const { top, left } = one.getBoundingClientRect();
  return top > innerHeight || left > innerWidth || one.querySelector(".shape") !== null;
})`;

/**
 * Records a whole journey as an animated picture: an app pairs and sends a package, a person imports it,
 * and the preview plays it. Relay, importer, app and preview are real.
 */
export async function takeJourney(browser: Browser, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-journey-"));
  const context = await browser.newContext(WINDOW);
  try {
    const page = await context.newPage();
    const frames = [...(await importInPanel(page, folder)), ...(await playInPreview(page, folder))];
    await writeAnimation(path, frames);
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
}

async function importInPanel(page: Page, folder: string): Promise<readonly Frame[]> {
  await using relay = await buildRelay(
    readRelaySettings({
      environment: {
        SOUNDFERRY_PORT: "0",
        SOUNDFERRY_DATA: join(folder, "relay"),
        SOUNDFERRY_LOG_LEVEL: "silent",
      },
    }),
  );
  const { url } = await relay.listen();
  const settings = readImporterSettings({
    environment: {
      SOUNDFERRY_RELAY_URL: url,
      SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
      SOUNDFERRY_SOUNDS: join(folder, "sounds"),
      SOUNDFERRY_PANEL_PORT: "0",
      SOUNDFERRY_DEVICE_NAME: "Studio Mac",
    },
  });
  const host = new PreviewHost(join(folder, "session.json"));
  await using running = await startImporter({ settings, host, panelPage: () => buildPanelPage() });
  await page.goto(running.panelUrl);
  // The panel asks for a code when it opens.
  const shown = page.getByText(/^[2-9A-Z]{3}\s?[2-9A-Z]{3}$/).first();
  await shown.waitFor();
  const frames = [await frame(page, 1800)];

  const client = new SoundferryClient({
    relayUrl: url,
    app: APP,
    tokenStore: new MemoryTokenStore(),
  });
  await client.pair((await shown.textContent()) ?? "");
  await client.sendManifest(await readOutgoing([join(FIXTURES, PACKAGE)], APP.name));
  const button = page.getByRole("button", { name: /^Import/ }).first();
  await button.waitFor();
  await page.waitForFunction(DRAWN);
  frames.push(await frame(page, 2200));
  await button.hover();
  frames.push(await frame(page, 500));
  await button.click();
  await page
    .getByText(/sounds imported/)
    .first()
    .waitFor();
  frames.push(await frame(page, 2200));
  return frames;
}

async function playInPreview(page: Page, folder: string): Promise<readonly Frame[]> {
  const startFolder = join(folder, "library");
  const folders = LIBRARY.map((name) => join(startFolder, name));
  for (const [index, name] of LIBRARY.entries()) {
    await cp(join(FIXTURES, name), folders[index] ?? "", { recursive: true });
  }
  const options = { folders, isWatching: false, port: 0, startFolder };
  await using preview = await servePreview({ ...options, page: async () => buildPreviewPage() });
  await page.goto(preview.url);
  await page.locator(".tracks").first().waitFor();
  await page.waitForFunction(DRAWN);
  const frames = [await frame(page, 1000)];
  await page.getByRole("button", { name: /^Play/ }).first().click();
  for (let step = 0; step < 6; step += 1) {
    await setTimeout(400);
    frames.push(await frame(page, 400));
  }
  return frames;
}

async function frame(page: Page, milliseconds: number): Promise<Frame> {
  return { png: await page.screenshot(), milliseconds };
}
