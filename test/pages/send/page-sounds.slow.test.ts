import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aiff } from "../../core/audio/aiff-bytes.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { smallWav } from "../../wav-bytes.ts";
import { flacOf } from "../../client/audio/flac-of.ts";
import {
  chooseFiles,
  field,
  FIXTURES,
  openerOfWidePages,
  pairedPage,
  rowNames,
  rowOf,
  sendOnPage,
  settleQuestions,
  sentManifest,
} from "./page-at-work.ts";
import { acidBody, chosen, withChunk, addFiles } from "./test-sounds.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
const wideOpen = openerOfWidePages(browser);

/** Elements that stick out beyond the right edge. */
const STICKS_OUT = `[...document.querySelectorAll("body, .pane, .clip-row, .clip-state, button, input, select")]
  .filter((element) => element.checkVisibility() && element.closest(".unseen") === null)
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 200))`;

describeInBrowser("sounds on the relay's page (needs Chromium)", () => {
  test("[G3] believes what a file claims only if its length agrees", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const wav = smallWav({ frames: 44_100 * 3 + 7 });
    const tempo = (13 * 60 * 44_100) / (44_100 * 3 + 7);
    await addFiles(
      page,
      chosen("honest.wav", withChunk(wav, "acid", acidBody(13, tempo))),
      chosen("lying.wav", withChunk(wav, "acid", acidBody(16, tempo))),
    );
    await soon(() => rowOf(page, "Honest").locator(".clip-beats").innerText()).toBe("13");
    await page.getByRole("group", { name: "1 sound: loop or one-shot? Lying" }).waitFor();
    await settleQuestions(page);
    await sendOnPage(page);
    const { items } = await sentManifest(importer);
    expect(items.map(({ kind, length_beats: beats }) => [kind, beats])).toEqual([
      ["loop", 13],
      ["oneshot", undefined],
    ]);
  });

  test("[G3] shows an invalid number at its field, and Send moves the focus there", async () => {
    const { page } = await pairedPage(wideOpen);
    await chooseFiles(page, "one-shot-kit/rim.wav", "one-shot-kit/clap-room.wav");
    await rowOf(page, "Rim").click();
    await field(page, "Gain in dB").fill("loud");
    await page.getByText("A gain is a number of dB from −70 to 24.").waitFor();
    await rowOf(page, "Clap Room").click();
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await soon(() => page.evaluate("document.activeElement.id")).toBe("sound-gain");
    await soon(() => field(page, "Name").inputValue()).toBe("Rim");
    await soon(() => page.getByRole("progressbar").count()).toBe(0);
  });

  test("[G4] names files that the relay would refuse before anything is sent", async () => {
    const { relay, page } = await pairedPage(wideOpen);
    const cut = await readFile(join(FIXTURES, "one-shot-kit", "rim.wav"));
    await addFiles(
      page,
      chosen("cut.wav", cut.subarray(0, cut.length - 100)),
      chosen("six.wav", smallWav({ channels: 6 })),
      chosen("empty.wav", Buffer.alloc(0)),
      chosen("notes.txt", Buffer.from("no sound"), "text/plain"),
      chosen("good.wav", cut),
    );
    await page.getByRole("button", { name: "4 files can’t be sent" }).click();
    for (const name of ["cut.wav", "six.wav", "empty.wav", "notes.txt"]) {
      await soon(() => page.locator(".refused li", { hasText: name }).count()).toBe(1);
    }
    await rowOf(page, "Good").waitFor();
    expect(relay.logLines.join("")).not.toContain('"path":"/packages"');
    await page.getByRole("button", { name: "Dismiss" }).click();
    await soon(() => page.evaluate("document.activeElement.id")).toBe("add-sounds");
  });

  test("[G4] takes what is dropped anywhere on the page, up to 128 sounds", async () => {
    const { page } = await pairedPage(wideOpen);
    await page.evaluate(`(() => {
      const bytes = new Uint8Array(${JSON.stringify([...smallWav()])});
      const dropped = new DataTransfer();
      for (let n = 129; n > 0; n -= 1) dropped.items.add(new File([bytes], "hit " + n + ".wav"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole("button", { name: "1 file can’t be sent" }).click();
    await page
      .getByText("hit 129.wav doesn’t fit: at most 128 sounds can be sent at once.")
      .waitFor();
    await soon(async () => (await rowNames(page))[0]).toBe("Hit 1");
  });

  test("[G7] other audio becomes a WAV of 24 bits at its own sample rate, and a note says so", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const samples = Int16Array.from({ length: 32_000 }, (_, at) => 9000 * Math.sin(at / 12));
    await addFiles(page, chosen("tone.flac", flacOf(samples, 32_000), "audio/flac"));
    await rowOf(page, "Tone").click();
    await page.getByText("Converted from FLAC to WAV: 24 bits, 32 kHz.").waitFor();
    await settleQuestions(page);
    await sendOnPage(page);
    expect((await sentManifest(importer)).items).toMatchObject([
      { name: "Tone", bytes: 44 + 32_000 * 3 },
    ]);
  });

  test("[G7] an AIFF becomes a WAV with the same samples", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    await addFiles(page, chosen("tone.aif", aiff({ frames: 1000, bits: 24 }), "audio/aiff"));
    await rowOf(page, "Tone").click();
    await page.getByText("Converted from AIFF to WAV: 24 bits, 44.1 kHz.").waitFor();
    await sendOnPage(page);
    expect((await sentManifest(importer)).items).toMatchObject([
      { name: "Tone", bytes: 44 + 1000 * 3 },
    ]);
  });

  test("[G17] a WAV that relays refuse is repaired, with its samples and its loop, and a note says how", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const beats = withChunk(smallWav({ frames: 44_100 * 2, fill: 7 }), "acid", acidBody(4, 120));
    const tag = Buffer.from("ID3\x03\0\0\0\0\0\x02\0\0", "latin1");
    const streamed = smallWav({ fill: 7, sampleRateHz: 24_000 });
    streamed.writeUInt32LE(0xffff_ffff, 40);
    await addFiles(
      page,
      chosen("tagged.wav", Buffer.concat([tag, beats])),
      chosen("voice.wav", streamed),
    );
    await rowOf(page, "Tagged").getByText("Note", { exact: true }).waitFor();
    await rowOf(page, "Tagged").click();
    await page.getByText("An ID3 tag in front of it was removed.").waitFor();
    await rowOf(page, "Voice").click();
    await page.getByText("Its header had no length (it was streamed)").waitFor();
    await sendOnPage(page);
    expect((await sentManifest(importer)).items).toMatchObject([
      { name: "Tagged", kind: "loop", length_beats: 4, bytes: beats.length },
      { name: "Voice", kind: "oneshot", bytes: 244 },
    ]);
  });

  test("[G9] nothing sticks out at any width, with names of every length and script", async () => {
    const { page } = await pairedPage(browser.open);
    const names = ["W".repeat(60), "مقام الراست", "夜のバス".repeat(12), "🎹".repeat(20)];
    await addFiles(
      page,
      ...names.map((name) => chosen(`${name}.wav`, smallWav())),
      chosen(`${"x".repeat(150)}.txt`, Buffer.from("no sound"), "text/plain"),
    );
    await page.getByRole("button", { name: "1 file can’t be sent" }).waitFor();
    await rowOf(page, "مقام الراست").click();
    for (const width of [360, 480, 760, 1200]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate(STICKS_OUT)).toEqual([]);
    }
  });
});
