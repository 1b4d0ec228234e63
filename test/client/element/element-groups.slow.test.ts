import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { breachesOf } from "../../pages/axe-check.ts";
import { computerAt, relayWithPage, sentManifest } from "../../pages/send/page-at-work.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser, pairElement, tenLines, useElementPages } from "../app-page.ts";

const pages = useElementPages();
const RATE = 8000;
const STEMS = ["Drums", "Bass", "Lead Vocals"];

async function pairedElement(attributes = "") {
  const relay = await relayWithPage();
  const { importer, code } = await computerAt(relay.url);
  const main =
    "<style>:root { color-scheme: light dark; background: Canvas; }</style><main><h1>Looper</h1>";
  const page = await pages.open(tenLines(relay.url, attributes).replace("<body>", `<body>${main}`));
  await pairElement(page, await code());
  return { importer, page };
}

async function chooseStems(page: Page): Promise<void> {
  const buffer = smallWav({ frames: 180 * RATE, sampleRateHz: RATE, bits: 8 });
  await page
    .locator("input[type=file]")
    .setInputFiles(
      STEMS.map((name) => ({ name: `Neon Rain (${name}).wav`, mimeType: "audio/wav", buffer })),
    );
}

const bar = (page: Page, plays: string) =>
  page.getByRole("group", { name: `3 stems of Neon Rain, 180 s: ${plays}`, exact: true });

async function sentTimings(page: Page, importer: Parameters<typeof sentManifest>[0]) {
  await page.getByRole("button", { name: "Send to Studio" }).click();
  await page.getByText("Waiting for Import", { exact: true }).waitFor();
  const { title, tempo, items } = await sentManifest(importer);
  const timings = items.map(({ kind, bpm, length_beats }) => `${kind} ${bpm} ${length_beats}`);
  return [title, tempo?.bpm, ...new Set(timings)];
}

describeInBrowser("files of one recording in <soundferry-send> (needs Chromium)", () => {
  test("[G19][W34] stems have one bar and no question, and are sent as recorded", async () => {
    const { importer, page } = await pairedElement();
    await chooseStems(page);
    await bar(page, "as recorded").waitFor();
    expect(await page.getByRole("combobox").count()).toBe(0);
    expect(await breachesOf(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    const overflow = `[...element.shadowRoot.querySelectorAll("[part=group] *")]
      .filter((one) => one.getBoundingClientRect().right > innerWidth).length`;
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await sentTimings(page, importer)).toEqual([
      "Neon Rain",
      undefined,
      "oneshot undefined undefined",
    ]);
  });

  test("[G19][W34] a typed tempo puts all stems in time, with the keyboard alone", async () => {
    const { importer, page } = await pairedElement();
    await chooseStems(page);
    await bar(page, "as recorded").getByRole("button", { name: "In time at" }).press("Enter");
    await page.keyboard.type("97");
    const inTime = bar(page, "in time at 97 BPM");
    await inTime.waitFor();
    await inTime.getByRole("button", { name: "As recorded" }).press("Space");
    await bar(page, "as recorded").getByRole("button", { name: "In time at" }).press("Space");
    await inTime.waitFor();
    const pressed = inTime.getByRole("button", { pressed: true });
    await soon(() => pressed.allInnerTexts()).toEqual(["In time at"]);
    expect(await sentTimings(page, importer)).toEqual(["Neon Rain", 97, "loop 97 291"]);
  });

  test("[G19][W36] stems that are treated separately have their fields; texts follow the language", async () => {
    const { page } = await pairedElement('bpm="97"');
    await page.evaluate("element.lang = 'de'");
    await page.getByRole("button", { name: "An Studio" }).waitFor();
    await chooseStems(page);
    const sentence = "3 Spuren von Neon Rain, 180 s: im Takt bei 97 BPM";
    await page.getByRole("group", { name: sentence, exact: true }).waitFor();
    await page.getByRole("button", { name: "Einzeln behandeln" }).click();
    await soon(() => page.getByRole("combobox").count()).toBe(3);
    expect(await page.locator("[part=group]").count()).toBe(0);
  });
});
