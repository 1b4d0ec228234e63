import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LiveReport } from "../../../core/protocol/live-report.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { LIVE_READY } from "../../../scripts/pictures/canned-live.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();
const RECORDED = join(import.meta.dirname, "../../../fixtures/live-reports/fake-live.json");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a report of this project
const report = JSON.parse(await readFile(RECORDED, "utf8")) as LiveReport;
const state = { ...PAIRED, live: LIVE_READY };
const ask = { id: "undo-by-hand", text: "How many?", answer: "number" } as const;

describeInBrowser("the check of Live in the panel (needs Chromium)", () => {
  test("[H21] starts, shows its progress, asks, and gives the report to save", async () => {
    await using importer = await CannedImporter.start(state);
    const answers: unknown[] = [];
    importer.checkLive = async (talk) => {
      talk.onProgress(3, 16);
      answers.push(await talk.ask({ ...ask, id: "playing", text: "Press Play.", answer: "done" }));
      answers.push(await talk.ask(ask));
      answers.push(await talk.ask({ ...ask, id: "other", text: "And now?" }));
      return report;
    };
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Check this Live").click();
    await page.getByRole("button", { name: "Start the check" }).click();
    await page.getByText("3 of 16 questions answered").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByLabel("How many?").fill("4");
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("And now?").waitFor();
    await page.getByRole("button", { name: "Skip" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Save the report" }).click(),
    ]);
    expect(answers).toEqual([true, 4, null]);
    expect(JSON.parse(await readFile(await download.path(), "utf8"))).toEqual(report);
  });

  test("[H21] says why a check failed, without paths, and can be cancelled", async () => {
    await using importer = await CannedImporter.start(state);
    importer.checkLive = async ({ ask: asking, signal }) => {
      await asking(ask);
      signal.throwIfAborted();
      return report;
    };
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Check this Live").click();
    await page.getByRole("button", { name: "Start the check" }).click();
    await page.getByText("How many?").waitFor();
    await page.getByRole("button", { name: "Cancel the check" }).click();
    await page.getByText("The check was cancelled. Everything it made was removed.").waitFor();
    importer.checkLive = () => Promise.reject(new Error("Can't write /home/ana/Music/check.wav."));
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("Can't write check.wav.").waitFor();
  });
});
