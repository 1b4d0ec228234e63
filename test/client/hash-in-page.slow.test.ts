import { join } from "node:path";
import { expect, test } from "vitest";
import { writeBigWavs } from "../../bench/big-wav.ts";
import { type Hashed, HashPages } from "../../bench/browser/hash-page.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { describeInBrowser } from "./app-page.ts";

const MB = 1024 ** 2;

async function filesIn(name: string, count: number, sizeBytes: number): Promise<string[]> {
  const folder = join(await temporaryFolder(), name);
  await writeBigWavs(folder, count, sizeBytes);
  return Array.from({ length: count }, (_, index) => join(folder, `sound-${index + 1}.wav`));
}

/** The best of four, alternating, so that other load on the machine affects both. */
async function best(pages: HashPages, paths: readonly string[]) {
  const runs: { subtle: Hashed[]; ours: Hashed[] } = { subtle: [], ours: [] };
  for (let round = 0; round < 4; round += 1) {
    runs.subtle.push(await pages.hash("subtle", paths));
    runs.ours.push(await pages.hash("ours", paths));
  }
  const least = (of: readonly Hashed[], member: keyof Hashed) =>
    Math.min(...of.map((one) => one[member]));
  return {
    ratio: least(runs.ours, "ms") / least(runs.subtle, "ms"),
    moreMb: least(runs.ours, "moreMb"),
    // Tasks below 50 ms count as 0, on a fast machine perhaps all of them.
    taskRatio:
      least(runs.ours, "longestTaskMs") / Math.max(50, least(runs.subtle, "longestTaskMs")),
  };
}

describeInBrowser("hashing in a page (needs Chromium)", () => {
  test("[W3] a large sound takes little longer than the browser's hash, and little memory; the page stays fluent", async () => {
    await using pages = await HashPages.start();
    const paths = await filesIn("one", 1, 200 * MB);
    const { ratio, moreMb, taskRatio } = await best(pages, paths);
    expect(ratio).toBeLessThan(2.2);
    expect(moreMb).toBeLessThan(80);
    expect(taskRatio).toBeLessThan(0.1);
    // On pages loaded over plain http, browsers hash nothing themselves.
    expect((await pages.hash("ours", paths, "app.example")).moreMb).toBeLessThan(80);
  });

  test("[W3] eight sounds take hardly longer than the browser's hash", async () => {
    await using pages = await HashPages.start();
    const { ratio, taskRatio } = await best(pages, await filesIn("eight", 8, 25 * MB));
    expect(ratio).toBeLessThan(1.3);
    expect(taskRatio).toBeLessThan(0.5);
  });
});
