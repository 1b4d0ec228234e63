import { servePage } from "../../serve-page.ts";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeClientPackage } from "../../../scripts/client/client-package.ts";
import { writeReactPackage } from "../../../scripts/client/react-package.ts";
import { computerAt, relayWithPage, sentManifest } from "../../pages/send/page-at-work.ts";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The packages that the example needs besides Soundferry's; this checkout has them. */
const OTHERS = ["react", "react-dom", "@types/react", "@types/react-dom", "csstype", "scheduler"];

const browser = useBrowser();
let work = "";
let built = "";
afterAll(() => rm(work, { recursive: true, force: true }));

/** The example with its packages as users have them, built. */
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "soundferry-vite-"));
  const folder = join(work, "vite");
  await cp(join(ROOT, "docs/examples/vite"), folder, { recursive: true });
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@soundferry"), { recursive: true });
  await writeClientPackage(join(modules, "@soundferry/client"));
  await writeReactPackage(join(modules, "@soundferry/react"));
  for (const name of OTHERS) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(modules, name));
  }
  const program = (path: string, ...words: string[]): void => {
    const all = [join(ROOT, "node_modules", path), ...words];
    execFileSync(process.execPath, all, { cwd: folder, stdio: "pipe" });
  };
  program("typescript/bin/tsc", "-p", ".");
  program("vite/bin/vite.js", "build", "--logLevel", "warn");
  built = join(folder, "dist");
}, 300_000);

/** Serves the built files. */
async function serve(): Promise<string> {
  const assets = await readdir(join(built, "assets"));
  return servePage((request, response) => {
    const name = assets.find((asset) => request.url?.endsWith(`/${asset}`));
    const path = name === undefined ? "index.html" : `assets/${name}`;
    response.setHeader("Content-Type", name === undefined ? "text/html" : "text/javascript");
    void readFile(join(built, path)).then((bytes) => response.end(bytes));
  });
}

describeInBrowser("docs/examples/vite (needs Chromium)", () => {
  test("[W38] built with Vite from the packages, it makes a loop, sends it and hears of the result", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(`${await serve()}?relay=${encodeURIComponent(relay.url)}`);
    await page.getByRole("textbox", { name: "Pairing code" }).fill(await code());
    await page.getByRole("button", { name: "Pair", exact: true }).click();
    await page.getByRole("button", { name: "To Studio" }).waitFor();
    await page.getByRole("button", { name: "Make 220 Hz" }).click();
    await page.getByRole("listitem").waitFor();
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    expect(await sentManifest(importer)).toMatchObject({ title: "Beeps", source: { app: "Beep" } });
    await importer.importAll();
    await page.getByText("The last package is imported.").waitFor();
  });
});
