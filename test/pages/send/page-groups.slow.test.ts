import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { smallWav } from "../../wav-bytes.ts";
import { someOf } from "../../whole-forms.ts";
import { soon } from "../../sim/soon.ts";
import { breachesOf } from "../axe-check.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  field,
  openerOfWidePages,
  pairedPage,
  relayWithPage,
  rowOf,
  sendOnPage,
  sentManifest,
} from "./page-at-work.ts";
import { addFiles, chosen } from "./test-sounds.ts";

const browser = useBrowser();
const openWide = openerOfWidePages(browser);
const RATE = 3000;
const STEMS = ["Drums", "Bass", "Lead Vocals", "Backing Vocals", "Guitar", "Keys", "Synth"];

const stem = (name: string) =>
  chosen(name, smallWav({ frames: 180 * RATE, sampleRateHz: RATE, bits: 8 }));
const stems = (names = STEMS) => names.map((name) => stem(`Neon Rain (${name}).wav`));

/** The bar of the recording, by the sentence that names it. */
const bar = (page: Page, plays: string, count = 7) =>
  page.getByRole("group", { name: `${count} stems of Neon Rain, 180 s: ${plays}`, exact: true });
const outgoing = (page: Page) => page.locator("#outgoing").innerText();

describeInBrowser("files of one recording on the relay's page (needs Chromium)", () => {
  test("[G19] seven stems are one group, sent as recorded without a question", async () => {
    const { page, importer } = await pairedPage(openWide);
    await addFiles(page, ...stems());
    await bar(page, "as recorded").waitFor();
    expect(await page.locator(".question").count()).toBe(0);
    await soon(() => outgoing(page)).toMatch(
      /^7 stems of Neon Rain as recorded → scene Neon Rain 3\.8 MB$/,
    );
    await rowOf(page, "Bass").click();
    expect(await field(page, "Plays as").isDisabled()).toBe(true);
    expect(await page.locator(".clip-row.grouped").count()).toBe(7);
    await sendOnPage(page);
    const { title, items } = await sentManifest(importer);
    expect(title).toBe("Neon Rain");
    expect(items.map(({ name, kind }) => `${name}: ${kind}`).toSorted()).toEqual(
      STEMS.map((name) => `${name}: oneshot`).toSorted(),
    );
  });

  test("[G19] a tempo that is typed at the group is the tempo of all, with the keyboard alone", async () => {
    const { page, importer } = await pairedPage(openWide);
    await addFiles(page, ...stems());
    // Without a tempo it asks for one.
    await bar(page, "as recorded").getByRole("button", { name: "In time at" }).press("Enter");
    await page.keyboard.type("97");
    const inTime = bar(page, "in time at 97 BPM");
    await inTime.waitFor();
    expect(await page.getByRole("textbox", { name: "Tempo", exact: true }).inputValue()).toBe("97");
    expect(await outgoing(page)).toContain("7 stems of Neon Rain in time at 97 BPM → scene");
    await page.keyboard.press("Backspace");
    expect(await inTime.count()).toBe(1);
    await page.keyboard.press("Backspace");
    await bar(page, "as recorded").waitFor();
    await page.keyboard.type("97");
    await inTime.getByRole("button", { name: "As recorded" }).press("Space");
    const recorded = bar(page, "as recorded").getByRole("button", { name: "As recorded" });
    await soon(() => recorded.getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator(".live, [role=status]").allInnerTexts()).toContain(
      "7 stems of Neon Rain, 180 s: as recorded",
    );
    await bar(page, "as recorded").getByRole("button", { name: "In time at" }).press("Space");
    await inTime.waitFor();
    await sendOnPage(page);
    const { items } = await sentManifest(importer);
    const timings = items.map(({ kind, bpm, length_beats }) => `${kind} ${bpm} ${length_beats}`);
    expect([...new Set(timings)]).toEqual(["loop 97 291"]);
  });

  test("[G13][G19] a new group moves no row, and its files can be treated separately", async () => {
    const { page } = await pairedPage(openWide);
    await addFiles(page, ...stems(["Drums"]));
    const row = page.locator(".clip-row").first();
    await row.waitFor();
    const before = await row.boundingBox();
    await addFiles(page, ...stems(["Bass"]), chosen("Kick.wav", smallWav()));
    await bar(page, "as recorded", 2).waitFor();
    await rowOf(page, "Kick").waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.locator(".clip-row.grouped").count()).toBe(2);
    await page.getByRole("button", { name: "Treat separately" }).click();
    await rowOf(page, "Neon Rain (Drums)").waitFor();
    await page.locator(".question").waitFor();
    expect([await row.boundingBox(), await page.locator(".groups").count()]).toEqual([before, 0]);
    await page.locator("#add-sounds:focus").waitFor();
  });

  test("[G11][G19] a reload keeps the group and what was chosen for it", async () => {
    const { page } = await pairedPage(openWide);
    await addFiles(page, stem("Neon Rain (Drums) 97bpm.wav"), ...stems(STEMS.slice(1)));
    await bar(page, "in time at 97 BPM").getByRole("button", { name: "As recorded" }).click();
    await bar(page, "as recorded").waitFor();
    await page.reload();
    await bar(page, "as recorded").getByRole("button", { name: "In time at" }).click();
    await bar(page, "in time at 97 BPM").waitFor();
  });

  test("[G9][G19] a group breaks no rule of axe", async () => {
    const { page } = await pairedPage(browser.open);
    await addFiles(page, ...stems());
    await bar(page, "as recorded").waitFor();
    expect(await breachesOf(page)).toEqual([]);
  });

  test.each(someOf(LANGUAGES, 2))("[G9][G19] a group fits 320 px: %s", async (language) => {
    const relay = await relayWithPage();
    const before = `Object.defineProperty(navigator, "languages", { value: ["${language}"] })`;
    const page = await browser.open(relay.url, { before });
    await page.setViewportSize({ width: 320, height: 568 });
    await page.locator("#sound-files").setInputFiles(stems(STEMS.slice(0, 2)));
    await page.locator(".clip-row.grouped").first().waitFor();
    await page.keyboard.press("Escape");
    const misfits = `[...document.querySelectorAll(".group *")]
      .filter((one) => {
        const { right, bottom } = one.getBoundingClientRect();
        const box = one.closest(".groups").getBoundingClientRect();
        return right > box.right || bottom > box.bottom;
      })
      .map(({ outerHTML }) => outerHTML)`;
    await soon(() => page.evaluate(misfits)).toEqual([]);
    expect(await page.evaluate("document.documentElement.lang")).toBe(language);
  });
});
