import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page as BrowserPage } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { OUTCOMES } from "../../cli/running/pretend/outcomes.ts";
import { VERSION } from "../../core/version.ts";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { CODE, useSoundferry } from "../examples/soundferry-at-work.ts";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { smallWav } from "../wav-bytes.ts";
import { readPages } from "./read-pages.ts";

// Runs every example of docs/start/, docs/going-to-production.md and /llms.txt, as a developer would.

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const WAV = smallWav({ frames: 88_200 });
const soundferry = useSoundferry();

/** The examples of a page in their order, with the running relay's address in them. */
function examplesOf(path: string): readonly { readonly language: string; readonly text: string }[] {
  const page = readPages().find((one) => one.path === path);
  return (page?.blocks ?? []).map(({ language, text }) => ({ language, text: withRelay(text) }));
}

function withRelay(text: string): string {
  return text.replaceAll("http://127.0.0.1:4700", soundferry.relayUrl);
}

function codeOf(path: string, language: string): string[] {
  return examplesOf(path)
    .filter((one) => one.language === language)
    .map(({ text }) => text);
}

/** An app's folder with a sound, and the packages as they would be installed. */
async function appFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const installed = join(folder, "node_modules", "@soundferry", "client");
  await mkdir(installed, { recursive: true });
  await writeClientPackage(installed);
  await writeFile(join(folder, "beat.wav"), WAV);
  return folder;
}

async function runInNode(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, "app.mjs"), program);
  const { stdout } = await run(process.execPath, ["app.mjs"], { cwd: folder, timeout: 60_000 });
  return stdout;
}

test("[O9] this test knows every example on these pages", () => {
  const languages = (path: string) => examplesOf(path).map(({ language }) => language);
  expect(languages("docs/start/browser.md")).toEqual(["html", "js", "js", "sh", "sh", "json"]);
  expect(languages("docs/start/node.md")).toEqual(["sh", "sh", "js"]);
  expect(languages("docs/start/python.md")).toEqual(["sh", "sh", "python", "sh"]);
  expect(languages("docs/start/backend.md")).toEqual(["js", "js"]);
  expect(languages("docs/going-to-production.md")).toEqual(["js", "sh", "js"]);
  expect(languages("docs/api-changes.md")).toEqual([]);
});

test("[O9] lines that install name the files that npm run build:packages makes", () => {
  const files = [`soundferry-client-${VERSION}.tgz`, `soundferry-${VERSION}-py3-none-any.whl`];
  const named = ["browser", "node", "python"].flatMap((page) =>
    codeOf(`docs/start/${page}.md`, "sh").flatMap((line) =>
      [...line.matchAll(/dist\/packages\/(\S+)/g)].map(([, file = ""]) => file),
    ),
  );
  expect(named.filter((file) => !files.includes(file))).toEqual([]);
  expect(new Set(named).size).toBe(2);
});

test("[K16][O9] the outcomes of --pretend are on the page", () => {
  const page = readPages().find(({ path }) => path === "docs/going-to-production.md");
  const rows = [...(page?.prose ?? "").matchAll(/^\| `([a-z][a-z-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual([...OUTCOMES]);
  expect(codeOf("docs/going-to-production.md", "sh")[0]).toContain("--pretend partial");
});

describe("without a browser", () => {
  test("[O9] the Node page's example sends a sound that is imported", async () => {
    const folder = await appFolder();
    const [program = ""] = codeOf("docs/start/node.md", "js");
    expect(await runInNode(folder, program)).toContain("imported");
  });

  test("[O9] the server page's example sends a job, and resumes it", async () => {
    const folder = await appFolder();
    const wav = 'const wav = (await import("node:fs")).readFileSync("beat.wav");\n';
    const program = wav + codeOf("docs/start/backend.md", "js").join("\n");
    expect(await runInNode(folder, program)).toContain("imported");
    const again = `${program}
      console.log("again", (await sendJob(client, { id: 7, name: "Rendered", bpm: 120, wav })) === packageId);`;
    expect(await runInNode(folder, again)).toContain("again true");
  });

  test("[O9] errors are explained as the page on production shows", async () => {
    const folder = await appFolder();
    const [, explain = ""] = codeOf("docs/going-to-production.md", "js");
    const program = `${explain}
      console.log(explain(new ClientError("The relay is full.")));
      console.log(explain(new ClientError("No.", { status: 401 })));`;
    expect(await runInNode(folder, program)).toBe("The relay is full.\nPair again.\n");
  });

  test("[O9] the Python page's examples send a sound that is imported", async () => {
    const folder = await appFolder();
    const [program = ""] = codeOf("docs/start/python.md", "python");
    await writeFile(join(folder, "app.py"), program);
    const [, , commands = ""] = codeOf("docs/start/python.md", "sh");
    const env = { ...process.env, HOME: folder, PYTHONPATH: join(ROOT, "python") };
    const options = { cwd: folder, env, timeout: 60_000 };
    expect((await run("python3", ["app.py"], options)).stdout).toContain("imported");
    const { stdout } = await run("bash", ["-euc", commands], options);
    expect(stdout).toContain("imported");
  });
});

describeInBrowser("in a page of another origin", () => {
  const browser = useBrowser();

  /** A page with this HTML, and `wavBlob` as the app's sound. */
  async function pageWith(html: string, path = "/"): Promise<BrowserPage> {
    const site = createServer((_request, answer) =>
      answer.setHeader("content-type", "text/html").end(html),
    ).listen(0, "127.0.0.1");
    onTestFinished(() => site.close() && undefined);
    await once(site, "listening");
    const { port } = site.address() as AddressInfo;
    const wav = WAV.toString("base64");
    const before = `globalThis.wavBlob = new Blob([Uint8Array.from(atob("${wav}"), (one) => one.charCodeAt(0))]);`;
    return browser.open(`http://127.0.0.1:${port}${path}`, { before });
  }

  async function logOf(page: BrowserPage, program: string): Promise<string[]> {
    const lines: string[] = [];
    page.on("console", (message) => lines.push(message.text()));
    await page.addScriptTag({ type: "module", content: program });
    return lines;
  }

  test("[O9] ten lines make a page that pairs and sends what the app gives it", async () => {
    const [html = ""] = codeOf("docs/start/browser.md", "html");
    const [give = ""] = codeOf("docs/start/browser.md", "js");
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

  test("[O9] the client's example sends a sound that is imported", async () => {
    const [, program = ""] = codeOf("docs/start/browser.md", "js");
    const lines = await logOf(await pageWith("<!doctype html><title>Looper</title>"), program);
    await soon(() => lines.join("\n")).toContain("imported");
  });

  test("[O8] so does the example of /llms.txt, and its links lead somewhere", async () => {
    const text = await (await fetch(`${soundferry.relayUrl}/llms.txt`)).text();
    const [, example = ""] = /```js\n(.*?)```/s.exec(text) ?? [];
    const program = withRelay(example).replace("./client.js", `${soundferry.relayUrl}/client.js`);
    const lines = await logOf(await pageWith("<!doctype html><title>Looper</title>"), program);
    await soon(() => lines.join("\n")).toContain("imported");
    const links = new Set([...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = ""]) => link));
    expect(links.size).toBeGreaterThan(4);
    for (const link of links) {
      const { status } = await fetch(new URL(link, `${soundferry.relayUrl}/`));
      expect([link, status]).toEqual([link, 200]);
    }
  });

  test("[O9] a code after # is read and taken out of the address", async () => {
    const [program = ""] = codeOf("docs/going-to-production.md", "js");
    const page = await pageWith("<!doctype html><title>Looper</title>", "/app#code=K7MQ2X");
    const lines = await logOf(page, program);
    await soon(() => lines).toContain("Pair with K7MQ2X?");
    expect(page.url()).not.toContain("#");
  });

  test("[O9] the paths of tsconfig.json name files that a relay serves", async () => {
    const [text = "{}"] = codeOf("docs/start/browser.md", "json");
    const { paths } = JSON.parse(text).compilerOptions;
    const [[script = "", [types = ""]] = ["", [""]]] = Object.entries<string[]>(paths);
    expect((await fetch(script)).status).toBe(200);
    const served = new URL(types.replace("./types/", ""), `${soundferry.relayUrl}/`);
    expect((await fetch(served)).status).toBe(200);
  });
});
