import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  pairedPage,
  relayWithPage,
  rowOf,
  sendOnPage,
  settleQuestions,
  sentManifest,
} from "./page-at-work.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

/** @param before runs in the page before its own script */
async function open(url: string, before = ""): Promise<Page> {
  const page = await browser.open(url, { before });
  await page.setViewportSize({ width: 1100, height: 720 });
  return page;
}

describeInBrowser("recording on the relay's page (needs Chromium)", () => {
  test("[G12] what the microphone hears becomes a sound, and is sent", async () => {
    const { importer, page } = await pairedPage(open);
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("button", { name: "Stop at 0:02" }).waitFor();
    await soon(() => page.evaluate(`document.querySelector("meter")?.value > 0.01`)).toBe(true);
    await page.getByRole("button", { name: /^Stop/ }).click();
    await rowOf(page, "Recording 1").click();
    await page.getByRole("button", { name: "Record", exact: true }).waitFor();
    await soon(() => page.locator(".clip-row .shape").count()).toBe(1);
    await settleQuestions(page);
    await sendOnPage(page);
    const [sound] = (await sentManifest(importer)).items;
    expect(sound?.name).toBe("Recording 1");
    // Two seconds and more of 24 bits, mono or stereo.
    expect(sound?.bytes).toBeGreaterThan(2 * 44_100 * 3);
    await importer.importAll();
    await page.locator(".sent-bar").getByText("1 sound imported", { exact: true }).waitFor();
  });

  test.each([
    ["NotAllowedError", "The browser doesn’t allow this page to use the microphone."],
    ["NotFoundError", "No microphone was found."],
    ["NotReadableError", "Another program is using the microphone."],
  ])("[G12] says why it can't record: %s", async (name, sentence) => {
    const relay = await relayWithPage();
    const page = await open(
      relay.url,
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "${name}"))`,
    );
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("status").getByText(sentence).waitFor();
    await soon(() =>
      page.getByRole("button", { name: "Record", exact: true }).getAttribute("aria-pressed"),
    ).toBe("false");
  });

  test("[G12] explains that plain http of another computer has no microphone", async () => {
    const relay = await relayWithPage();
    const page = await open(
      relay.url,
      `Object.defineProperty(window, "isSecureContext", { value: false });
       Object.defineProperty(navigator, "mediaDevices", { value: undefined });`,
    );
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("status").getByText("Browsers only record on pages with https").waitFor();
  });
});
