import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../scripts/pictures/find-chromium.ts";
import { describeInBrowser } from "../panel/panel-browser.ts";
import { pairedPage, relayWithPage, rowOf, sendOnPage, settleQuestions } from "./page-at-work.ts";
import { soon } from "../sim/soon.ts";

const executablePath = findChromium();
let browser: Browser | undefined;

beforeAll(async () => {
  if (executablePath === undefined) return;
  // It beeps once a second.
  const microphone = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];
  browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS, ...microphone] });
}, 60_000);
afterAll(() => browser?.close());

/** @param before runs in the page before its own script */
async function open(url: string, before = ""): Promise<Page> {
  if (browser === undefined) throw new Error("There is no browser.");
  const page = await browser.newPage({ viewport: { width: 1100, height: 720 } });
  onTestFinished(() => page.close());
  const failures: string[] = [];
  page.on("pageerror", ({ message }) => failures.push(message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) failures.push(message.text());
  });
  onTestFinished(() => expect(failures).toEqual([]));
  await page.addInitScript(before);
  await page.goto(url);
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
    const [waiting] = (await importer.packages()).packages;
    const [sound] = waiting?.manifest.items ?? [];
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
