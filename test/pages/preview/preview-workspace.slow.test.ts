import { join } from "node:path";
import { expect, test } from "vitest";
import { formatColor } from "../../../core/layout/palette.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { shiftsAfter } from "../kit/nothing-moves.ts";
import {
  clipRow,
  clips,
  detail,
  editFile,
  openPreview,
  sceneList,
  sceneRow,
  showTab,
  transport,
  openWide,
  libraryOf,
  servedPreview,
} from "./open-preview.ts";
import { soon } from "../../sim/soon.ts";
import { readFile, rm } from "node:fs/promises";

const browser = useBrowser();

const FIXTURES = ["full-32", "textures", "local-with-broken-sounds"];

function rgbOf(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.join(", ")})`;
}

describeInBrowser("the workspace on the preview's page (needs Chromium)", () => {
  test("[V5] names, colors, tempi, beats and problems are those of the layout", async () => {
    const { library, page } = await openPreview(browser, FIXTURES);
    await page.setViewportSize({ width: 1280, height: 2400 });
    for (const fixture of FIXTURES) {
      const { layout } = await readPackageFolder(join(library, fixture));
      const start = layout.scene.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      await sceneRow(page, new RegExp(`^${start}`)).click();
      await page.getByRole("heading", { name: layout.scene.name, level: 2 }).waitFor();
      const rows = clips(page).locator(".clip-row");
      await soon(() => rows.count()).toBe(layout.tracks.length);
      for (const [index, track] of layout.tracks.entries()) {
        const row = rows.nth(index);
        expect(await row.locator(".clip-name").innerText()).toBe(track.clipName);
        if ("error" in track) {
          expect(await row.locator(".clip-state").innerText()).toBe("Can’t be used");
          continue;
        }
        expect(await row.locator(".clip-bpm").innerText()).toBe(track.tempoBpm?.toString() ?? "");
        expect(await row.locator(".clip-beats").innerText()).toBe(
          track.loopEndBeats?.toString() ?? "",
        );
        const swatch = row.locator(".clip-swatch");
        if (track.colorIndex === null) {
          expect(await swatch.getAttribute("class")).toContain("automatic");
        } else {
          const background = await swatch.getAttribute("style");
          expect(background).toContain(rgbOf(formatColor(track.colorIndex)));
        }
      }
    }
  });

  test("[V5] problems come first, and a search lists the sounds of all packages", async () => {
    const { page } = await openPreview(browser, FIXTURES);
    const names = sceneList(page).locator(".pick-row bdi");
    await soon(() => names.allInnerTexts()).toEqual([
      expect.stringContaining("Rescued"),
      expect.stringContaining("Night Bus"),
      expect.stringContaining("Weather"),
    ]);
    const search = page.getByRole("searchbox");
    await search.fill("ra");
    await page.getByRole("heading", { name: "sounds found" }).waitFor();
    await clipRow(page, /^Radiator/).waitFor();
    await clipRow(page, /^Rain on the Skylight/).click();
    await soon(() => sceneList(page).locator(".selected").innerText()).toContain("Weather");
    await search.fill("radiator");
    await soon(() => clips(page).locator(".clip-row").count()).toBe(1);
    await search.fill("no such thing");
    await page.getByText("No scenes match.").waitFor();
    await search.fill("");
    await page.getByRole("button", { name: "Problems" }).click();
    await soon(() => sceneList(page).locator(".pick-row").count()).toBe(1);
    await page.getByRole("button", { name: "Changed" }).click();
    await page.getByText("No scenes match.").waitFor();
  });

  test("[V5] draws the loop's end, the part outside it, and the beats inside it", async () => {
    const { page } = await openPreview(browser, ["loops-with-tails"]);
    await clipRow(page, /^Hall Claps/).click();
    const picture = detail(page).locator(".wave");
    await soon(() => picture.locator(".shape").count()).toBe(1);
    // 4 beats at 120 BPM, and a file of 3.5 s.
    const line = await picture.locator(".loop-end").getAttribute("d");
    expect(Number(/^M([\d.]+)/.exec(line ?? "")?.[1])).toBeCloseTo((320 * 2) / 3.5, 3);
    await soon(() => picture.locator(".outside").count()).toBe(1);
    await soon(() => picture.locator(".beat").count()).toBe(3);
    await soon(() => detail(page).innerText()).toContain("its last 1.5 s are outside the loop");
  });

  test.each([360, 768, 1400])(
    "[V5] a window %i pixels wide never scrolls the page, and has every pane",
    async (width) => {
      const { page } = await openPreview(browser, [...FIXTURES, "names-in-eight-scripts"]);
      await page.setViewportSize({ width, height: 760 });
      const expectWhole = async (): Promise<void> => {
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(760);
      };
      await expectWhole();
      await sceneRow(page, /^Weather/).click();
      await clipRow(page, /^Radiator/).waitFor();
      await expectWhole();
      await clipRow(page, /^Radiator/)
        .locator(".clip-name")
        .dblclick();
      await detail(page).getByRole("heading", { name: "Radiator" }).waitFor();
      await expectWhole();
      if (width >= 900) return;
      await page.getByRole("button", { name: "Back" }).last().click();
      await clipRow(page, /^Radiator/).waitFor();
    },
  );

  test("[V5] nothing moves under the pointer: by choosing, playing, editing, accepting, and an edit on disk", async () => {
    const { library, page } = await openPreview(browser, FIXTURES, { isWatching: true });
    const still = async (name: string, act: () => Promise<unknown>): Promise<void> => {
      expect.soft(await shiftsAfter(page, act), name).toEqual([]);
    };
    await still("choose a scene", () => sceneRow(page, /^Weather/).click());
    await still("choose a sound", () => clipRow(page, /^Radiator/).click());
    await still("play", () => transport(page).getByRole("button", { name: /^Play/ }).click());
    await still("mute", () => page.getByRole("button", { name: "Mute Radiator" }).click());
    await still("edit", async () => {
      await detail(page).getByLabel("Name", { exact: true }).fill("Boiler");
      await page.keyboard.press("Enter");
      await clipRow(page, /^Boiler/).waitFor();
    });
    await showTab(page, /^Layout/);
    await still("accept", async () => {
      await page.getByRole("button", { name: "Accept this layout" }).click();
      await detail(page).getByText("matches the accepted one").waitFor();
    });
    const manifest = join(library, "full-32", "manifest.json");
    await still("an edit on disk", () => editFile(manifest, (text) => text.slice(0, 40)));
    await sceneRow(page, /^full-32.*can’t be used/).waitFor();
    await still("another tab", () => showTab(page, /^Changes/));
  });
});

describeInBrowser("the preview's page (needs Chromium)", () => {
  test("[V5][V7] opens, shows a fixture, and accepts its layout", async () => {
    const fixture = "half-beat-lengths";
    const library = await libraryOf([fixture]);
    const golden = join(library, fixture, "expected", "layout.json");
    const accepted = await readFile(golden, "utf8");
    await rm(golden);
    const { url } = await servedPreview(library, [fixture]);
    const page = await openWide(browser, url);

    await sceneList(page)
      .getByRole("row", { name: /^Seven Eighths .*not accepted yet/ })
      .waitFor();
    await soon(() => clips(page).getByRole("row").count()).toBe(6);
    await soon(() => clips(page).locator(".shape").count()).toBe(5);
    await showTab(page, /^Layout/);
    const accept = detail(page).getByRole("button", { name: "Accept this layout" });
    await accept.click();
    await sceneList(page)
      .getByRole("row", { name: /^Seven Eighths .*accepted/ })
      .waitFor();
    await detail(page).getByText("This layout matches the accepted one.").waitFor();
    expect(await readFile(golden, "utf8")).toBe(accepted);
    await soon(() => page.evaluate("document.activeElement.innerText")).toBe("Accepted");
  });
});
