import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import { LARGE, receivingAt, relayWithImporter, sendSounds, tabs } from "./importer-page.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";

async function receiving(place: "zip" | "folder" = "folder") {
  const relay = await relayWithImporter();
  const page = await (await tabs())(`${relay.url}/receive`);
  return { relay, page, ...(await receivingAt(page, relay, place)) };
}

/** The file of a sound on the relay's disk that has this size. */
async function storedFile({ folder }: RunningRelay, bytes: number): Promise<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await stat(path)).size === bytes) return path;
  }
  throw new Error("There is no such file.");
}

/** Has the browser say that it has so much room. Chromium itself names 10 GB, whatever is there. */
const limitRoom = (page: Page, quota: number) =>
  page.evaluate(`navigator.storage.estimate = async () => ({ quota: ${quota}, usage: 0 })`);

describeInBrowser("trouble of an importer in a browser (needs Chromium)", () => {
  test("[RC5] a sound with other bytes than announced is left out, and the rest is saved", async () => {
    const { relay, importer, token } = await receiving();
    const sounds = { "good.wav": smallWav({ fill: 1 }), "bad.wav": smallWav({ frames: 300 }) };
    const packageId = await sendSounds(relay, token, sounds);
    const other = smallWav({ frames: 300, fill: 9 });
    await writeFile(await storedFile(relay, other.byteLength), other);
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId });
    await soon(async () => (await relay.status(token, packageId)).status).toBe("partial");
    const { results } = await relay.status(token, packageId);
    expect(results?.["1"]).toMatchObject({ status: "imported", path: "Kit/good.wav" });
    expect(results?.["2"]).toMatchObject({
      status: "skipped",
      error: expect.stringContaining("bad.wav"),
    });
    expect(Object.keys(await importer.filesIn())).not.toContain("Kit/bad.wav");
  });

  test("[RC8] names from apps lead nowhere else and never clash", async () => {
    const { relay, importer, token } = await receiving();
    const sounds = { "a.wav": smallWav({ fill: 1 }), "b.wav": smallWav({ fill: 2 }) };
    const items = ["NUL", "nul"].map((name) => ({ name }));
    const packageId = await sendSounds(relay, token, sounds, { title: "..\\..CON/../x" }, items);
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.finished.length === 1");
    const paths = Object.keys(await importer.filesIn());
    const wavs = paths.filter((path) => path.endsWith(".wav"));
    expect(new Set(wavs.map((path) => path.toLowerCase())).size).toBe(2);
    for (const path of paths) expect(path.split("/")).toHaveLength(2);
    expect(wavs.every((path) => path.includes("/_NUL") || path.includes("/_nul"))).toBe(true);
  });

  test("[RC8] importing again finds the package's folder and doubles nothing", async () => {
    const { relay, importer, token } = await receiving();
    const packageId = await sendSounds(relay, token, { "a.wav": smallWav() });
    const other = await sendSounds(relay, token, { "a.wav": smallWav({ fill: 3 }) });
    await importer.stateIs("(state) => state.packages.length === 2");
    for (const id of [packageId, other, packageId]) {
      await importer.send("beginRun", { packageId: id, again: true });
      await importer.stateIs("(state) => state.runs.length === 0");
    }
    const wavs = Object.keys(await importer.filesIn()).filter((path) => path.endsWith(".wav"));
    expect(wavs.toSorted()).toEqual(["Kit 2/a.wav", "Kit/a.wav"]);
  });

  test("[RC9] an import without room says so, and the next one with room succeeds", async () => {
    const { relay, page, importer, token } = await receiving("zip");
    const packageId = await sendSounds(relay, token, LARGE);
    await importer.stateIs("(state) => state.packages.length === 1");
    await limitRoom(page, 4 * 1024 ** 2);
    await importer.send("beginRun", { packageId });
    const { finished } = await importer.stateIs("(state) => state.finished.length === 1");
    expect(finished[0]?.result).toMatchObject({
      error: expect.stringContaining("no room for 13 MB"),
    });
    expect((await relay.status(token, packageId)).status).toBe("waiting");
    await limitRoom(page, 400 * 1024 ** 2);
    await importer.send("beginRun", { packageId });
    await soon(async () => (await relay.status(token, packageId)).status).toBe("imported");
  });

  test("[RC4][I6] what answers in the relay's place gets and changes nothing", async () => {
    const { page, importer } = await receiving();
    const seen: string[] = [];
    await page.route("**/importer/**", async (route) => {
      seen.push(route.request().method());
      await route.fulfill({ status: 401, json: { error: "Who?", code: "IMPORTER_UNKNOWN" } });
    });
    await importer.run("importer.send('unpair', { pairing_id: 'x' }).catch(() => undefined)");
    const rejected = importer.send("rename", { device_name: "Other" });
    await expect(rejected).rejects.toThrow("Something between this computer and the relay");
    await page.unroute("**/importer/**");
    await importer.send("rename", { device_name: "Other" });
    await importer.stateIs("(state) => state.deviceName === 'Other'");
  });

  test("[RC2] the token is in no address and no log, and only in this browser's database", async () => {
    const { relay, page, importer, token } = await receiving();
    const urls: string[] = [];
    page.on("request", (request) => urls.push(request.url()));
    page.on("websocket", (socket) => urls.push(socket.url()));
    const packageId = await sendSounds(relay, token, { "a.wav": smallWav() });
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.finished.length === 1");
    const own = await importer.run<string>(`new Promise((resolve) => {
      const opening = indexedDB.open("soundferry-receive");
      opening.onsuccess = () => {
        const store = opening.result.transaction(["values"]).objectStore("values");
        store.get("identity").onsuccess = ({ target }) => resolve(target.result.value.token);
      };
    })`);
    expect(own).toMatch(/^sfi_/);
    expect(urls.length).toBeGreaterThan(3);
    expect([...urls, ...relay.logLines].filter((text) => text.includes(own))).toEqual([]);
    expect(await importer.run("JSON.stringify([state, importer.view])")).not.toContain(own);
  });

  test("[RC10] forgetting needs the relay, or is done here alone, and leaves nothing", async () => {
    const { relay, page, importer, token } = await receiving();
    await sendSounds(relay, token, { "a.wav": smallWav() });
    await page.route("**/importer/me", (route) => route.abort());
    const failed = importer.run("importer.forget({ onlyHere: false })");
    await expect(failed).rejects.toThrow("The relay hasn't forgotten this browser.");
    expect(await importer.run("importer.view.stage")).toBe("receiving");
    await importer.run("importer.forget({ onlyHere: true })");
    expect((await relay.call("GET", "/app/me", { token })).status).toBe(200);
    await importer.stageIs("new");
    const left = await importer.run(`(async () => {
      const root = await navigator.storage.getDirectory();
      const databases = await indexedDB.databases();
      return [databases, await Array.fromAsync(root.keys()), { ...localStorage }];
    })()`);
    expect(left).toEqual([[], ["Samples"], {}]);
  });
});
