import { expect, test } from "vitest";
import { readPages } from "../../docs/read-pages.ts";
import { smallWav } from "../../wav-bytes.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser, useElementPages } from "./element-page.ts";

// Runs the examples of the element and of the audio on docs/use/client.md, which are for browsers.

const pages = useElementPages();
const BLOCKS = readPages().find(({ path }) => path === "docs/use/client.md")?.blocks ?? [];
const FIRST = `<script type="module" src="/element.js"></script>`;

/** The names that the page's examples expect to exist. */
const GIVEN = `(() => {
  const bytes = new Uint8Array(${JSON.stringify([...smallWav({ frames: 88_200 })])});
  globalThis.file = new File([bytes], "Drums 120.wav");
  globalThis.recordedBlob = new Blob([bytes]);
  globalThis.audioBuffer = new AudioBuffer({ length: 88200, sampleRate: 44100 });
})()`;

function blockWith(text: string): string {
  const [block, ...more] = BLOCKS.filter((one) => one.text.includes(text));
  expect(more).toEqual([]);
  return block?.text ?? "";
}

describeInBrowser("docs/use/client.md (needs Chromium)", () => {
  test("[W34] the element takes the sounds of its example", async () => {
    const tag = blockWith("<soundferry-send relay=");
    const page = await pages.open(FIRST + tag);
    await page.evaluate(GIVEN);
    await page.evaluate(`(async () => {${blockWith("element.sounds =")}})()`);
    await soon(() => page.getByRole("listitem").count()).toBe(3);
  });

  test("[W32] the audio's example converts and guesses", async () => {
    const page = await pages.open(FIRST + blockWith("<soundferry-send relay="));
    await page.evaluate(GIVEN);
    const program = blockWith("@soundferry/client/audio").replace(
      "@soundferry/client/audio",
      "/audio.js",
    );
    const result = "globalThis.result = [wav.size, converted.size, header.frames, kind, bpm];";
    await page.addScriptTag({ type: "module", content: program + result });
    await page.waitForFunction("globalThis.result !== undefined");
    expect(await page.evaluate("globalThis.result")).toEqual([
      264_644,
      176_444,
      88_200,
      "loop",
      120,
    ]);
  });
});
