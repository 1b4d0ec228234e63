import { servePage } from "../serve-page.ts";
import type { Page as BrowserPage } from "playwright-core";
import { expect, test, afterAll, beforeAll } from "vitest";
import { OUTCOMES } from "../../cli/commands/up/pretend.ts";
import { VERSION } from "../../core/version.ts";
import { CODE } from "./examples/soundferry-at-work.ts";
import { describeInBrowser, useBrowser } from "../pages/panel/panel-browser.ts";
import { smallWav } from "../wav-bytes.ts";
import { readPages } from "./read-pages.ts";
import { useStartPages } from "./use-start-pages.ts";
import { soon } from "../sim/soon.ts";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

// Runs every example for pages of docs/start/ and /llms.txt, as a developer would. The commands of the first steps have a
// test of their own: test/docs/examples/first-sound.nightly.test.ts.

const WAV = smallWav({ frames: 88_200 });
const pages = useStartPages();
const FIRST = "docs/start/first-sound.md";
const PRODUCTION = "docs/start/going-to-production.md";

test("[O9] this test knows every example on these pages", () => {
  const languages = (path: string) => pages.examplesOf(path).map(({ language }) => language);
  const ofApps = languages(FIRST).filter((language) => language !== "text");
  const inApps = ["html", "js", "sh", "json", "sh", "sh", "sh", "js", "js"];
  // Eight lines of the first steps, and the one that builds the packages.
  expect(ofApps).toEqual([...Array.from({ length: 9 }, () => "sh"), ...inApps]);
  expect(languages(PRODUCTION)).toEqual(["html", "js", "sh"]);
});

test("[O9] lines that install name the files that npm run build:packages makes", () => {
  const files = new Set([
    `soundferry-client-${VERSION}.tgz`,
    `soundferry-${VERSION}-py3-none-any.whl`,
  ]);
  const named = pages
    .codeOf(FIRST, "sh")
    .flatMap((line) => [...line.matchAll(/dist\/packages\/(\S+)/g)].map(([, file = ""]) => file));
  expect(named.filter((file) => !files.has(file))).toEqual([]);
  expect(new Set(named).size).toBe(2);
});

test("[K16][O9] the outcomes of --pretend are on the page", () => {
  const page = readPages().find(({ path }) => path === PRODUCTION);
  const rows = [...(page?.prose ?? "").matchAll(/^\| `([a-z][a-z-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual([...OUTCOMES]);
  expect(pages.codeOf(PRODUCTION, "sh")[0]).toContain("--pretend partial");
});

describeInBrowser("in a page of another origin (needs Chromium)", () => {
  const browser = useBrowser();

  /** A page with this HTML, and `wavBlob` as the app's sound. */
  async function pageWith(html: string, path = ""): Promise<BrowserPage> {
    const wav = WAV.toString("base64");
    const before = `globalThis.wavBlob = new Blob([Uint8Array.from(atob("${wav}"), (one) => one.charCodeAt(0))]);`;
    return browser.open((await servePage(html)) + path, { before });
  }

  async function logOf(page: BrowserPage, program: string): Promise<string[]> {
    const lines: string[] = [];
    page.on("console", (message) => lines.push(message.text()));
    await page.addScriptTag({ type: "module", content: program });
    return lines;
  }

  test("[O9] ten lines make a page that pairs and sends what the app gives it", async () => {
    const [html = ""] = pages.codeOf(FIRST, "html");
    const [give = ""] = pages.codeOf(FIRST, "js");
    expect(html.trim().split("\n").length).toBeLessThanOrEqual(10);
    const page = await pageWith(html);
    const element = page.locator("soundferry-send");
    await element.locator("input").first().fill(CODE);
    await page.keyboard.press("Enter");
    await page.addScriptTag({ type: "module", content: give });
    await soon(() => element.locator(':text("Beat"), input[value="Beat"]').count()).toBeGreaterThan(
      0,
    );
    await element.getByRole("button", { name: /^send/i }).click();
    await element
      .getByText(/imported/i)
      .first()
      .waitFor();
  });

  test("[O8] the example of /llms.txt sends a sound that is imported, and its links lead somewhere", async () => {
    const text = await (await fetch(`${pages.relayUrl}/llms.txt`)).text();
    const [, example = ""] = /```js\n(.*?)```/s.exec(text) ?? [];
    const program = pages.withRelay(example).replace("./client.js", `${pages.relayUrl}/client.js`);
    const lines = await logOf(await pageWith("<!doctype html><title>Looper</title>"), program);
    await soon(() => lines.join("\n")).toContain("imported");
    const links = new Set([...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = ""]) => link));
    expect(links.size).toBeGreaterThan(4);
    for (const link of links) {
      const { status } = await fetch(new URL(link, `${pages.relayUrl}/`));
      expect([link, status]).toEqual([link, 200]);
    }
  });

  test("[O9] a code after # is read and taken out of the address", async () => {
    const [program = ""] = pages.codeOf(PRODUCTION, "js");
    const page = await pageWith("<!doctype html><title>Looper</title>", "app#code=K7MQ2X");
    const lines = await logOf(page, program);
    await soon(() => lines).toContain("Pair with K7MQ2X?");
    expect(page.url()).not.toContain("#");
  });

  test("[O9] the paths of tsconfig.json name files that a relay serves", async () => {
    const [text = "{}"] = pages.codeOf(FIRST, "json");
    const { paths } = JSON.parse(text).compilerOptions;
    const [[script, [types = ""]] = ["", [""]]] = Object.entries<string[]>(paths);
    expect((await fetch(script)).status).toBe(200);
    const served = new URL(types.replace("./types/", ""), `${pages.relayUrl}/`);
    expect((await fetch(served)).status).toBe(200);
  });
});

// Runs every example in Node of docs/start/, as a developer would.

const run = promisify(execFile);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-start-"));
  const installed = join(folder, "node_modules", "@soundferry", "client");
  await mkdir(installed, { recursive: true });
  await writeClientPackage(installed);
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
  await writeFile(join(folder, "hit.wav"), smallWav());
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

async function runInNode(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, "app.mjs"), program);
  const { stdout } = await run(process.execPath, ["app.mjs"], { cwd: folder, timeout: 60_000 });
  return stdout;
}

test("[O9] the server's example sends a job, and resumes it", async () => {
  const wav = 'const wav = (await import("node:fs")).readFileSync("beat.wav");\n';
  const program = wav + pages.codeOf("docs/start/first-sound.md", "js").slice(1).join("\n");
  expect(await runInNode(folder, program)).toContain("imported");
  const again = `${program}
      console.log("again", (await sendJob(client, { id: 7, name: "Rendered", bpm: 120, wav })) === packageId);`;
  expect(await runInNode(folder, again)).toContain("again true");
});

const ROOT = join(import.meta.dirname, "../..");

test("[O9] the commands for Python send a sound that is imported", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
  const commands = pages
    .codeOf("docs/start/first-sound.md", "sh")
    .filter((lines) => lines.startsWith("python3 -m soundferry"))
    .join("");
  const env = { ...process.env, HOME: folder, PYTHONPATH: join(ROOT, "client", "python") };
  const options = { cwd: folder, env, timeout: 60_000 };
  const { stdout } = await run("bash", ["-euc", commands], options);
  expect(stdout).toContain("imported");
});
