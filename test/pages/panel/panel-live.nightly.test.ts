import { test, expect } from "vitest";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LiveReport } from "../../../core/protocol/live-report.ts";

const browser = useBrowser();

const FOCUSED = "document.activeElement.innerText";

describeInBrowser("setting up Live (needs Chromium)", () => {
  test("[H20] Install is reached and pressed by keyboard, and the steps turn green when Live answers", async () => {
    const { importer, page } = await openPanel(browser, { ...PAIRED, live: LIVE_UNSET });
    await page.getByRole("button", { name: "Set up Live" }).press("Enter");
    const install = page.getByRole("button", { name: "Install", exact: true });
    await install.waitFor();
    await soon(async () => {
      await page.keyboard.press("Tab");
      return page.evaluate<string>(FOCUSED);
    }).toBe("Install");
    await page.keyboard.press("Enter");
    await soon(() => importer.calls).toMatchObject([
      { method: "POST", path: "/control/live/script" },
    ]);

    importer.change({ live: { ...LIVE_UNSET, script: "current" } });
    await install.waitFor({ state: "detached" });
    const dialog = page.getByRole("dialog", { name: "Set up Ableton Live" });
    await soon(() =>
      page.evaluate("document.querySelector('dialog').contains(document.activeElement)"),
    ).toBe(true);
    await page.getByText("It is in Live’s User Library.").waitFor();

    importer.change({ live: LIVE_READY });
    await dialog.getByText("Live 12.1.5 Standard is ready for exact imports").waitFor();
    await page.keyboard.press("Escape");
    await soon(() => page.getByRole("button", { name: "Set up Live" }).count()).toBe(0);
    await page.getByRole("button", { name: "Settings" }).click();
    await soon(() => page.locator(".live-steps").isVisible()).toBe(false);
    await page.getByText("Live 12.1.5 Standard is ready for exact imports").click();
    await soon(() => page.locator(".live-steps .done").count()).toBe(3);
  });

  test("[H20] a refused installation shows its reason beside the button", async () => {
    const { importer, page } = await openPanel(browser, { ...PAIRED, live: LIVE_UNSET });
    importer.refusals.set(
      "/control/live/script",
      "The disk is full. Free some space and try again.",
    );
    await page.getByRole("button", { name: "Set up Live" }).click();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "The disk is full." }).waitFor();
  });

  test("[H20] in Live's dialog the steps open with a click, too; without Live there is nothing", async () => {
    const live = { ...LIVE_UNSET, script: "unknown", canInstall: false } as const;
    await using importer = await CannedImporter.start({ ...PAIRED, live });
    const page = await browser.open(await importer.dialogUrl());
    const offer = page.getByRole("button", { name: "Set up Live" });
    await offer.click();
    await page.getByText("In a terminal, run: soundferry live install").waitFor();
    importer.change({ live: null });
    await offer.waitFor({ state: "detached" });
  });
});

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
