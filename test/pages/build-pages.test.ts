import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  buildPanelPage,
  buildPreviewPage,
  buildRelayPage,
  bundlePage,
} from "../../scripts/build-pages.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

/** Each page: its builder, the size limit of its compressed text, and how many scripts it has. */
const PAGES = {
  panel: { build: buildPanelPage, maxBytes: 150_000, scripts: 2 },
  page: { build: buildRelayPage, maxBytes: 110_000, scripts: 1 },
  preview: { build: buildPreviewPage, maxBytes: 80_000, scripts: 1 },
} as const;

async function expectOneFile(name: keyof typeof PAGES): Promise<string> {
  const { build, maxBytes, scripts } = PAGES[name];
  const page = await build();
  expect(page.match(/<\/script/gi)).toHaveLength(scripts);
  const loads = [...page.matchAll(/<[a-z]+\b[^<>]*\b(?:src|href)=["']?([^"'\s>]*)/gi)];
  expect(loads.map(([, address]) => address)).toEqual(["data:,"]);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
  expect(style).toContain("prefers-color-scheme");
  expect(style).not.toMatch(/@import|url\(/);
  expect(gzipSync(page).length).toBeLessThan(maxBytes);
  const { text, inputs } = await bundlePage(name);
  expect(text === page).toBe(true);
  expect(inputs.filter((input) => /^(addon|cli|relay)\//.test(input))).toEqual([]);
  return page;
}

test("the panel's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  const page = await expectOneFile("panel");
  const start = /<script type="application\/json" id="start">([^<]*)<\/script>/.exec(page);
  expect(JSON.parse(start?.[1] ?? "")).toBeNull();
  expect(page).not.toMatch(/"page\.[\w-]+"/);
});

test("[G1] the relay's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  expect(await expectOneFile("page")).not.toMatch(/"panel\.[\w-]+"/);
});

test("[V1] the preview's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  await expectOneFile("preview");
});

test("a page is cached, and built again when the cache is stale", async () => {
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
