import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { FIXTURES } from "../send/page-at-work.ts";
import { RECORD_SOURCES, type StartedSource } from "../kit/playback/warp-page.ts";
import { packageBar, receivingPage, relayWithReceive, sendFixture } from "./receive-at-work.ts";

const browser = useBrowser();
const KIT = "one-shot-kit";

/** The browser's question for a folder, answered with one in the page's private files. */
const PICKER = `
window.showDirectoryPicker = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle("Samples", { create: true });`;

/** The files below the picked folder, by path, with their sizes. */
const picked = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(`(async () => {
    const files = {};
    const walk = async (folder, path) => {
      for await (const [name, one] of folder.entries()) {
        if (one.kind === "directory") await walk(one, path + name + "/");
        else files[path + name] = (await one.getFile()).size;
      }
    };
    const root = await navigator.storage.getDirectory();
    await walk(await root.getDirectoryHandle("Samples"), "");
    return files;
  })()`);

const soundFiles = async (name: string): Promise<readonly Uint8Array[]> => {
  const manifest = JSON.parse(await readFile(join(FIXTURES, name, "manifest.json"), "utf8"));
  return Promise.all(
    manifest.items.map(({ file }: { readonly file: string }) =>
      readFile(join(FIXTURES, name, file)),
    ),
  );
};

describeInBrowser("a browser that receives from a real relay (needs Chromium)", () => {
  test("[RC20] [RC21] opening the page loads one file, and registers nothing", async () => {
    const relay = await relayWithReceive();
    const page = await browser.open("about:blank");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${relay.url}/receive`);
    await page.getByRole("button", { name: "Receive", exact: true }).waitFor();
    expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([`${relay.url}/receive`]);
    expect(
      await page.evaluate(
        "navigator.storage.getDirectory().then((root) => Array.fromAsync(root.keys()))",
      ),
    ).toEqual([]);
  });

  test("[RC23] [RC24] what an app sends is heard, chosen and saved as a ZIP, and the app learns it", async () => {
    const receiving = await receivingPage(browser);
    const { page, relay, token } = receiving;
    const packageId = await sendFixture(receiving, KIT);
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await packageBar(page).getByRole("button", { name: "Play all" }).click();
    await packageBar(page).getByRole("button", { name: "Stop" }).click();
    await page.getByRole("checkbox", { name: /Clap/ }).uncheck();
    const saving = page.waitForEvent("download");
    await packageBar(page).getByRole("button", { name: "Import 9 of 10" }).click();
    await page.getByRole("button", { name: "Save as ZIP" }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe("Kitchen Kit.zip");
    const files = unzipSync(await readFile(await download.path()));
    const names = Object.keys(files);
    expect(names.every((name) => name.startsWith("Kitchen Kit/"))).toBe(true);
    expect(names).toContain("Kitchen Kit/manifest.json");
    expect(names).toContain("Kitchen Kit/Kitchen Kit.dawproject");
    const wavs = names.filter((name) => name.endsWith(".wav"));
    expect(wavs).toHaveLength(9);
    const sent = (await soundFiles(KIT)).map((bytes) => Buffer.from(bytes).toString("base64"));
    for (const name of wavs) {
      expect(sent).toContain(Buffer.from(files[name] ?? []).toString("base64"));
    }
    await soon(async () => (await relay.status(token, packageId)).status).toBe("partial");
    const { results } = await relay.status(token, packageId);
    const all = Object.values(results ?? {});
    const imported = all.filter(({ status }) => status === "imported");
    expect(imported).toHaveLength(9);
    expect(imported.every(({ notes }) => notes?.includes(SAVED_AS_FILES))).toBe(true);
    expect(all.filter(({ status }) => status === "skipped")).toHaveLength(1);
    await packageBar(page).getByText("in ZIP → Kitchen Kit.").waitFor();
    const again = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the ZIP again: Kitchen Kit" }).click();
    expect(await readFile(await (await again).path())).toEqual(
      await readFile(await download.path()),
    );
  });

  test("[RC20] [N10] loops at 90, 126 and 174 BPM play in sync, warped by the relay's own module", async () => {
    const receiving = await receivingPage(browser, RECORD_SOURCES);
    const { page } = receiving;
    await sendFixture(receiving, "drum-loops-90-126-174");
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await packageBar(page).getByRole("button", { name: "Play all" }).click();
    const started = () => page.evaluate<readonly StartedSource[]>("started");
    await soon(async () => new Set((await started()).map(({ buffer }) => buffer)).size).toBe(3);
    const eightBeats = Math.round((8 * 60 * 48_000) / 90);
    expect((await started()).every(({ frames }) => frames === eightBeats)).toBe(true);
    expect((await started()).every(({ rate }) => rate === 1)).toBe(true);
  });

  test("[RC23] an import goes into the chosen folder, the next one at once", async () => {
    const receiving = await receivingPage(browser, PICKER);
    const { page, relay, token } = receiving;
    const first = await sendFixture(receiving, KIT);
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await packageBar(page).getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("button", { name: "Choose a folder" }).click();
    await soon(async () => (await relay.status(token, first)).status).toBe("imported");
    const second = await sendFixture(receiving, "bass-lines");
    await page.getByRole("button", { name: "Import: Below the Floorboards" }).click();
    await soon(async () => (await relay.status(token, second)).status).toBe("imported");
    const files = Object.entries(await picked(page));
    const sizes = files.filter(([path]) => path.endsWith(".wav")).map(([, size]) => size);
    const sent = [...(await soundFiles(KIT)), ...(await soundFiles("bass-lines"))];
    const bySize = (a: number, b: number) => a - b;
    expect(sizes.toSorted(bySize)).toEqual(sent.map(({ length }) => length).toSorted(bySize));
    expect(files.filter(([path]) => path.endsWith("/manifest.json"))).toHaveLength(2);
    expect(files.filter(([path]) => path.endsWith(".dawproject"))).toHaveLength(2);
    expect(await page.locator(".host").innerText()).toBe("Saves into Samples");
    await page.getByRole("row", { name: /^Kitchen Kit/ }).click();
    await packageBar(page).getByText("Saved in Samples → Kitchen Kit.").waitFor();
  });

  test("[RC26] another tab says that one receives, and takes over", async () => {
    const { page } = await receivingPage(browser);
    const opening = page.waitForEvent("popup");
    await page.evaluate(`void window.open("/receive", "_blank", "noopener")`);
    const other = await opening;
    onTestFinished(() => other.close());
    await other.getByRole("heading", { name: "Another tab is receiving" }).waitFor();
    await other.getByRole("button", { name: "Receive here instead" }).click();
    await other.getByText("Connected to http").waitFor();
    await page.getByRole("heading", { name: "Another tab is receiving" }).waitFor();
  });

  test("[RC25] a forgotten browser leaves nothing at the relay and nothing here", async () => {
    const receiving = await receivingPage(browser);
    const { page, relay, token } = receiving;
    await sendFixture(receiving, KIT);
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Forget this browser" }).click();
    await page.getByRole("button", { name: "Forget this browser" }).click();
    await page.getByRole("button", { name: "Receive", exact: true }).waitFor();
    expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
    await page.reload();
    await page.getByRole("button", { name: "Receive", exact: true }).waitFor();
    const left = await page.evaluate(`(async () => {
      const root = await navigator.storage.getDirectory();
      return [await Array.fromAsync(root.keys()), { ...localStorage }, { ...sessionStorage }];
    })()`);
    expect(left).toEqual([[], {}, {}]);
  });

  test("[RC25] while the relay is away, a browser is forgotten here alone", async () => {
    const { page, relay } = await receivingPage(browser);
    await relay.stop();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Forget this browser" }).click();
    await page.getByRole("button", { name: "Forget this browser" }).click();
    await page.locator(".kept").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Forget only here" }).click();
    await page.getByRole("button", { name: "Receive", exact: true }).waitFor();
    await soon(() => page.evaluate("indexedDB.databases()")).toEqual([]);
  });

  test("[RC21] a relay that registers by key asks for one", async () => {
    const relay = await relayWithReceive({
      SOUNDFERRY_REGISTRATION: "key",
      SOUNDFERRY_REGISTRATION_KEY: "sesame",
    });
    const page = await browser.open(`${relay.url}/receive`);
    await page.getByRole("button", { name: "Receive", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Registration key").fill("sesame");
    await page.getByLabel("Registration key").press("Enter");
    await page.getByRole("img", { name: /^Pairing code/ }).waitFor();
  });

  test("[RC22] over plain http to another computer it says that it can't receive", async () => {
    const relay = await relayWithReceive({ SOUNDFERRY_ALLOWED_HOSTS: "relay.example" });
    const page = await browser.open(`${relay.url.replace("127.0.0.1", "relay.example")}/receive`);
    await page.getByText("On a plain http address").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });
});
