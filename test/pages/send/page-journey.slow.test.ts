import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  computerAt,
  pairedPageOverLine,
  relayWithPage,
  rowOf,
  settleQuestions,
  field,
  FIXTURES,
  pairedPage,
} from "./page-at-work.ts";
import { wavOnDisk, chosen } from "./test-sounds.ts";
import { focusedName, tabTo } from "../tab-to.ts";
import { soon } from "../../sim/soon.ts";
import { someOf } from "../../whole-forms.ts";
import { shiftsAfter } from "../kit/nothing-moves.ts";
import { smallWav } from "../../wav-bytes.ts";

const browser = useBrowser();

describeInBrowser("more journeys with the relay's page (needs Chromium)", () => {
  test("[G5] resumes automatically after the connection breaks in the middle of an upload", async () => {
    const { line, importer, page } = await pairedPageOverLine(browser.open);
    await page.getByLabel("Sound files").setInputFiles(await wavOnDisk("long.wav", 16_000_000));
    await settleQuestions(page);

    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText(/^Sending: [1-9]/).waitFor();
    line.breakStalled();
    await page.getByRole("status").filter({ hasText: "Retrying in" }).waitFor();
    line.repair();
    const bar = page.locator(".sent-bar");
    await bar.getByText("Waiting for Import", { exact: true }).waitFor();
    await importer.importAll();
    await bar.getByText("1 sound imported", { exact: true }).waitFor();
  });

  test("[G9] the keyboard alone pairs, describes, sends and withdraws", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(relay.url);
    await page.setViewportSize({ width: 1100, height: 720 });
    // Long before the key: the browser must have heard by then that the dialog is not to be shown.
    const choosing = page.waitForEvent("filechooser");
    await soon(() => focusedName(page)).toBe("Pairing code");
    await page.keyboard.type(await code());
    await page.keyboard.press("Enter");
    await soon(() => focusedName(page)).toBe("Choose files");
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles(await wavOnDisk("beat.wav", 2 * 2 * 44_100));
    await rowOf(page, "Beat").waitFor();
    await tabTo(page, /^Beat, Loop/);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Stop Beat" }).waitFor();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, /^Beats$/);
    await soon(() => page.evaluate("document.activeElement.value")).toBe("4");
    await tabTo(page, /^Send to Studio$/);
    await page.keyboard.press("Enter");
    await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
    await soon(() => page.evaluate("document.activeElement.id")).toBe("sent-title");

    await tabTo(page, /^Withdraw Beat$/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await soon(() => focusedName(page)).toBe("Withdraw Beat");
    await page.keyboard.press("Enter");
    await soon(() => focusedName(page)).toBe("Keep Beat");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.locator(".sent-bar").getByText("Withdrawn", { exact: true }).waitFor();
    expect((await importer.packages()).packages).toEqual([]);
  });
});

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
