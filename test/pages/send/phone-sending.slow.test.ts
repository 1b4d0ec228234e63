import { Buffer } from "node:buffer";
import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { Cutter } from "../../sim/cutter.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import {
  computerAt,
  pairOnPage,
  relayWithPage,
  rowNames,
  rowOf,
  sentManifest,
  settleQuestions,
} from "./page-at-work.ts";
import { openOn, phone } from "./phone-relay.ts";
import { chosen, wavOnDisk } from "./test-sounds.ts";

/** A phone that is sending a long sound, of which 2 MB have arrived while the rest is held. */
async function sendingPhone(context: BrowserContext, host = "127.0.0.1") {
  const relay = await relayWithPage({ SOUNDFERRY_ALLOWED_HOSTS: "studio.local" });
  const line = await Cutter.to(relay.url);
  onTestFinished(() => line[Symbol.asyncDispose]());
  const { importer, code } = await computerAt(relay.url);
  const url = `http://${host}:${line.port}/`;
  const page = await openOn(context, url);
  await pairOnPage(page, await code());
  await page.getByLabel("Sound files").setInputFiles(await wavOnDisk("long.wav", 16_000_000));
  await settleQuestions(page);
  line.play({ at: { bytes: 2_000_000 }, does: "stall" });
  await page.getByRole("button", { name: "Send to Studio" }).tap();
  await page.getByText(/^Sending: [1-9]/).waitFor();
  return { relay, line, importer, page, url };
}

async function untilWaiting(page: Page): Promise<void> {
  const bar = page.locator(".sent-bar");
  await bar.getByText("Waiting for Import", { exact: true }).waitFor({ timeout: 40_000 });
}

describeInBrowser("sending on a phone (needs Chromium)", () => {
  test("[G24] a page that was frozen in the middle of an upload resumes the same package", async () => {
    const context = await phone();
    const { line, importer, page } = await sendingPhone(context);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    line.breakStalled();
    line.repair();
    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    await untilWaiting(page);
    expect((await importer.packages()).packages).toHaveLength(1);
  });

  test.each([
    ["with locks", "127.0.0.1"],
    ["on plain http, which has none", "studio.local"],
  ])(
    "[G24][G18] what a killed page was sending is continued by the next one, %s",
    async (_, host) => {
      const context = await phone();
      const { line, importer, page, url } = await sendingPhone(context, host);
      const killed = page.waitForEvent("crash");
      void page.goto("chrome://crash").catch(() => {});
      await killed;
      line.breakStalled();
      line.repair();
      const next = await openOn(context, url);
      await next.getByText("wasn’t sent completely.").waitFor();
      await next.getByRole("button", { name: "Continue" }).tap();
      await untilWaiting(next);
      expect((await importer.packages()).packages).toHaveLength(1);
    },
  );

  test("[G24] the screen stays on while it sends, and no longer", async () => {
    const context = await phone();
    // A browser without a screen has no lock, so the test keeps the count.
    await context.addInitScript(`
      globalThis.held = 0;
      Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
        held += 1;
        return { release: async () => { held -= 1; } };
      } } });
    `);
    const { line, page } = await sendingPhone(context);
    await soon(() => page.evaluate("held")).toBe(1);
    line.breakStalled();
    line.repair();
    await untilWaiting(page);
    await soon(() => page.evaluate("held")).toBe(0);
  });

  test("[G25] a video gives its sound with a note, and one without sound is refused with a sentence", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await openOn(await phone(), relay.url);
    await pairOnPage(page, await code());
    const [loud, mute] = [await madeVideo(page, true), await madeVideo(page, false)];
    await page
      .getByLabel("Sound files")
      .setInputFiles([
        chosen("Beach.webm", loud, "video/webm"),
        chosen("Mute.webm", mute, "video/webm"),
      ]);
    await soon(() => rowNames(page)).toEqual(["Beach"]);
    await rowOf(page, "Beach").tap();
    await page.getByRole("button", { name: "Edit" }).tap();
    await page.getByText("This is the sound of a video; its picture isn’t sent.").waitFor();
    await page.locator("#refused").tap();
    await page.getByText("Mute.webm is a video without sound.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Back" }).tap();
    await settleQuestions(page);
    await page.getByRole("button", { name: "Send to Studio" }).tap();
    await untilWaiting(page);
    expect(await sentManifest(importer)).toMatchObject({ items: [{ name: "Beach" }] });
  });

  test("[G25] a sound that isn't a video has no such note", async () => {
    const relay = await relayWithPage();
    const page = await openOn(await phone(), relay.url);
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Sound files").setInputFiles([chosen("Kick.wav", smallWav())]);
    await rowOf(page, "Kick").tap();
    await page.getByRole("button", { name: "Edit" }).tap();
    await page.getByText("Kick.wav").waitFor();
    expect(await page.getByText("the sound of a video").count()).toBe(0);
  });
});

/** A video of a second, made by the browser. */
async function madeVideo(page: Page, hasSound: boolean): Promise<Buffer> {
  const bytes = await page.evaluate<number[]>(`(async () => {
    const canvas = document.createElement("canvas");
    const paint = setInterval(() => canvas.getContext("2d").fillRect(0, 0, 9, 9), 20);
    const tracks = [...canvas.captureStream(25).getTracks()];
    const context = new AudioContext();
    if (${hasSound}) {
      const node = new OscillatorNode(context);
      const out = context.createMediaStreamDestination();
      node.connect(out);
      node.start();
      tracks.push(...out.stream.getTracks());
    }
    const recorder = new MediaRecorder(new MediaStream(tracks), { mimeType: "video/webm" });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const ended = new Promise((resolve) => { recorder.onstop = resolve; });
    const first = new Promise((resolve) => recorder.addEventListener("dataavailable", resolve, { once: true }));
    recorder.start(500);
    await first;
    recorder.stop();
    await ended;
    clearInterval(paint);
    await context.close();
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
  })()`);
  return Buffer.from(bytes);
}
