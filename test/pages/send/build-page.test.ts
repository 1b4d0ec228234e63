import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildRelayPage, PAGE_SOURCES } from "../../../scripts/build-page.ts";
import { bundlePage } from "../../../scripts/bundle-page.ts";

test("[G1] the page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  const page = await buildRelayPage();
  expect(page.match(/<\/script/gi)).toHaveLength(1);
  const loads = [...page.matchAll(/<[a-z]+\b[^<>]*\b(?:src|href)=["']?([^"'\s>]*)/gi)];
  expect(loads.map(([, address]) => address)).toEqual(["data:,"]);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
  expect(style).toContain("prefers-color-scheme");
  expect(style).not.toMatch(/@import|url\(/);
  expect(gzipSync(page).length).toBeLessThan(110_000);
  const { text, inputs } = await bundlePage(PAGE_SOURCES);
  expect(text === page).toBe(true);
  expect(text).not.toMatch(/"panel\.[\w-]+"/);
  expect(inputs.filter((input) => /^(addon|cli|relay\/(domain|http))\//.test(input))).toEqual([]);
});
