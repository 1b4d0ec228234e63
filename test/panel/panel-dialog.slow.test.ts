import { expect, test } from "vitest";
import { LOAD_FROM_IMPORTER } from "../../core/protocol/panel-api.ts";
import { CannedImporter } from "../../scripts/pictures/canned-importer.ts";
import { readCannedPackage } from "../../scripts/pictures/canned-package.ts";
import { PAIRED, readCannedScenes } from "../../scripts/pictures/canned-states.ts";
import { describeInBrowser, soon, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;
const STATE = { ...PAIRED, packages: [kit.offered] };

/** What Live adds to the page on each system; what it is sent is kept in `answers`. */
const MACOS = `window.answers = [];
  window.webkit = { messageHandlers: { live: { postMessage: (answer) => answers.push(answer) } } };`;
const WINDOWS = `window.answers = [];
  window.chrome = { webview: { postMessage: (answer) => answers.push(answer) } };`;

function answerOf(text: string): object {
  return { method: "close_and_send", params: [text] };
}

describeInBrowser("the panel in Live's dialog (needs Chromium)", () => {
  test.each([
    ["macOS", MACOS],
    ["Windows", WINDOWS],
  ])(
    "[N1] on %s a click on Import closes it with the request, and Escape with nothing",
    async (_, before) => {
      await using importer = await CannedImporter.start(STATE, [kit]);
      const page = await browser.open(await importer.dialogUrl(), { before });
      await page.getByText("Connected to relay.example.com").waitFor();
      expect(await page.evaluate("origin")).toBe("null");
      await page.getByRole("img", { name: "Colour #AF3333" }).first().waitFor();
      await page.getByRole("button", { name: `Import: ${title}` }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Close", exact: true }).click();
      const request = JSON.stringify({ packageId });
      await soon(() => page.evaluate("answers")).toEqual([request, "", ""].map(answerOf));
      expect(importer.calls).toEqual([]);
    },
  );

  test("Escape ends a question first", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const page = await browser.open(await importer.dialogUrl(), { before: MACOS });
    await page.getByRole("button", { name: "Unpair Low Room" }).press("Enter");
    await page.getByRole("button", { name: "Keep Low Room paired" }).press("Escape");
    await page.getByRole("button", { name: "Unpair Low Room" }).waitFor();
    await soon(() => page.evaluate("answers")).toEqual([]);
  });

  test("where the importer can't be reached it shows what it was given, and Import works", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const url = await importer.dialogUrl({ state: STATE });
    await importer.stop();
    const page = await browser.open(url, { before: MACOS });
    await page.getByText("You can still import.").waitFor();
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    const request = JSON.stringify({ packageId });
    await soon(() => page.evaluate("answers")).toEqual([answerOf(request)]);
    await page.getByRole("button", { name: "Load the panel from the importer" }).click();
    const answers = [answerOf(request), answerOf(LOAD_FROM_IMPORTER)];
    await soon(() => page.evaluate("answers")).toEqual(answers);
  });

  test("it can be opened at a result, and has no copy button where there is no clipboard", async () => {
    const scenes = await readCannedScenes();
    const scene = scenes.find(({ name }) => name === "partial");
    const { state, packages, showResultOf = "" } = scene ?? { state: STATE, packages: [] };
    await using importer = await CannedImporter.start(state, packages);
    const page = await browser.open(await importer.dialogUrl({ showResultOf }), { before: MACOS });
    await page.getByText("Tempo: asked for 124 BPM, got 62 BPM.").waitFor();
    const focused = () => page.evaluate("document.activeElement.id");
    await soon(focused).toBe(`result-${showResultOf}`);
    await soon(() => page.getByRole("button", { name: /Copy/ }).count()).toBe(0);
  });

  test("the importer's own page knows that it is in a dialog", async () => {
    await using importer = await CannedImporter.start(STATE, [kit]);
    const page = await browser.open(importer.panelUrl, { before: WINDOWS });
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await soon(() => page.evaluate("answers.length")).toBe(1);
    expect(importer.calls).toEqual([]);
  });
});
