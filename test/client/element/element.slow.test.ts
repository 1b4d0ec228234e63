import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { computerAt, relayWithPage, sentManifest } from "../../pages/send/page-at-work.ts";
import { wavOnDisk } from "../../pages/send/test-sounds.ts";
import { Cutter } from "../../sim/cutter.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser, pairElement, tenLines, useElementPages } from "../app-page.ts";
import { soon } from "../../sim/soon.ts";

const pages = useElementPages();

const events = (page: Page): Promise<[name: string, detail: Record<string, unknown>][]> =>
  page.evaluate("events");
const wav = (name: string, frames = 4410) => ({
  name,
  mimeType: "audio/wav",
  buffer: smallWav({ frames }),
});
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });

/** The page of ten lines, paired. */
async function pairedElement(attributes = "") {
  const relay = await relayWithPage();
  const { importer, code } = await computerAt(relay.url);
  const page = await pages.open(tenLines(relay.url, attributes));
  await pairElement(page, await code());
  return { relay, importer, code, page };
}

describeInBrowser("<soundferry-send> (needs Chromium)", () => {
  test("[W55] names the page that receives as a link, but not on http in a network", async () => {
    const relay = await relayWithPage();
    const page = await pages.open(tenLines(relay.url));
    const address = `${relay.url}/receive`;
    await page.getByText(`Nothing installed? Open ${address.replace("http://", "")} in`).waitFor();
    expect(await page.getByRole("link").getAttribute("href")).toBe(address);
    const elsewhere = await pages.open(tenLines("http://studio.local:4700"));
    await elsewhere.getByRole("textbox", { name: "Pairing code" }).waitFor();
    expect(await elsewhere.getByRole("link").count()).toBe(0);
  });

  test("[W33] pairs with a code or a link, and says why it can't", async () => {
    const relay = await relayWithPage();
    const { code } = await computerAt(relay.url);
    const page = await pages.open(tenLines(relay.url), "#code=222222");
    const field = page.getByRole("textbox", { name: "Pairing code" });
    await soon(() => field.inputValue()).toBe("222222");
    expect(new URL(page.url()).hash).toBe("");
    await field.press("Enter");
    await page.getByText("This code is wrong, used or expired.").waitFor();
    await soon(() => page.evaluate("element.shadowRoot.activeElement.id")).toBe("code");
    await field.fill("nonsense");
    await field.press("Enter");
    await page.getByText("A code has six letters and digits").waitFor();
    await field.fill("https://other.example/#code=K7MQ2X");
    await field.press("Enter");
    await page.getByText("This link is for https://other.example.").waitFor();
    await pairElement(page, `${relay.url}/#code=${await code()}`);
    const last = (await events(page)).at(-1);
    expect(last).toEqual(["paired", { deviceName: "Studio" }]);
    expect((await events(page))[0]).toEqual(["error", "CODE_UNKNOWN"]);

    await page.reload();
    await button(page, "To Studio").click();
    await button(page, "Unpair Studio").click();
    await button(page, "Keep").click();
    await button(page, "Unpair Studio").click();
    await button(page, "Unpair Studio").click();
    await field.waitFor();
  });

  test("[W33] leaves a code in the page's address alone that is not a pairing code", async () => {
    const relay = await relayWithPage();
    const page = await pages.open(tenLines(relay.url), "#code=4/0AY0e-g5&state=x");
    await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#code=4/0AY0e-g5&state=x");
  });

  test("[W34] a page of ten lines records, sends and shows the result", async () => {
    const { importer, page } = await pairedElement();
    await button(page, "Record").click();
    await button(page, "Stop at 0:02").waitFor();
    await button(page, /^Stop/).click();
    await button(page, "Send to Studio").click();
    await page.getByText("1 sound: loop or one-shot? Recording 1").waitFor();
    await page.getByRole("combobox", { name: "Plays as: Recording 1" }).selectOption("oneshot");
    await button(page, "Send to Studio").click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    const manifest = await sentManifest(importer);
    expect(manifest).toMatchObject({ title: "Recording 1", source: { app: "Looper" } });
    const [sound] = manifest.items;
    // Two seconds and more of 24 bits, mono or stereo.
    expect(sound?.bytes).toBeGreaterThan(2 * 44_100 * 3);
    await importer.importAll();
    await page.getByText("1 sound imported", { exact: true }).waitFor();
    const names = (await events(page)).map(([name]) => name);
    expect(names).toEqual(["paired", "sent", "result"]);
    expect((await events(page)).at(-1)?.[1]).toMatchObject({
      status: "imported",
      results: { 1: { status: "imported", track: "Recording 1 (Looper)" } },
    });
    await button(page, "Send more").click();
    await button(page, "Choose files").waitFor();
  });

  test("[W34] sends what the app gives it, as the app describes it", async () => {
    const { importer, page } = await pairedElement('scene-title="Jam" bpm="120" sources=""');
    await page.evaluate(`element.sounds = [
      { source: new AudioBuffer({ length: 88200, sampleRate: 44100, numberOfChannels: 2 }),
        id: "beat", name: "Beat", kind: "loop", role: "drums", color: "#ff0000" },
      { source: new Blob([${JSON.stringify([...smallWav()])}].map((all) => new Uint8Array(all))), name: "Hit", kind: "oneshot" },
    ]`);
    await soon(() => page.getByRole("listitem").count()).toBe(2);
    expect(await button(page, "Choose files").count()).toBe(0);
    await page.evaluate("element.send()");
    const waiting = page.getByText("Waiting for Import", { exact: true });
    await waiting.waitFor();
    // An app that clears its list leaves what was sent on the screen.
    await page.evaluate("element.sounds = []");
    expect(await waiting.count()).toBe(1);
    const manifest = await sentManifest(importer);
    expect(manifest).toMatchObject({ title: "Jam", tempo: { bpm: 120 } });
    const [beat, hit] = manifest.items;
    expect(beat).toMatchObject({ id: "beat", name: "Beat", kind: "loop", length_beats: 4 });
    expect(hit).toMatchObject({ id: "2", name: "Hit", kind: "oneshot" });
  });

  test("[W34] guesses what chosen files are; a person changes it, and removes what is not wanted", async () => {
    const { importer, page } = await pairedElement();
    await page
      .locator("input[type=file]")
      .setInputFiles([
        wav("Amen Break 120 BPM.wav", 88_200),
        wav("Kick.wav"),
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no sound") },
      ]);
    const refused = page.getByText("This browser can’t read notes.txt. Send it as WAV.");
    await refused.waitFor();
    // It stays while other sounds are added, until it is removed.
    await page.locator("input[type=file]").setInputFiles([wav("Snare.wav")]);
    await button(page, "Remove Snare").click();
    await refused.waitFor();
    await button(page, "Remove notes.txt").click();
    await refused.waitFor({ state: "detached" });
    const bpm = page.getByRole("textbox", { name: "BPM: Amen Break" });
    expect(await bpm.inputValue()).toBe("120");
    await bpm.fill("9");
    await button(page, "Send to Studio").click();
    await page.getByText("A tempo is a number from 20 to 999.").waitFor();
    await bpm.fill("60");
    await button(page, "Remove Kick").click();
    await page.getByRole("textbox", { name: "Scene title" }).fill("Half Time");
    await button(page, "Send to Studio").click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    const manifest = await sentManifest(importer);
    expect(manifest.title).toBe("Half Time");
    expect(manifest.items).toMatchObject([{ name: "Amen Break", bpm: 60 }]);
    await button(page, "Withdraw").click();
    await page.getByText("Withdrawn", { exact: true }).waitFor();
    expect((await importer.packages()).packages).toEqual([]);
  });

  test("[W34] Cancel stops it and keeps the sounds; a pairing that has ended asks for a new code", async () => {
    const relay = await relayWithPage();
    await using line = await Cutter.to(relay.url);
    const { importer, code } = await computerAt(relay.url);
    const page = await pages.open(tenLines(`http://127.0.0.1:${line.port}`));
    await pairElement(page, await code());
    await page.locator("input[type=file]").setInputFiles(await wavOnDisk("Kick.wav", 16_000_000));
    await page.getByRole("combobox").selectOption("oneshot");
    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    await button(page, "Send to Studio").click();
    await page.getByText(/^Sending: [1-9]/).waitFor();
    expect(await page.evaluate("element.shadowRoot.activeElement.id")).toBe("cancel");
    await button(page, "Cancel").click();
    await button(page, "Send to Studio").waitFor();
    line.breakStalled();
    line.repair();
    const [app] = (await importer.apps()).apps;
    await importer.unpair(app?.pairing_id ?? "");
    await button(page, "Send to Studio").click();
    await page.getByText("Studio is no longer paired with this page.").waitFor();
    await pairElement(page, await code());
    // The list of what was not sent is read again once the page is paired.
    await soon(() => page.getByRole("listitem").count()).toBe(1);
    expect(await page.getByRole("listitem").textContent()).toContain("Kick");
  });
});
