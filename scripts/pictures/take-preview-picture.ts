import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { servePreview } from "../../cli/preview/serve-preview.ts";
import { buildPreviewPage } from "../build-pages.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");
const LIBRARY = ["full-32", "explicit-warp-and-colours", "loops-with-tails", "one-shot-kit"];

/** Tests in the page that every row in sight has its waveform, if its sound has one. */
const DRAWN = `[...document.querySelectorAll(".clip-row")].every((row) => {
  const { top, width } = row.getBoundingClientRect();
  const isSilent = row.querySelector(".play[aria-disabled=true]") !== null;
  return width === 0 || top > innerHeight || isSilent || row.querySelector(".shape") !== null;
})`;

/** Takes a picture of the preview's page, served from copies of fixtures. */
export async function takePreviewPicture(browser: Browser, path: string): Promise<void> {
  const library = await mkdtemp(join(tmpdir(), "soundferry-pictures-"));
  const folders = LIBRARY.map((fixture) => join(library, fixture));
  for (const fixture of LIBRARY) {
    await cp(join(FIXTURES, fixture), join(library, fixture), { recursive: true });
  }
  const page = async () => buildPreviewPage();
  const options = { folders, isWatching: true, port: 0, page, startFolder: library };
  await using preview = await servePreview(options);
  // The page's CSP blocks the code that waits for rendering.
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    colorScheme: "light",
    bypassCSP: true,
  });
  const opened = await context.newPage();
  await opened.goto(preview.url);
  await opened.getByRole("grid", { name: "Scenes" }).waitFor();
  await opened.getByRole("row", { name: /^Night Bus/ }).click();
  await opened.getByRole("row", { name: /^Kick,/ }).click();
  await opened.waitForFunction(DRAWN);
  await opened.screenshot({ path, animations: "disabled" });
  await context.close();
  await rm(library, { recursive: true });
}
