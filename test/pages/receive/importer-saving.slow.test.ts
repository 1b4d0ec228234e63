import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import { receivingAt, relayWithImporter, sendSounds, tabs } from "./importer-page.ts";

/** The first is the larger one, so that it comes last. */
const SOUNDS = {
  "a.wav": smallWav({ frames: 2_000_000, fill: 1 }),
  "b.wav": smallWav({ frames: 4410, fill: 2 }),
};
const FIELDS = [{ name: "Kick" }, { name: "kick", kind: "loop", bpm: 120 }];

async function receiving(place: "zip" | "folder") {
  const relay = await relayWithImporter();
  const page = await (await tabs())(`${relay.url}/receive`);
  return { relay, page, ...(await receivingAt(page, relay, place)) };
}

/** Saves the newest ZIP as a person does; returns its files by path. */
async function savedZip(page: Page): Promise<Record<string, Uint8Array>> {
  const saving = page.waitForEvent("download");
  await page.evaluate(`(() => {
    const [{ url, fileName }] = importer.view.zips;
    Object.assign(document.createElement("a"), { href: url, download: fileName }).click();
  })()`);
  return unzipSync(await readFile(await (await saving).path()));
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describeInBrowser("what an importer in a browser saves (needs Chromium)", () => {
  test("[RC1][RC7][RC11] a ZIP has a package's sounds, manifest, project and Live Set", async () => {
    const { relay, page, importer, token } = await receiving("zip");
    await importer.run("importer.writeLiveSets(true)");
    const packageId = await sendSounds(relay, token, SOUNDS, { title: "My Kit" }, FIELDS);
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.finished.length === 1 && state.runs.length === 0");
    const files = await savedZip(page);
    expect(Object.keys(files)).toEqual([
      "My Kit/Kick.wav",
      "My Kit/kick 2.wav",
      "My Kit/My Kit.dawproject",
      "My Kit/manifest.json",
      "My Kit/My Kit Project/My Kit.als",
      "My Kit/My Kit Project/Ableton Project Info/",
    ]);
    expect(Buffer.from(files["My Kit/Kick.wav"] ?? [])).toEqual(SOUNDS["a.wav"]);
    expect(Buffer.from(files["My Kit/kick 2.wav"] ?? [])).toEqual(SOUNDS["b.wav"]);
    const saved: unknown = JSON.parse(textOf(files["My Kit/manifest.json"]));
    const { manifest } = parseManifest(saved, { packageId });
    expect(manifest.items.map(({ file }) => file)).toEqual(["Kick.wav", "kick 2.wav"]);
    const project = unzipSync(files["My Kit/My Kit.dawproject"] ?? new Uint8Array());
    expect(textOf(project["project.xml"])).toContain('path="Kick.wav"');
    const set = gunzipSync(files["My Kit/My Kit Project/My Kit.als"] ?? new Uint8Array());
    expect(set.toString()).toContain("../kick 2.wav");
  });

  test("[RC7] without the tick there is no Live Set, and a chosen sound alone is a whole package", async () => {
    const { relay, page, importer, token } = await receiving("zip");
    const packageId = await sendSounds(relay, token, SOUNDS, {}, FIELDS);
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId, soundIds: ["2"] });
    await importer.stateIs("(state) => state.finished.length === 1 && state.runs.length === 0");
    const files = await savedZip(page);
    expect(Object.keys(files)).toEqual(["Kit/kick.wav", "Kit/Kit.dawproject", "Kit/manifest.json"]);
    const { results } = await relay.status(token, packageId);
    expect(results?.["1"]).toEqual({ status: "skipped", error: "Not selected in Live." });
  });

  test("[RC8] a folder keeps what a person changed, and gets the rest of a package later", async () => {
    const { relay, importer, token } = await receiving("folder");
    const packageId = await sendSounds(relay, token, SOUNDS, {}, FIELDS);
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId, soundIds: ["1"] });
    await importer.stateIs("(state) => state.finished.length === 1 && state.runs.length === 0");
    await importer.run(`(async () => {
      const root = await navigator.storage.getDirectory();
      const kit = await (await root.getDirectoryHandle("Samples")).getDirectoryHandle("Kit");
      const writable = await (await kit.getFileHandle("manifest.json")).createWritable();
      await writable.write("mine");
      await writable.close();
    })()`);
    await importer.stateIs("(state) => state.packages[0]?.results !== null");
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.packages[0]?.status === 'imported'");
    const files = await importer.filesIn();
    expect(files["Kit/manifest.json"]).toBe(4);
    expect(Object.keys(files).toSorted()).toEqual([
      "Kit/.soundferry.json",
      "Kit/Kick.wav",
      "Kit/Kit.dawproject",
      "Kit/kick 2.wav",
      "Kit/manifest.json",
    ]);
    const { results } = await relay.status(token, packageId);
    expect(Object.values(results ?? {}).map(({ path }) => path)).toEqual([
      "Kit/Kick.wav",
      "Kit/kick 2.wav",
    ]);
  });

  test("[RC8] a folder that shows other things gets one of our own", async () => {
    const { relay, importer, token } = await receiving("folder");
    await importer.run(`navigator.storage.getDirectory()
      .then((root) => root.getDirectoryHandle("Samples"))
      .then((samples) => samples.getFileHandle("mine.txt", { create: true }))`);
    const packageId = await sendSounds(relay, token, { "a.wav": smallWav() });
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.finished.length === 1 && state.runs.length === 0");
    expect(Object.keys(await importer.filesIn())).toContain("Soundferry/Kit/a.wav");
  });

  test("[RC5] what was downloaded goes once it is in the folder", async () => {
    const { relay, importer, token } = await receiving("folder");
    const packageId = await sendSounds(relay, token, { "a.wav": smallWav() });
    await importer.stateIs("(state) => state.packages.length === 1");
    await importer.send("beginRun", { packageId });
    await importer.stateIs("(state) => state.finished.length === 1 && state.runs.length === 0");
    expect(await importer.filesIn("soundferry-receive")).toEqual({});
  });
});
