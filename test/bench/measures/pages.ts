import { createServer } from "node:http";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { type CannedPackage, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../../scripts/pictures/find-chromium.ts";
import {
  type BenchOptions,
  type BenchResult,
  interleave,
  median,
  percentile,
} from "../bench-result.ts";
import { urlOf } from "../processes/url-of.ts";

const SOUNDS = 1_000;
const FIXTURE = "drum-loops-90-126-174";
/** Frames of one scroll, and pixels in each: three rows, as a quick turn of the wheel. */
const FRAMES = 120;
const STEP_PIXELS = 96;
const ROW_PIXELS = 32;

/**
 * The panel in Chromium beside a page without a script: first paint, and scrolling 1,000 sounds beside 1,000 plain
 * rows. Quoted, never judged: a browser on a build machine without a screen says little about one with a screen.
 */
export async function benchPages({ isShort }: BenchOptions): Promise<BenchResult> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("The bench of the pages needs Chromium.");
  const many = await manySounds();
  await using importer = await CannedImporter.start({ ...PAIRED, packages: [many.offered] }, [
    many,
  ]);
  const empty = await serveEmpty();
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
  try {
    const rounds = isShort ? 2 : 7;
    const scrolls = { bare: [] as Scrolled[], ours: [] as Scrolled[] };
    const rowsAfterMs: number[] = [];
    const bare = () => onPage(browser, empty.url, ".row", scrolls.bare);
    const ours = async () => {
      const { paintMs, rowsMs } = await onPage(
        browser,
        importer.panelUrl,
        ".clip-row",
        scrolls.ours,
      );
      rowsAfterMs.push(rowsMs);
      return { paintMs };
    };
    const paints = await interleave(
      rounds,
      async () => (await bare()).paintMs,
      async () => (await ours()).paintMs,
    );
    // The first round of both warms up.
    return resultOf(
      paints,
      { bare: scrolls.bare.slice(1), ours: scrolls.ours.slice(1) },
      rowsAfterMs.slice(1),
    );
  } finally {
    await browser.close();
    empty.close();
  }
}

interface Scrolled {
  /** Time of the page's main thread per frame. */
  readonly taskMs: number;
  /** From one frame to the next. */
  readonly framesMs: readonly number[];
  readonly heapMb: number;
}

interface Opened {
  readonly paintMs: number;
  readonly rowsMs: number;
}

/** Opens a page in a context of its own, waits for its rows, and scrolls them. */
async function onPage(
  browser: Browser,
  url: string,
  rows: string,
  scrolls: Scrolled[],
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const metrics = await context.newCDPSession(page);
  await metrics.send("Performance.enable");
  await page.goto(url);
  await page.locator(rows).first().waitFor();
  const rowsMs = await page.evaluate<number>("performance.now()");
  // The browser writes it down a little later than it paints.
  await page.waitForFunction(`performance.getEntriesByName("first-contentful-paint").length > 0`);
  const paintMs = await page.evaluate<number>(
    `performance.getEntriesByName("first-contentful-paint")[0].startTime`,
  );
  scrolls.push(await scroll(page, metrics, rows));
  await context.close();
  return { paintMs, rowsMs };
}

async function scroll(page: Page, metrics: CDPSession, rows: string): Promise<Scrolled> {
  const before = await readMetrics(metrics);
  const framesMs = await page.evaluate<number[]>(`new Promise((resolve) => {
    let box = document.querySelector(${JSON.stringify(rows)});
    while (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      box.scrollTop += ${STEP_PIXELS};
      if (frames.length < ${FRAMES}) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`);
  const after = await readMetrics(metrics);
  const taskMs =
    (((after.get("TaskDuration") ?? 0) - (before.get("TaskDuration") ?? 0)) * 1_000) / FRAMES;
  return { taskMs, framesMs, heapMb: (after.get("JSHeapUsedSize") ?? 0) / 1e6 };
}

async function readMetrics(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await session.send("Performance.getMetrics");
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** A fixture's sounds, again and again, as one package. */
async function manySounds(): Promise<CannedPackage> {
  const one = await readCannedPackage(FIXTURE);
  const { offered, plan } = one;
  const again = <Sound extends { readonly id: string }>(sounds: readonly Sound[]): Sound[] =>
    Array.from({ length: SOUNDS }, (_, index) => {
      const sound = sounds[index % sounds.length];
      if (sound === undefined) throw new Error(`${FIXTURE} has no sounds.`);
      return { ...sound, id: `${sound.id}-${index}` };
    });
  return {
    ...one,
    offered: { ...offered, sounds: again(offered.sounds) },
    plan: { ...plan, tracks: again(plan.tracks) },
    source: {
      ...one.source,
      manifest: { ...one.source.manifest, items: again(one.source.manifest.items) },
      open: (sound, options) =>
        one.source.open({ ...sound, id: sound.id.replace(/-\d+$/, "") }, options),
    },
  };
}

/** A page of plain rows, without script and style sheet. */
async function serveEmpty() {
  const row = `<div class="row" style="height: ${ROW_PIXELS}px">A sound</div>`;
  const html = `<!doctype html><html lang="en"><title>Empty</title>
    <body style="margin: 0; height: 100vh; overflow: auto">${row.repeat(SOUNDS)}</body></html>`;
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(html),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { url: urlOf(server), close: () => server.close() };
}

function resultOf(
  paints: { readonly bare: readonly number[]; readonly ours: readonly number[] },
  scrolls: { readonly bare: readonly Scrolled[]; readonly ours: readonly Scrolled[] },
  rowsAfterMs: readonly number[],
): BenchResult {
  const sideOf = (name: string, values: readonly number[], of: readonly Scrolled[]) => ({
    name,
    unit: "ms" as const,
    values,
    peakMb: Math.max(...of.map(({ heapMb }) => heapMb)),
  });
  const taskMs = (of: readonly Scrolled[]) => of.map((one) => one.taskMs);
  const frames = (of: readonly Scrolled[], part: number) =>
    percentile(
      of.flatMap(({ framesMs }) => framesMs),
      part,
    ).toFixed(1);
  return {
    name: "pages",
    task: `The panel with one package of ${SOUNDS.toLocaleString("en")} sounds, in Chromium without a screen.`,
    sides: [
      sideOf("empty page: first paint", paints.bare, scrolls.bare),
      sideOf("panel: first paint", paints.ours, scrolls.ours),
      sideOf("plain rows: work per frame of scrolling", taskMs(scrolls.bare), scrolls.bare),
      sideOf("panel: work per frame of scrolling", taskMs(scrolls.ours), scrolls.ours),
    ],
    figures: [],
    notes: [
      `Its sounds are in sight after ${Math.round(median(rowsAfterMs))} ms.`,
      `Scrolling ${STEP_PIXELS} px a frame: from one frame to the next ${frames(scrolls.ours, 0.5)} ms, 95 of 100 below ${frames(scrolls.ours, 0.95)} ms; plain rows ${frames(scrolls.bare, 0.5)} and ${frames(scrolls.bare, 0.95)} ms.`,
      "The memory is the page's JavaScript heap after scrolling.",
    ],
  };
}
