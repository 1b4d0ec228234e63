import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { Importer } from "../../addon/importer.ts";
import { PreviewHost, readImporterSettings, startImporter } from "../../addon/index.ts";
import { buildRelay, readRelaySettings } from "../../relay/index.ts";
import { servePreview } from "../../cli/preview/serve-preview.ts";
import { buildClientFiles } from "../build-client.ts";
import { buildRelayPage, buildPanelPage, buildPreviewPage } from "../build-pages.ts";
import { type Frame, writeAnimation } from "./write-animation.ts";

/** The files to drop: fixtures, under names that a producer would give them. */
const DROPPED = [
  ["Warehouse_Groove_126bpm.wav", "drum-loops-90-126-174/warehouse-126.wav"],
  ["Acid Runner 124 Am.wav", "bass-lines/acid-runner.wav"],
  ["Vox Call Answer 110 BPM Amin.wav", "vocal-chops/call-and-answer.wav"],
  ["Kick_Deep_01.wav", "one-shot-kit/kick-deep.wav"],
  ["SD Fat.wav", "one-shot-kit/snare-fat.wav"],
  ["HH_Open.wav", "one-shot-kit/hat-open.wav"],
] as const;
const TITLE = "Kitchen Kit";
const FIXTURES = join(import.meta.dirname, "../../fixtures/packages");
const WINDOW = {
  viewport: { width: 1180, height: 664 },
  bypassCSP: true,
  colorScheme: "light",
  locale: "en",
} as const;

/**
 * Records a whole journey as an animated picture: sounds are dropped on the relay's page and sent, a person
 * imports them in the panel, and the preview plays the tracks. All pages are real.
 */
export async function takeJourney(browser: Browser, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-journey-"));
  const context = await browser.newContext(WINDOW);
  try {
    const panel = await context.newPage();
    const frames = [
      ...(await dropAndImport(panel, folder)),
      ...(await playInPreview(panel, folder)),
    ];
    await writeAnimation(path, frames);
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
}

async function dropAndImport(panel: Page, folder: string): Promise<readonly Frame[]> {
  const relaySettings = readRelaySettings({
    environment: {
      SOUNDFERRY_PORT: "0",
      SOUNDFERRY_DATA: join(folder, "relay"),
      SOUNDFERRY_LOG_LEVEL: "silent",
    },
  });
  const pages = { home: buildRelayPage, clientFiles: buildClientFiles };
  await using relay = await buildRelay(relaySettings, { pages });
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
  await panel.goto(running.panelUrl);
  const shown = panel.getByText(/^[2-9A-Z]{3}\s?[2-9A-Z]{3}$/).first();
  await shown.waitFor();
  const frames = [await frame(panel, 1800)];

  const sending = await panel.context().newPage();
  const code = ((await shown.textContent()) ?? "").replace(/\s/, "");
  await sending.goto(`${url}/#code=${code}`);
  await sending.getByRole("button", { name: "Pair", exact: true }).click();
  await sending.getByRole("button", { name: "To Studio Mac", exact: true }).waitFor();
  await sending.getByLabel("A folder of sounds").setInputFiles(await folderToDrop(folder));
  await sending.getByText(`${DROPPED.length} sounds added.`).waitFor({ state: "attached" });
  await setTimeout(600);
  frames.push(await frame(sending, 3000));
  await sending.getByRole("button", { name: "Send to Studio Mac" }).click();
  await sending
    .getByText(/waiting for Import/i)
    .first()
    .waitFor();
  frames.push(await frame(sending, 1400));

  await keepPackage(running.importer, join(folder, "library"));
  await panel.bringToFront();
  await panel.getByRole("button", { name: "Show 1 package" }).click();
  const button = panel.getByRole("button", { name: /^Import/ }).first();
  await button.waitFor();
  await setTimeout(800);
  frames.push(await frame(panel, 2200));
  await button.hover();
  frames.push(await frame(panel, 500));
  await button.click();
  const all = `${DROPPED.length} of ${DROPPED.length}`;
  await panel.getByText(all, { exact: true }).first().waitFor();
  frames.push(await frame(panel, 2200));
  return frames;
}

/** A folder with copies of the fixtures under the names that are dropped. */
async function folderToDrop(folder: string): Promise<string> {
  const dropped = join(folder, TITLE);
  await mkdir(dropped);
  for (const [name, fixture] of DROPPED) {
    await copyFile(join(FIXTURES, fixture), join(dropped, name));
  }
  return dropped;
}

/** Writes what was sent as a package folder, for the preview. */
async function keepPackage(importer: Importer, library: string): Promise<void> {
  const [sent] = (await importer.packages()).packages;
  if (sent === undefined) throw new Error("Nothing was sent.");
  const { package_id: packageId, manifest } = sent;
  const folder = join(library, manifest.title);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2));
  for (const { id, file } of manifest.items) {
    const { body } = await importer.openSound(packageId, id, new AbortController().signal);
    await writeFile(join(folder, file), body);
  }
}

async function playInPreview(page: Page, folder: string): Promise<readonly Frame[]> {
  const startFolder = join(folder, "library");
  const folders = [join(startFolder, TITLE)];
  const options = { folders, isWatching: false, port: 0, startFolder };
  await using preview = await servePreview({ ...options, page: async () => buildPreviewPage() });
  await page.goto(preview.url);
  await page.getByRole("grid", { name: "Scenes" }).waitFor();
  await setTimeout(1000);
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
