import { expect, test } from "vitest";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { ASKED, FRESH, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
/** Clicks meant for what the prompt covers don't count. */
const EARLY_MS = 700;
/** The page's clock, which the test can hold: on a slow machine no click would be early. */
const HELD_CLOCK = `
  const now = performance.now.bind(performance);
  globalThis.heldMs = null;
  performance.now = () => heldMs ?? now();`;

describeInBrowser("an app that asks to pair (needs Chromium)", () => {
  test("[P12] is shown with its name, its network and the sentence, over whatever is open", async () => {
    await using importer = await CannedImporter.start(PAIRED);
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
    importer.change(ASKED);
    const prompt = page.getByRole("alertdialog", { name: "Let Pocket Studio pair?" });
    await prompt.getByText("In the network 203.0.113.0/24").waitFor();
    await prompt.getByText("Allow only if you entered the code just now.").waitFor();
    const described = (await prompt.getAttribute("aria-describedby")) ?? "";
    const description = await page.locator(`[id="${described}"]`).textContent();
    expect(description).toContain("Allow only if you entered the code just now.");
    await page.locator('[role="alertdialog"]:focus').waitFor();
    importer.change(PAIRED);
    await prompt.waitFor({ state: "detached" });
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
  });

  test("[P12] is answered by its buttons only: no early click, no Escape, no click beside it", async () => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl, { before: HELD_CLOCK });
    await page.getByText("K7M Q2X").waitFor();
    await page.evaluate("heldMs = performance.now()");
    importer.change(ASKED);
    const prompt = page.getByRole("alertdialog");
    await prompt.getByRole("button", { name: "Allow", exact: true }).click();
    for (const key of ["Enter", "Space", "Escape", "Escape"]) await page.keyboard.press(key);
    await page.mouse.click(2, 2);
    await prompt.waitFor();
    const answers = () =>
      importer.calls
        .filter(({ path }) => path === "/control/pairing-request")
        .map(({ body }) => body);
    expect(answers()).toEqual([]);
    await page.evaluate(`heldMs += ${EARLY_MS}`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await soon(answers).toEqual([{ request_id: "req_1", answer: "allow" }]);
    await prompt.getByRole("button", { name: "Don’t allow" }).click();
    await soon(answers).toHaveLength(2);
    expect(answers()[1]).toEqual({ request_id: "req_1", answer: "deny" });
  });

  test("[P12] that can't be answered any more says so", async () => {
    await using importer = await CannedImporter.start(ASKED);
    importer.refusals.set("/control/pairing-request", "This request is over.");
    const page = await browser.open(importer.panelUrl, { before: HELD_CLOCK });
    await page.evaluate(`heldMs = performance.now() + ${EARLY_MS}`);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByRole("alertdialog").getByText("This request is over.").waitFor();
  });

  test.each([
    ["second-address", "The code was entered in two places, so it has ended."],
    ["denied", "You didn’t let the app pair, so the code has ended."],
  ] as const)("[P12] a code that ended early says why: %s", async (ended, sentence) => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl);
    await page.getByText("K7M Q2X").waitFor();
    importer.change({ pairing: { code: null, expiresInSeconds: null, usedBy: null, ended } });
    await page.getByText(sentence).waitFor();
    await page.getByRole("button", { name: "Get a new code" }).waitFor();
  });
});
