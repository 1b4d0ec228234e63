import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readPackageFolder } from "../../tools/layout/read-package-folder.ts";
import { formatColor } from "../../core/layout/palette.ts";
import { formatWarpMode } from "../../core/page/format-setting.ts";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { libraryOf, servedPreview } from "./served-preview.ts";

const browser = useBrowser();

const FIXTURES = ["full-32", "textures", "local-with-broken-sounds"];

/** What is drawn of one row, as the browser has it. */
interface DrawnRow {
  readonly name: string;
  readonly top: number;
  readonly tracks: readonly DrawnBox[];
  readonly clips: readonly (DrawnBox & { readonly warp: string; readonly error: string | null })[];
}

interface DrawnBox {
  readonly name: string;
  readonly left: number;
  readonly width: number;
  readonly background: string;
}

const DRAWN = `[...document.querySelectorAll(".scene")].map((row) => {
  const boxOf = (cell, name) => {
    const { left, width } = cell.getBoundingClientRect();
    const label = cell.querySelector(name);
    const background = getComputedStyle(label).backgroundColor;
    return { name: label.querySelector("bdi").textContent, left, width, background };
  };
  return {
    name: row.querySelector("h2").textContent,
    top: row.getBoundingClientRect().top,
    tracks: [...row.querySelectorAll(".track-head")].map((cell) => boxOf(cell, ".track-name")),
    clips: [...row.querySelectorAll(".clip")].map((cell) => ({
      ...boxOf(cell, ".clip-name"),
      warp: cell.querySelector("dd")?.textContent ?? "",
      error: cell.querySelector(".remark.error")?.textContent ?? null,
    })),
  };
})`;

async function readDrawn(page: Page): Promise<readonly DrawnRow[]> {
  await soon(() => page.locator(".tracks").count()).toBe(FIXTURES.length);
  return page.evaluate<readonly DrawnRow[]>(DRAWN);
}

function rgbOf(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.join(", ")})`;
}

describeInBrowser("the session on the preview's page (needs Chromium)", () => {
  test("[V5] names, colours, warp modes and sentences are those of the layout", async () => {
    const library = await libraryOf(FIXTURES);
    const { url } = await servedPreview(library, FIXTURES);
    const rows = await readDrawn(await browser.open(url));
    for (const [index, fixture] of FIXTURES.entries()) {
      const { layout } = await readPackageFolder(join(library, fixture));
      const row = rows[index];
      expect(row?.name).toBe(layout.scene.name);
      expect(row?.tracks.map(({ name }) => name)).toEqual(
        layout.tracks.map((one) => one.trackName),
      );
      expect(row?.clips.map(({ name }) => name)).toEqual(layout.tracks.map((one) => one.clipName));
      for (const [at, track] of layout.tracks.entries()) {
        const clip = row?.clips[at];
        if ("error" in track) {
          expect(clip?.error).toBe(track.error);
          continue;
        }
        const color = rgbOf(formatColor(track.colorIndex));
        expect(clip?.background).toBe(color);
        expect(row?.tracks[at]?.background).toBe(color);
        expect(clip?.warp).toBe(
          track.warpMode === null ? "One-shot" : formatWarpMode(track.warpMode),
        );
      }
    }
  });

  test("[V5] columns have one width on one grid over all rows, and continue side by side", async () => {
    const library = await libraryOf(FIXTURES);
    const { url } = await servedPreview(library, FIXTURES);
    const page = await browser.open(url);
    const rows = await readDrawn(page);
    const tops = rows.map(({ top }) => top);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    const first = rows[0]?.tracks ?? [];
    const step = (first[1]?.left ?? 0) - (first[0]?.left ?? 0);
    const width = first[0]?.width ?? 0;
    expect(step).toBeGreaterThan(width);
    expect(step).toBeLessThan(width + 10);
    const expectAt = (boxes: readonly DrawnBox[], firstColumn: number, left: number): void => {
      for (const [at, box] of boxes.entries()) {
        expect(box.left).toBeCloseTo(left + (firstColumn + at) * step, 0);
        expect(box.width).toBeCloseTo(width, 1);
      }
    };
    for (const { tracks, clips } of rows) {
      expectAt(tracks, 0, first[0]?.left ?? 0);
      expectAt(clips, 0, first[0]?.left ?? 0);
    }

    const toggle = page.getByRole("button", { name: "Side by side, as in Live", pressed: false });
    await toggle.click();
    const offset = await readDrawn(page);
    for (const [index, firstColumn] of [0, 32, 36].entries()) {
      expectAt(offset[index]?.tracks ?? [], firstColumn, first[0]?.left ?? 0);
      expectAt(offset[index]?.clips ?? [], firstColumn, first[0]?.left ?? 0);
    }
    await page.reload();
    await page.getByRole("button", { name: "Side by side, as in Live", pressed: true }).waitFor();
    await page.getByRole("button", { name: "Tracks 33–36" }).click();
    const head = page.locator(".scene-head").nth(1);
    const track = page.getByRole("columnheader", { name: /^33 Rain on the Skylight/ });
    const { x: left = 0 } = (await track.boundingBox()) ?? {};
    const { x: headLeft = 0, width: headWidth = 0 } = (await head.boundingBox()) ?? {};
    expect(headLeft).toBe(0);
    expect(left).toBeGreaterThanOrEqual(headWidth);
    expect(left).toBeLessThan(headWidth + step);
    await page.evaluate("localStorage.clear()");
  });

  test("[V5] draws the loop's end, the part outside it, and the beats inside it", async () => {
    const library = await libraryOf(["loops-with-tails"]);
    const { url } = await servedPreview(library, ["loops-with-tails"]);
    const page = await browser.open(url);
    const clip = page.locator(".clip", { hasText: "Hall Claps" });
    await soon(() => clip.locator(".shape").count()).toBe(1);
    // 4 beats at 120 BPM, and a file of 3.5 s.
    const line = await clip.locator(".loop-end").getAttribute("d");
    expect(Number(/^M([\d.]+)/.exec(line ?? "")?.[1])).toBeCloseTo((160 * 2) / 3.5, 3);
    await soon(() => clip.locator(".outside").count()).toBe(1);
    await soon(() => clip.locator(".beat").count()).toBe(3);
    await soon(() => clip.innerText()).toContain("its last 1.5 s are outside the loop");
  });

  test.each([360, 760, 1400])(
    "[V5] a window %i pixels wide scrolls the session and never the page",
    async (width) => {
      const fixtures = [...FIXTURES, "names-in-eight-scripts", "drum-loops-90-126-174"];
      const { url } = await servedPreview(await libraryOf(fixtures), fixtures);
      const page = await browser.open(url);
      await page.setViewportSize({ width, height: 760 });
      await page.locator(".tracks").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(760);
      const session = page.getByRole("main");
      const { height = 0 } = (await session.boundingBox()) ?? {};
      expect(height).toBeGreaterThan(380);
    },
  );
});
