import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { someOf } from "../../whole-forms.ts";
import { shiftsAfter } from "../kit/nothing-moves.ts";
import { smallWav } from "../../wav-bytes.ts";
import { field, FIXTURES, pairedPage, rowOf } from "./page-at-work.ts";
import { chosen } from "./test-sounds.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("what moves on the relay's page (needs Chromium)", () => {
  test.each(
    someOf(
      [
        [1280, 720],
        [768, 720],
        [360, 740],
      ] as const,
      1,
    ),
  )("[G13] nothing moves under the pointer, at %i pixels", async (width, height) => {
    const { importer, page } = await pairedPage(browser.open);
    await page.setViewportSize({ width, height });
    const files = page.getByLabel("Sound files");
    const odd = smallWav({ frames: 44_100 * 3 + 12_345 });
    const isStill = async (name: string, act: () => Promise<unknown>): Promise<void> => {
      expect(await shiftsAfter(page, async () => void (await act())), name).toEqual([]);
    };
    await isStill("files arrive", () =>
      files.setInputFiles([
        chosen("Idea.wav", odd),
        chosen("Kick.wav", smallWav()),
        chosen("Cover.jpg", smallWav().subarray(0, 3)),
      ]),
    );
    await isStill("more files arrive", () =>
      files.setInputFiles(`${FIXTURES}/drum-loops-90-126-174/steppers-174.wav`),
    );
    await isStill("a row is clicked", () => rowOf(page, "Kick").click());
    if (width > 900) {
      await isStill("a wrong number is typed", () => field(page, "Gain in dB").fill("loud"));
      await isStill("it is corrected", () => field(page, "Gain in dB").fill("-3"));
    }
    await isStill("the kind is answered", () =>
      page.locator(".question").getByRole("button", { name: "Loop" }).click(),
    );
    await isStill("the tempo is answered", async () => {
      await page.locator(".question").getByRole("textbox").fill("90");
      await page.getByRole("button", { name: "Set tempo" }).click();
    });
    await isStill("it is sent", () => page.getByRole("button", { name: "Send to Studio" }).click());
    const sent = page.locator(".sent-bar");
    await sent.getByText("Waiting for Import", { exact: true }).waitFor();
    await isStill("it is imported", () => importer.importAll());
    await isStill("it is dismissed", () => sent.getByRole("button", { name: /^Dismiss/ }).click());
    await soon(() => page.getByRole("button", { name: /^Undo/ }).count()).toBe(1);
  });
});
