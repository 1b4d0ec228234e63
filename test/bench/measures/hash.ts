import { join } from "node:path";
import { writeBigWavs } from "../big-wav.ts";
import { type BenchOptions, type BenchResult, ratioOf, interleave } from "../bench-result.ts";
import { type Hashed, HashPages } from "../browser/hash-page.ts";

const MB = 1024 ** 2;
/** A page that was loaded over plain http from another computer. */
const INSECURE = "app.example";

/** The client's hashing in Chromium, beside the browser's own hash of whole files in memory. */
export async function benchHash({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const rounds = isShort ? 1 : 5;
  const one = await filesIn(join(folder, "one"), 1, 200 * MB);
  const eight = await filesIn(join(folder, "eight"), 8, 25 * MB);
  await using pages = await HashPages.start();
  const hashed = { subtle: [] as Hashed[], one: [] as Hashed[], eight: [] as Hashed[] };
  const insecure: Hashed[] = [];
  const timed = async (into: Hashed[], ...how: Parameters<HashPages["hash"]>) => {
    const result = await pages.hash(...how);
    into.push(result);
    return result.ms;
  };
  const ofOne = await interleave(
    rounds,
    () => timed(hashed.subtle, "subtle", one),
    () => timed(hashed.one, "ours", one),
  );
  const ofEight = await interleave(
    rounds,
    () => timed(hashed.subtle, "subtle", eight),
    () => timed(hashed.eight, "ours", eight),
  );
  await timed(insecure, "ours", one, INSECURE);
  await timed(insecure, "ours", eight, INSECURE);
  const most = (of: readonly Hashed[], member: keyof Hashed) =>
    Math.max(...of.map((one) => one[member]));
  const all = [...hashed.one, ...hashed.eight, ...insecure];
  const side = (name: string, values: readonly number[], of: readonly Hashed[]) => ({
    name,
    unit: "ms" as const,
    values,
    peakMb: most(of, "moreMb"),
  });
  return {
    name: "hash",
    task: "Sounds hashed in a page of Chromium without a screen, while a loop plays.",
    sides: [
      side("browser, 1 × 200 MB", ofOne.bare, hashed.subtle),
      side("client, 1 × 200 MB", ofOne.ours, hashed.one),
      side("browser, 8 × 25 MB", ofEight.bare, hashed.subtle),
      side("client, 8 × 25 MB", ofEight.ours, hashed.eight),
      side(
        "client, both, insecure origin",
        insecure.map(({ ms }) => ms),
        insecure,
      ),
    ],
    figures: [
      { name: "1 × 200 MB: client ÷ browser", value: ratioOf(ofOne).value, atMost: 2.2 },
      { name: "1 × 200 MB: MB of memory more", value: most(hashed.one, "moreMb"), atMost: 80 },
      { name: "8 × 25 MB: client ÷ browser", value: ratioOf(ofEight).value, atMost: 1.3 },
      {
        name: "longest task of the main thread, ms",
        value: most(all, "longestTaskMs"),
        atMost: 50,
      },
    ],
    notes: [
      "The memory is what the page's process had more at its peak than before; a task below 50 ms counts as 0.",
      `1 × 200 MB. ${ratioOf(ofOne).note}`,
      `8 × 25 MB. ${ratioOf(ofEight).note}`,
    ],
  };
}

async function filesIn(folder: string, count: number, sizeBytes: number): Promise<string[]> {
  await writeBigWavs(folder, count, sizeBytes);
  return Array.from({ length: count }, (_, index) => join(folder, `sound-${index + 1}.wav`));
}
