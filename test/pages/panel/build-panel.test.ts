import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { buildPanelPage, PANEL_SOURCES } from "../../../scripts/build-panel.ts";
import { bundlePage } from "../../../scripts/bundle-page.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

describe("the panel's page", () => {
  test("is one file that loads nothing else, and is small", async () => {
    const page = await buildPanelPage();
    const start = /<script type="application\/json" id="start">([^<]*)<\/script>/.exec(page);
    expect(JSON.parse(start?.[1] ?? "")).toBeNull();
    expect(page.match(/<\/script/gi)).toHaveLength(2);
    const loads = [...page.matchAll(/<[a-z]+\b[^<>]*\b(?:src|href)=["']?([^"'\s>]*)/gi)];
    expect(loads.map(([, address]) => address)).toEqual(["data:,"]);
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
    expect(style).toContain("prefers-color-scheme");
    expect(style).not.toMatch(/@import|url\(/);
    expect(gzipSync(page).length).toBeLessThan(150_000);
    expect(page).not.toMatch(/"page\.[\w-]+"/);
  });

  test("has the same bytes each time", async () => {
    const [first, second] = [await bundlePage(PANEL_SOURCES), await bundlePage(PANEL_SOURCES)];
    expect(first.text === second.text).toBe(true);
    expect(first.inputs).toContain("pages/panel/panel.tsx");
  });

  test("is cached, and built again when the cache is stale", async () => {
    const folder = await temporaryFolder();
    const kept = join(folder, "panel.html");
    const pages = await Promise.all([buildPanelPage(folder), buildPanelPage(folder)]);
    expect(pages[0] === pages[1]).toBe(true);
    expect(await readdir(folder)).toEqual(["panel.html", "panel.stamp.json"]);
    const { mtimeMs } = await stat(kept);
    await buildPanelPage(folder);
    expect((await stat(kept)).mtimeMs).toBe(mtimeMs);
    await writeFile(kept, "half a p");
    expect((await buildPanelPage(folder)) === pages[0]).toBe(true);
    expect((await readFile(kept, "utf8")) === pages[0]).toBe(true);
  });
});
