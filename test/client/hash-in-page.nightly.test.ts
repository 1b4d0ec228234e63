import { join } from "node:path";
import { expect, test } from "vitest";
import { writeBigWavs } from "../bench/big-wav.ts";
import { type Hashed, HashPages } from "../bench/browser/hash-page.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { describeInBrowser } from "./app-page.ts";

const MB = 1024 ** 2;

async function filesIn(name: string, count: number, sizeBytes: number): Promise<string[]> {
  const folder = join(await temporaryFolder(), name);
  await writeBigWavs(folder, count, sizeBytes);
  return Array.from({ length: count }, (_, index) => join(folder, `sound-${index + 1}.wav`));
}

/** Measures both in turn, five times, so that other load on the machine affects both. */
async function compare(pages: HashPages, paths: readonly string[]) {
  const subtle: Hashed[] = [];
  const ours: Hashed[] = [];
  for (let round = 0; round < 5; round += 1) {
    subtle.push(await pages.hash("subtle", paths));
    ours.push(await pages.hash("ours", paths));
  }
  const middle = (of: readonly Hashed[], member: keyof Hashed) =>
    of.map((one) => one[member]).toSorted((one, other) => one - other)[2] ?? Number.NaN;
  return {
    ratio: middle(ours, "ms") / middle(subtle, "ms"),
    moreMb: middle(ours, "moreMb"),
    // Tasks below 50 ms count as 0, on a fast machine perhaps all of them.
    taskRatio: middle(ours, "longestTaskMs") / Math.max(50, middle(subtle, "longestTaskMs")),
  };
}

describeInBrowser("hashing in a page (needs Chromium)", () => {
  test("[W3] a large sound takes less than three times the browser's hash, and little memory; the page stays fluent", async () => {
    await using pages = await HashPages.start();
    const paths = await filesIn("one", 1, 200 * MB);
    const { ratio, moreMb, taskRatio } = await compare(pages, paths);
    // About 2.2 where the processor has an instruction for SHA-256, which WebAssembly can't use. Plain JavaScript
    // would take more than five times as long.
    expect(ratio).toBeLessThan(3);
    expect(moreMb).toBeLessThan(80);
    expect(taskRatio).toBeLessThan(0.1);
    // On pages loaded over plain http, browsers hash nothing themselves.
    expect((await pages.hash("ours", paths, "app.example")).moreMb).toBeLessThan(80);
  });

  test("[W3] eight sounds take hardly longer than the browser's hash", async () => {
    await using pages = await HashPages.start();
    const { ratio, taskRatio } = await compare(pages, await filesIn("eight", 8, 25 * MB));
    expect(ratio).toBeLessThan(1.3);
    expect(taskRatio).toBeLessThan(0.5);
  });
});
