import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { servePreview } from "../../cli/preview/serve-preview.ts";
import { buildPreviewPage } from "../build-pages.ts";
import type { PageLook } from "./take-page-picture.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");
const GOLDEN = join("expected", "layout.json");

/** One state of the preview's page. */
export interface PreviewPicture {
  readonly name: string;
  /** Names of the packages' folders, in order. */
  readonly fixtures: readonly string[];
  /** How the first package's accepted layout differs. */
  readonly acceptedOtherwise: readonly (readonly [now: string, accepted: string])[];
  /** The user's actions before the picture is taken. */
  readonly act: (page: Page) => Promise<void>;
}

const LIBRARY = ["full-32", "explicit-warp-and-colours", "loops-with-tails", "one-shot-kit"];

/** Every state of the preview's page that has a picture. */
export const PREVIEW_PICTURES: readonly PreviewPicture[] = [
  {
    name: "preview",
    fixtures: LIBRARY,
    acceptedOtherwise: [],
    act: async (page) => {
      await page.getByRole("row", { name: /^Night Bus/ }).click();
      await page.getByRole("row", { name: /^Kick,/ }).click();
    },
  },
  {
    name: "preview-differences",
    fixtures: ["bass-lines", "textures"],
    acceptedOtherwise: [
      ['"tempo_bpm": 174', '"tempo_bpm": 87'],
      ['"gain_db": 0', '"gain_db": -3'],
      ["Rubber Offbeat", "Rubber Band"],
    ],
    act: async (page) => {
      await page.getByRole("row", { name: /^Below the Floorboards/ }).click();
      if (await page.getByRole("button", { name: "Details" }).isVisible()) {
        await page.getByRole("button", { name: "Details" }).click();
      }
      await page.getByRole("tab", { name: /^Layout/ }).click();
      await page.getByRole("heading", { name: "Accepted" }).waitFor();
    },
  },
  {
    name: "preview-problems",
    fixtures: ["local-with-broken-sounds", "textures", "wrong-but-accepted"],
    acceptedOtherwise: [],
    act: async (page) => {
      await page.getByRole("row", { name: /^A title that talks/ }).click();
      if (await page.getByRole("button", { name: "Details" }).isVisible()) {
        await page.getByRole("button", { name: "Details" }).click();
      }
      await page.getByRole("tab", { name: "Package" }).click();
    },
  },
];

/** Whether every row in sight has its waveform, if its sound has one. */
const DRAWN = `[...document.querySelectorAll(".clip-row")].every((row) => {
  const { top, width } = row.getBoundingClientRect();
  const isSilent = row.querySelector(".play[aria-disabled=true]") !== null;
  return width === 0 || top > innerHeight || isSilent || row.querySelector(".shape") !== null;
})`;

/** Takes a picture of the preview's page, served from copies of fixtures. */
export async function takePreviewPicture(
  browser: Browser,
  { name, fixtures, acceptedOtherwise, act }: PreviewPicture,
  { suffix, width, height, colorScheme }: PageLook,
  folder: string,
): Promise<string> {
  const library = await mkdtemp(join(tmpdir(), "soundferry-pictures-"));
  const folders = fixtures.map((fixture) => join(library, fixture));
  for (const [index, fixture] of fixtures.entries()) {
    await cp(join(FIXTURES, fixture), folders[index] ?? library, { recursive: true });
  }
  await acceptOtherwise(join(folders[0] ?? library, GOLDEN), acceptedOtherwise);
  const page = async () => buildPreviewPage();
  const options = { folders, isWatching: true, port: 0, page, startFolder: library };
  await using preview = await servePreview(options);
  // The page's CSP blocks the code that waits for rendering.
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    bypassCSP: true,
  });
  const opened = await context.newPage();
  await opened.goto(preview.url);
  await opened.getByRole("grid", { name: "Scenes" }).waitFor();
  await act(opened);
  await opened.waitForFunction(DRAWN);
  const path = join(folder, `${name}${suffix}.png`);
  await opened.screenshot({ path, animations: "disabled" });
  await context.close();
  await rm(library, { recursive: true });
  return path;
}

async function acceptOtherwise(
  golden: string,
  changes: PreviewPicture["acceptedOtherwise"],
): Promise<void> {
  const text = await readFile(golden, "utf8");
  await writeFile(
    golden,
    changes.reduce((all, [now, then]) => all.replace(now, then), text),
  );
}
