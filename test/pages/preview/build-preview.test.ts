import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildPreviewPage, PREVIEW_SOURCES } from "../../../scripts/build-preview.ts";
import { bundlePage } from "../../../scripts/bundle-page.ts";

test("[V1] the preview's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  const page = await buildPreviewPage();
  expect(page.match(/<\/script/gi)).toHaveLength(1);
  const loads = [...page.matchAll(/<[a-z]+\b[^<>]*\b(?:src|href)=["']?([^"'\s>]*)/gi)];
  expect(loads.map(([, address]) => address)).toEqual(["data:,"]);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
  expect(style).toContain("prefers-color-scheme");
  expect(style).not.toMatch(/@import|url\(/);
  expect(gzipSync(page).length).toBeLessThan(80_000);
  const { text, inputs } = await bundlePage(PREVIEW_SOURCES);
  expect(text === page).toBe(true);
  expect(inputs.filter((input) => /^(addon|relay|cli\/(?!preview\/page\/))/.test(input))).toEqual(
    [],
  );
});
