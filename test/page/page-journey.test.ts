import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { RelayLine } from "../client/relay-line.ts";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import {
  chooseFiles,
  computerAt,
  pageElsewhere,
  pairOnPage,
  relayWithPage,
} from "./page-at-work.ts";
import { wavOnDisk } from "./test-sounds.ts";

const browser = useBrowser();

describeInBrowser("the whole journey of the relay's page (needs Chromium)", () => {
  test("[G2][G3][G6] pairs by the code in the address, describes, sends to another origin, reads the results, unpairs", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(`${await pageElsewhere(relay.url)}#code=${await code()}`);
    await soon(() => page.url()).not.toContain("code");
    expect(new URL(page.url()).origin).not.toBe(relay.url);

    await page.getByRole("button", { name: "Pair", exact: true }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).waitFor();
    await chooseFiles(
      page,
      "drum-loops-90-126-174/warehouse-126.wav",
      "one-shot-kit/kick-deep.wav",
      "one-shot-kit/clap-room.wav",
    );
    await page.getByRole("textbox", { name: "Name of sound 3" }).waitFor();
    await page.getByRole("textbox", { name: "Title of the scene" }).fill("Warehouse");
    await page.getByRole("textbox", { name: "Name of sound 1" }).fill("Clap!");
    await page.getByRole("button", { name: "Yes, warehouse-126 is such a loop" }).click();
    await page.getByRole("combobox", { name: "Role of warehouse-126" }).selectOption("Drums");
    await page.getByRole("textbox", { name: "Gain, dB of kick-deep" }).fill("-3,5");
    await page.getByLabel("Colour of kick-deep").fill("#ff0000");
    await soon(() => page.locator(".outline .shape").count()).toBe(3);

    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waits for Import", { exact: true }).waitFor();
    await page.getByText("In Live, right-click a scene → Extensions").last().waitFor();
    const [waiting] = (await importer.packages()).packages;
    expect(waiting?.manifest).toMatchObject({
      title: "Warehouse",
      items: [
        { name: "Clap!", kind: "oneshot" },
        { name: "kick-deep", kind: "oneshot", gain_db: -3.5, color: "#FF0000" },
        { name: "warehouse-126", kind: "loop", role: "drums", bpm: 126 },
      ],
    });

    const { packages } = await importer.importAll();
    expect(packages.map(({ status }) => status)).toEqual(["imported"]);
    await page.getByText("All 3 sounds imported", { exact: true }).waitFor();
    expect(await page.getByText("Imported", { exact: true }).count()).toBe(3);

    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("heading", { name: "Pair with a computer" }).waitFor();
    expect((await importer.apps()).apps).toEqual([]);
  });

  test("[G5] goes on by itself after a connection that was cut in the middle of an upload", async () => {
    const relay = await relayWithPage();
    const line = await RelayLine.to(relay.url);
    onTestFinished(() => line[Symbol.asyncDispose]());
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(`http://127.0.0.1:${line.port}/`);
    await pairOnPage(page, await code());
    await page.getByLabel("Sound files").setInputFiles(await wavOnDisk("long.wav", 16_000_000));
    await page.getByRole("textbox", { name: "Name of sound 1" }).waitFor();

    line.holdAfter(2_000_000);
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText(/^Sending: [1-9]/).waitFor();
    line.cut();
    await page.getByRole("alert").filter({ hasText: "It goes on in" }).waitFor();
    line.mend();
    await page.getByText("Waits for Import", { exact: true }).waitFor();
    await importer.importAll();
    await page.getByText("1 sound imported", { exact: true }).waitFor();
  });

  test("[G9] the keyboard alone pairs, describes, sends and takes back", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(relay.url);
    // Long before the key: the browser must have heard by then that the dialog is not to be shown.
    const choosing = page.waitForEvent("filechooser");
    await tabTo(page, "Pairing code");
    await page.keyboard.type(await code());
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Unpair Studio" }).waitFor();

    await tabTo(page, "Choose files");
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles(await wavOnDisk("beat.wav", 2 * 2 * 44_100));
    await tabTo(page, "Play beat");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Stop beat" }).waitFor();
    await page.keyboard.press("Space");
    await tabTo(page, "Yes, beat is such a loop");
    await page.keyboard.press("Enter");
    expect(await focusedName(page)).toBe("Plays beat");
    await tabTo(page, "Beats of beat");
    expect(await page.evaluate("document.activeElement.value")).toBe("4");
    await tabTo(page, "Send to Studio");
    await page.keyboard.press("Enter");
    await page.getByText("Waits for Import", { exact: true }).waitFor();
    await soon(() => page.evaluate("document.activeElement.id")).toMatch(/^sent-/);

    await tabTo(page, "Take back Untitled");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    expect(await focusedName(page)).toBe("Take back Untitled");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Taken back", { exact: true }).waitFor();
    expect((await importer.packages()).packages).toEqual([]);
  });
});

/** The accessible name of what has the focus, as far as labels and texts give it. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const focused = document.activeElement;
    return focused.ariaLabel ?? focused.labels?.[0]?.textContent ?? focused.textContent;
  })()`);
}

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focusedName(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${name}.`);
}
