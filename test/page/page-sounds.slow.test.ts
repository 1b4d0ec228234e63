import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { smallWav } from "../wav-bytes.ts";
import { flacOf } from "./flac-of.ts";
import { chooseFiles, FIXTURES, pairedPage } from "./page-at-work.ts";
import { acidBody, chosen, withChunk } from "./test-sounds.ts";

const browser = useBrowser();

/** What can be seen beyond the right edge. */
const STICKS_OUT = `[...document.querySelectorAll("main *, header *")]
  .filter((element) => element.closest(".unseen") === null)
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 200))`;

describeInBrowser("sounds on the relay's page (needs Chromium)", () => {
  test("[G3] suggests what a file claims if its length agrees, and applies nothing on its own", async () => {
    const { importer, page } = await pairedPage(browser.open);
    const wav = smallWav({ frames: 44_100 * 3 + 7 });
    const tempo = (13 * 60 * 44_100) / (44_100 * 3 + 7);
    await page
      .getByLabel("Sound files")
      .setInputFiles([
        chosen("honest.wav", withChunk(wav, "acid", acidBody(13, tempo))),
        chosen("lying.wav", withChunk(wav, "acid", acidBody(16, tempo))),
      ]);
    await page.getByText("The file says so (ACID), and its length agrees.").waitFor();
    await soon(() => page.getByRole("button", { name: /^Yes, / }).count()).toBe(1);
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    const [waiting] = (await importer.packages()).packages;
    const items = waiting?.manifest.items ?? [];
    expect(items.map(({ kind, bpm, length_beats: beats }) => [kind, bpm, beats])).toEqual([
      ["oneshot", undefined, undefined],
      ["oneshot", undefined, undefined],
    ]);
  });

  test("[G3] shows an invalid number at its field, and Send moves the focus there", async () => {
    const { page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav");
    const gain = page.getByRole("textbox", { name: "Gain, dB of rim" });
    await gain.fill("loud");
    await page.getByText("A gain is a number of dB from −70 to 24.").waitFor();
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await soon(() => page.evaluate("document.activeElement.name")).toBe("sound-1.gain");
    await soon(() => page.getByRole("progressbar").count()).toBe(0);
  });

  test("[G4] names files that the relay would refuse before anything is sent", async () => {
    const { relay, page } = await pairedPage(browser.open);
    const cut = await readFile(join(FIXTURES, "one-shot-kit", "rim.wav"));
    await page
      .getByLabel("Sound files")
      .setInputFiles([
        chosen("cut.wav", cut.subarray(0, cut.length - 100)),
        chosen("six.wav", smallWav({ channels: 6 })),
        chosen("empty.wav", Buffer.alloc(0)),
        chosen("notes.txt", Buffer.from("no sound"), "text/plain"),
        chosen("good.wav", cut),
      ]);
    await page.getByRole("heading", { name: "4 files can’t be sent" }).waitFor();
    for (const name of ["cut.wav", "six.wav", "empty.wav", "notes.txt"]) {
      await soon(() => page.locator(".refused li", { hasText: name }).count()).toBe(1);
    }
    await page.getByRole("textbox", { name: "Name of sound 1" }).waitFor();
    expect(relay.logLines.join("")).not.toContain('"path":"/packages"');
    await page.getByRole("button", { name: "Dismiss" }).click();
    await soon(() => page.evaluate("document.activeElement.id")).toBe("add-sounds");
  });

  test("[G4] takes what is dropped anywhere on the page, up to 32 sounds", async () => {
    const { page } = await pairedPage(browser.open);
    await page.evaluate(`(() => {
      const bytes = new Uint8Array(${JSON.stringify([...smallWav()])});
      const dropped = new DataTransfer();
      for (let n = 33; n > 0; n -= 1) dropped.items.add(new File([bytes], "hit " + n + ".wav"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    })()`);
    await page.getByText("hit 33.wav doesn’t fit: a package can have 32 sounds.").waitFor();
    const first = page.getByRole("textbox", { name: "Name of sound 1", exact: true });
    await soon(() => first.inputValue()).toBe("hit 1");
  });

  test("[G7] other audio becomes a WAV of 24 bits at its own sample rate, and a note says so", async () => {
    const { importer, page } = await pairedPage(browser.open);
    const samples = Int16Array.from({ length: 32_000 }, (_, at) => 9000 * Math.sin(at / 12));
    await page
      .getByLabel("Sound files")
      .setInputFiles(chosen("tone.flac", flacOf(samples, 32_000), "audio/flac"));
    await page.getByText("Converted from FLAC to WAV: 24 bits, 32 kHz.").waitFor();
    await page.getByText("1.0 s").waitFor();
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    const [waiting] = (await importer.packages()).packages;
    expect(waiting?.manifest.items).toMatchObject([{ name: "tone", bytes: 44 + 32_000 * 3 }]);
  });

  test("[G9] nothing sticks out at any width, with names of every length and script", async () => {
    const { page } = await pairedPage(browser.open);
    const names = ["W".repeat(60), "مقام الراست", "夜のバス".repeat(12), "🎹".repeat(20)];
    await page
      .getByLabel("Sound files")
      .setInputFiles([
        ...names.map((name) => chosen(`${name}.wav`, smallWav())),
        chosen(`${"x".repeat(150)}.txt`, Buffer.from("no sound"), "text/plain"),
      ]);
    await page.getByRole("textbox", { name: "Name of sound 4" }).waitFor();
    await page.locator(".refused").waitFor();
    for (const kind of await page.getByRole("combobox", { name: /^Plays/ }).all()) {
      await kind.selectOption("loop");
    }
    for (const width of [360, 480, 760, 1200]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate(STICKS_OUT)).toEqual([]);
    }
  });

  test("[G9] every control has a name", async () => {
    const { page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav", "drum-loops-90-126-174/warehouse-126.wav");
    await page.getByRole("button", { name: "Yes, warehouse-126 is such a loop" }).click();
    const nameless = await page.evaluate(`[...document.querySelectorAll("button, input, select")]
      .filter((control) => !control.hidden)
      .filter((control) => !(control.ariaLabel || control.labels?.[0]?.textContent || control.textContent.trim()))
      .map((control) => control.outerHTML)`);
    expect(nameless).toEqual([]);
  });
});
