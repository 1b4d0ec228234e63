import { Buffer } from "node:buffer";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { smallWav } from "../../wav-bytes.ts";
import { dropOnPage, chosen, wavOnDisk, addFiles } from "./test-sounds.ts";
import {
  openerOfWidePages,
  pairedPage,
  relayWithPage,
  rowNames,
  rowOf,
  sendOnPage,
  settleQuestions,
  sentManifest,
} from "./page-at-work.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
const wideOpen = openerOfWidePages(browser);

/** A folder on the disk with files of these names; those that end in `.wav` are WAVs. */
async function folderOf(...names: readonly string[]): Promise<string> {
  const folder = join(await temporaryFolder(), "Kit");
  for (const name of names) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), name.endsWith(".wav") ? smallWav() : "no sound");
  }
  return folder;
}

describeInBrowser("real files on the relay's page (needs Chromium)", () => {
  test("[G4] adds the sounds of a dropped folder and its subfolders, in order", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const folder = await folderOf(
      "Hit 10.wav",
      "Hit 9.wav",
      "cover.jpg",
      ".hidden.wav",
      "More/Deep/Ünïcode & co.wav",
    );
    await dropOnPage(page, folder, await wavOnDisk("Single.wav", 2000));
    await soon(() => rowNames(page)).toEqual(["Hit 9", "Hit 10", "Ünïcode & Co", "Single"]);
    await soon(() => page.getByText("can’t be sent").count()).toBe(0);
    await sendOnPage(page);
    expect((await sentManifest(importer)).items.map(({ name }) => name)).toContain("Ünïcode & Co");
    await importer.importAll();
    await page.getByText("All 4 sounds imported", { exact: true }).first().waitFor();
  });

  test("[G4] names what the browser can't open, and adds the rest of what was dropped", async () => {
    const relay = await relayWithPage();
    const page = await browser.open(relay.url);
    await page.evaluate(`(() => {
      const { webkitGetAsEntry } = DataTransferItem.prototype;
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        const entry = webkitGetAsEntry.call(this);
        if (entry.name !== "locked.wav") return entry;
        const file = (_, reject) => reject(new DOMException("", "NotReadableError"));
        return { name: entry.name, isFile: true, isDirectory: false, file };
      };
    })()`);
    const names = ["locked.wav", "open.wav"];
    const folder = await folderOf(...names);
    await dropOnPage(page, ...names.map((name) => join(folder, name)));
    await page.getByText("1 sound added. 1 file can’t be sent").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "1 file can’t be sent" }).click();
    await page.getByText("locked.wav can't be read.").waitFor();
  });

  test("[G4] reports the excess sounds of a large folder in one sentence", async () => {
    const relay = await relayWithPage();
    const page = await browser.open(relay.url);
    const folder = await folderOf(
      ...Array.from({ length: 100 }, (_, index) => `Hit ${index + 1}.wav`),
    );
    await dropOnPage(page, folder);
    await page.getByText("32 sounds added. 68 files can’t be sent").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await soon(() => page.getByRole("grid", { name: "Sounds" }).getAttribute("aria-rowcount")).toBe(
      "33",
    );
    await page.getByRole("button", { name: "68 files can’t be sent" }).click();
    await page
      .getByText("Hit 33.wav and 67 more don’t fit: a package can have 32 sounds.")
      .waitFor();
  });

  test("[G4] names a file that was removed before it is played or sent", async () => {
    const { page } = await pairedPage(wideOpen);
    const path = await wavOnDisk("gone.wav", 2000);
    await dropOnPage(page, path);
    await rowOf(page, "Gone").waitFor();
    await rm(path);
    const sentence = "Gone can't be read any more; its file was changed or removed.";
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByRole("status").getByText(sentence).waitFor();
    await rowOf(page, "Gone").waitFor();
  });

  test("[G7] an MP3 becomes a WAV, with a warning that loops of it are inexact", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    // 128 kbit/s, 44.1 kHz, stereo; a frame with nothing in it is silent.
    const frame = Buffer.alloc(417);
    frame.set([0xff, 0xfb, 0x90, 0]);
    const mp3 = Buffer.concat(Array.from({ length: 100 }, () => frame));
    await addFiles(page, chosen("quiet.mp3", mp3, "audio/mpeg"));
    await rowOf(page, "Quiet").click();
    await page.getByText("Converted from MP3 to WAV: 24 bits, 44.1 kHz.").waitFor();
    await page.getByText("MP3 adds silence around a sound, so a loop won’t be exact.").waitFor();
    await settleQuestions(page);
    await sendOnPage(page);
    expect((await sentManifest(importer)).items).toMatchObject([{ name: "Quiet" }]);
  });

  test.each([
    ["audio/webm;codecs=opus", "take.webm", "WebM"],
    ["audio/mp4;codecs=opus", "take.m4a", "Opus"],
  ])("[G7] what a browser has recorded as %s becomes a WAV of 48 kHz", async (type, name, kind) => {
    const relay = await relayWithPage();
    const page = await wideOpen(relay.url);
    await page.getByRole("button", { name: "Close" }).click();
    const base64: string = await page.evaluate(`new Promise((resolve, reject) => {
      const context = new AudioContext();
      const oscillator = new OscillatorNode(context);
      const line = new MediaStreamAudioDestinationNode(context);
      oscillator.connect(line);
      oscillator.start();
      const recorder = new MediaRecorder(line.stream, { mimeType: "${type}" });
      const parts = [];
      recorder.ondataavailable = ({ data }) => {
        parts.push(data);
        if (parts.length === 3) recorder.stop();
      };
      recorder.onerror = reject;
      recorder.onstop = () => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.split(",")[1]);
        reader.readAsDataURL(new Blob(parts));
      };
      recorder.start(100);
    })`);
    await addFiles(page, chosen(name, Buffer.from(base64, "base64"), type));
    await rowOf(page, "Take").click();
    await page.getByText(`Converted from ${kind} to WAV: 24 bits, 48 kHz`).waitFor();
    await soon(() => page.getByText("adds silence around").count()).toBe(0);
  });
});
