import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type Browser, chromium, type Page } from "playwright-core";
import { bundleEntry } from "../../../scripts/client/bundle-client.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../../scripts/pictures/find-chromium.ts";
import { urlOf } from "../processes/url-of.ts";

const HTML = `<!doctype html><title>Hash</title><input type="file" multiple><script type="module">
import { Hasher } from "/hash.js";
globalThis.ways = {
  // What a browser can do at best: whole files, all in memory.
  subtle: async (files) => {
    for (const file of files) await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  },
  ours: async (files) => {
    const hasher = new Hasher();
    for (const file of files) await hasher.hash(file);
    hasher.end();
  },
};
globalThis.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
const audio = new AudioContext();
const loop = audio.createBufferSource();
loop.buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
loop.loop = true;
loop.connect(audio.destination);
loop.start();
</script>`;

/** The cost of hashing. */
export interface Hashed {
  readonly ms: number;
  /** The longest task of the main thread, in ms; 0 if none took 50 ms. */
  readonly longestTaskMs: number;
  /** Growth of the renderer's memory at its peak, in MB. */
  readonly moreMb: number;
}

/** Chromium with pages that hash files while a loop plays. */
export class HashPages implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #port: string;
  readonly #close: () => void;

  private constructor(browser: Browser, port: string, close: () => void) {
    this.#browser = browser;
    this.#port = port;
    this.#close = close;
  }

  /** @throws {Error} without Chromium */
  static async start(): Promise<HashPages> {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error("Hashing in a page needs Chromium.");
    const { text: script } = await bundleEntry("client/send/hash-sound.ts");
    const server = createServer(({ url }, response) => {
      const isScript = url === "/hash.js";
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? script : HTML);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const args = [
      ...CHROMIUM_ARGUMENTS,
      "--autoplay-policy=no-user-gesture-required",
      "--host-resolver-rules=MAP *.example 127.0.0.1",
    ];
    const browser = await chromium.launch({ executablePath, args });
    return new HashPages(browser, new URL(urlOf(server)).port, () => server.close());
  }

  /**
   * Hashes files in a page of its own, whose process nothing else has used.
   * @param host `127.0.0.1`, or a name under `.example`, which makes it an insecure origin
   */
  async hash(
    way: "subtle" | "ours",
    paths: readonly string[],
    host = "127.0.0.1",
  ): Promise<Hashed> {
    const context = await this.#browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`http://${host}:${this.#port}/`);
      await page.locator("input").setInputFiles([...paths]);
      await page.waitForFunction("globalThis.ways !== undefined");
      const pid = await this.#rendererOf(page);
      const before = await residentMb(pid);
      const peak = watchPeak(pid, before);
      const measured = await page.evaluate<Omit<Hashed, "moreMb">>(`(async () => {
        const startedAt = performance.now();
        await ways.${way}(document.querySelector("input").files);
        const endedAt = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 100));
        const during = tasks.filter(({ startTime }) => startTime >= startedAt && startTime < endedAt);
        const longestTaskMs = Math.max(0, ...during.map(({ duration }) => duration));
        return { ms: endedAt - startedAt, longestTaskMs };
      })()`);
      return { ...measured, moreMb: (await peak.end()) - before };
    } finally {
      await context.close();
    }
  }

  /** The process of the page that was opened last; others are told apart by what they have used. */
  async #rendererOf(page: Page): Promise<number> {
    const session = await this.#browser.newBrowserCDPSession();
    const processes = async () => {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.filter(({ type }) => type === "renderer");
    };
    const before = new Map((await processes()).map(({ id, cpuTime }) => [id, cpuTime]));
    await page.evaluate(
      "(() => { const end = performance.now() + 200; while (performance.now() < end); })()",
    );
    const used = (await processes()).map(({ id, cpuTime }) => ({
      id,
      more: cpuTime - (before.get(id) ?? 0),
    }));
    await session.detach();
    const [most] = used.toSorted((one, other) => other.more - one.more);
    if (most === undefined) throw new Error("The page has no process.");
    return most.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    this.#close();
  }
}

/** Looks every 10 ms. */
function watchPeak(pid: number, before: number): { readonly end: () => Promise<number> } {
  let peak = before;
  const look = async (): Promise<void> => {
    peak = Math.max(peak, await residentMb(pid));
  };
  const timer = setInterval(() => void look(), 10);
  return {
    end: async () => {
      clearInterval(timer);
      await look();
      return peak;
    },
  };
}

/** Linux only. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
