import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import { translateRun } from "../../../core/messages/translate-run.ts";
import { translateWith } from "../../../core/messages/translate.ts";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { RUN_SENTENCES, runSentence } from "../../../core/protocol/run-sentences.ts";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { someOf, WHOLE_FORMS } from "../../whole-forms.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

/** Words that an English sentence has, and none of the other languages. */
const ENGLISH_WORDS = /\b(?:the|its|is|are|of|and|not|wasn't|doesn't|can't|with|this|by|it)\b/gi;

const kit = await readCannedPackage("one-shot-kit");
const bass = await readCannedPackage("bass-lines");

/** Every note that an import can have, with values in its placeholders. */
const NOTES = Object.values(RUN_SENTENCES).map((text) =>
  text
    .replaceAll("{beats}", "4 beats")
    .replaceAll("{gain}", "-20 dB")
    .replaceAll("{live}", "Live 12.0.1")
    .replaceAll("{file}", "kick.wav")
    .replaceAll("{limit}", "1 MiB")
    .replaceAll("{host}", "Live")
    .replaceAll("{problem}", runSentence("DISK_MANY_FILES"))
    .replaceAll("{reason}", "its clip slot is not empty")
    .replaceAll(/\{settings?\}/g, "warp mode")
    .replaceAll(/\{steps?\}/g, "make the scene Kitchen Kit")
    .replaceAll("{things}", "nothing of it")
    .replaceAll(/\{(?:name|held|title|id|ids|folder|input|path|names|relay|address)\}/g, "Kick")
    .replaceAll(/\{(?:encoding|other|own|status)\}/g, "8")
    .replaceAll(/\{\w+\}/g, "3.5"),
);

const FAILED = "Live couldn't make the clip Snare: its clip slot is not empty.";

/** A partial import with notes, differences and a failed sound, beside every other trouble. */
function troubled(): PanelState {
  const outcome = cannedOutcome(kit, {
    0: { holds: { ...kit.layout.tracks[0], gainDb: -3 }, notes: NOTES },
    1: { error: FAILED },
  });
  const at = new Date().toISOString();
  return {
    ...PAIRED,
    host: {
      ...PAIRED.host,
      trouble: runSentence("LIVE_ABSENT"),
      instead: runSentence("LIVE_TOO_OLD", { live: "Live 12.0.1" }),
    },
    connection: {
      ...PAIRED.connection,
      status: "offline",
      trouble: "Nothing answers at localhost:4700. Is the relay running?",
    },
    diskTrouble: runSentence("DISK_FULL", { folder: "Soundferry" }),
    packages: [
      { ...kit.offered, status: "partial" },
      bass.offered,
      { packageId: "inbox/a", title: "Takes", error: "manifest.json can't be read." },
    ],
    finished: [
      { packageId: kit.offered.packageId, title: kit.offered.title, at, result: { outcome } },
      {
        packageId: bass.offered.packageId,
        title: bass.offered.title,
        at,
        result: { error: runSentence("INTERRUPTED", { title: "Bass" }), code: "ALREADY_PLACED" },
      },
    ],
  };
}

/** All that the page says, also to screen readers and in hints. */
const TEXTS = `[...document.querySelectorAll("body *:not(script, style, noscript)")].flatMap((one) => [
  one.getAttribute("aria-label"), one.getAttribute("title"),
  ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
]).filter((text) => text !== null && text.trim() !== "" )`;

async function expectNoEnglish(page: Page): Promise<void> {
  const texts = await page.evaluate<readonly string[]>(TEXTS);
  const english = texts.filter(
    (text) => NOTES.includes(text) || (text.match(ENGLISH_WORDS) ?? []).length > 1,
  );
  expect(english).toEqual([]);
}

describeInBrowser("the panel in another language (needs Chromium)", () => {
  test.each(someOf(LANGUAGES.slice(1), 1).concat(WHOLE_FORMS ? [] : ["de"]))(
    "[N28] a partial import and every trouble have no English sentence: %s",
    async (language) => {
      const t = translateWith(language, TABLES[language]);
      const { importer } = await openPanel(browser, troubled(), [kit, bass]);
      const before = `Object.defineProperty(navigator, "languages", { get: () => ["${language}"] })`;
      const page = await browser.open(importer.panelUrl, { before });
      await page.setViewportSize({ width: 1280, height: 640 });
      await page
        .getByText(t("run.INTERRUPTED", { title: "Bass" }))
        .first()
        .waitFor();
      await page
        .getByText(t("run.FILE_UNREADABLE", { file: "manifest.json" }))
        .first()
        .waitFor();
      await expectNoEnglish(page);

      await page.getByRole("button", { name: t("panel.notices-all", { count: 3 }) }).click();
      await page
        .getByText(t("run.DISK_FULL", { folder: "Soundferry" }))
        .first()
        .waitFor();
      await page.getByText(t("run.LIVE_ABSENT")).first().waitFor();
      await expectNoEnglish(page);
      await page.keyboard.press("Escape");

      await page.getByRole("button", { name: t("panel.history") }).click();
      await page.locator(".clip-row").first().click();
      await page.getByText(t("run.CHANGED_BY_PERSON")).first().waitFor();
      await expectNoEnglish(page);
      const failed = page.getByText(translateRun(t, FAILED));
      await page.locator(".clip-row").nth(1).click();
      await failed.first().waitFor();
      await expectNoEnglish(page);
    },
  );
});
