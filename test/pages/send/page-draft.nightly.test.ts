import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { smallWav } from "../../wav-bytes.ts";
import {
  chooseFiles,
  field,
  openerOfWidePages,
  pairedPage,
  relayWithPage,
  rowNames,
  rowOf,
  sendOnPage,
  sentManifest,
  settleQuestions,
} from "./page-at-work.ts";
import { addFiles, chosen } from "./test-sounds.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
const wideOpen = openerOfWidePages(browser);

/** Waits until the drafts on disk have these titles and names as a person has typed them, newest first. */
async function untilStored(page: Page, ...titles: readonly string[]): Promise<void> {
  await soon(() =>
    page.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open("soundferry-drafts", 1);
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const all = opening.result.transaction("drafts").objectStore("drafts").getAll();
        all.onsuccess = () => {
          opening.result.close();
          const drafts = all.result.sort((a, b) => b.changedAt - a.changedAt);
          const namesOf = ({ sounds }) => sounds.map(({ edits }) => edits.name ?? "").join(", ");
          resolve(drafts.map((draft) => draft.title + ": " + namesOf(draft)));
        };
      };
    })`),
  ).toEqual(titles);
}

/** A second tab of the same browser. */
async function tabOf(page: Page): Promise<Page> {
  const opening = page.waitForEvent("popup");
  await page.evaluate("void open(location.href)");
  const tab = await opening;
  onTestFinished(() => tab.close());
  await tab.setViewportSize({ width: 1100, height: 720 });
  return tab;
}

describeInBrowser("a draft on the relay's page (needs Chromium)", () => {
  test("[G11] sounds, what was set and the selection survive a reload, and are sent as they were", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    await chooseFiles(page, "one-shot-kit/rim.wav", "one-shot-kit/clap-room.wav");
    await page.getByRole("textbox", { name: "Scene title" }).fill("Kept");
    await rowOf(page, "Rim").click();
    await field(page, "Gain in dB").fill("-6");
    await field(page, "Name").fill("Rim Shot");
    await untilStored(page, "Kept: , Rim Shot");
    await page.reload();
    await soon(() => rowNames(page)).toEqual(["Clap Room", "Rim Shot"]);
    await soon(() => field(page, "Name").inputValue()).toBe("Rim Shot");
    await sendOnPage(page);
    expect(await sentManifest(importer)).toMatchObject({
      title: "Kept",
      items: [{ name: "Clap Room" }, { name: "Rim Shot", gain_db: -6 }],
    });
    await untilStored(page);
    await page.reload();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    await page.getByText("Drop sounds or a folder anywhere on this page.").waitFor();
  });

  test("[G4][G11] a file that can't be sent stays listed over a reload, until it is removed", async () => {
    const { page } = await pairedPage(wideOpen);
    const bad = smallWav({ channels: 6 });
    await addFiles(page, chosen("six.wav", bad), chosen("eight.wav", bad));
    const list = page.getByRole("button", { name: "2 files can’t be sent" });
    await list.waitFor();
    await untilStored(page, "null: ");
    await page.reload();
    await list.click();
    await page.getByRole("button", { name: "Remove six.wav" }).click();
    await page.getByRole("button", { name: "Remove six.wav" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove eight.wav" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await soon(() => page.evaluate("document.activeElement.id")).toBe("add-sounds");
    await soon(() => page.getByText("can’t be sent").count()).toBe(0);
  });

  test("[G11] tabs have drafts of their own, and a new tab takes over one that was closed", async () => {
    const relay = await relayWithPage();
    const page = await wideOpen(relay.url);
    await page.getByRole("button", { name: "Close" }).click();
    await chooseFiles(page, "one-shot-kit/rim.wav");
    await rowOf(page, "Rim").waitFor();
    await page.getByRole("textbox", { name: "Scene title" }).fill("First");
    await untilStored(page, "First: ");

    const tab = await tabOf(page);
    await tab.getByRole("button", { name: "Close" }).click();
    await tab.getByText("Drop sounds or a folder anywhere on this page.").waitFor();
    await chooseFiles(tab, "one-shot-kit/clap-room.wav");
    await rowOf(tab, "Clap Room").waitFor();
    await tab.getByRole("textbox", { name: "Scene title" }).fill("Second");
    await untilStored(page, "Second: ", "First: ");
    await Promise.all([page.reload(), tab.reload()]);
    await soon(() => rowNames(page)).toEqual(["Rim"]);
    await soon(() => rowNames(tab)).toEqual(["Clap Room"]);

    await tab.close();
    const later = await tabOf(page);
    await soon(() => rowNames(later)).toEqual(["Clap Room"]);
    await soon(() => rowNames(page)).toEqual(["Rim"]);
  });

  test("[G11] where the browser stores nothing, the page works, and where it has no room, it says so", async () => {
    const relay = await relayWithPage();
    const blocked = await browser.open(relay.url, {
      before: `Object.defineProperty(window, "indexedDB", { get() { throw new DOMException("", "SecurityError"); } })`,
    });
    await blocked.getByLabel("Sound files").setInputFiles(chosen("Kick.wav", smallWav()));
    await rowOf(blocked, "Kick").waitFor();

    const full = await browser.open(relay.url, {
      before: `IDBObjectStore.prototype.put = new Proxy(IDBObjectStore.prototype.put, {
        apply(put, store, [value]) {
          if (value.wav?.size > 500) throw new DOMException("", "QuotaExceededError");
          return Reflect.apply(put, store, [value]);
        },
      })`,
    });
    await full
      .getByLabel("Sound files")
      .setInputFiles([
        chosen("Kick.wav", smallWav({ frames: 1000 })),
        chosen("Hat.wav", smallWav()),
      ]);
    await full
      .getByText("The browser has no room for these sounds. They’ll be gone after a reload.")
      .waitFor();
    await soon(async () => {
      await full.reload();
      await full.locator(".pick-row").first().waitFor();
      return rowNames(full);
    }).toEqual(["Hat"]);
  });
});

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
