import { expect, test } from "vitest";
import type { PanelApp } from "../../../core/protocol/panel-api.ts";
import { cannedApp } from "../../../scripts/pictures/canned-app.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { FRESH, OFFLINE, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const NO_CODE = { code: null, expiresInSeconds: null, usedBy: null };
const POST = "POST /control/pairing-code";

function callsOf({ calls }: CannedImporter): readonly string[] {
  return calls.map(({ method, path }) => `${method} ${path}`);
}

const NEW_APP: PanelApp = {
  ...cannedApp("pair_1", "Pocket Studio", 0),
  isNew: true,
};

describeInBrowser("pairing (needs Chromium)", () => {
  test("[N14] without an app the code fills the page; once one was paired, it opens with a click only", async () => {
    const { importer, page } = await openPanel(browser, FRESH);
    await page.getByText("K7M Q2X").waitFor();
    await soon(() => page.getByRole("grid").count()).toBe(0);
    await page.getByRole("button", { name: "Later" }).click();
    await page.locator(".pick-list").waitFor();
    await soon(() => page.getByText("K7M Q2X").count()).toBe(0);
    await page.getByRole("button", { name: "Pair an app" }).click();
    await page.getByRole("dialog", { name: "Pair an app" }).getByText("K7M Q2X").waitFor();

    importer.change(PAIRED);
    await page.reload();
    await page.locator(".pick-list").waitFor();
    await soon(() => page.getByText("K7M Q2X").count()).toBe(0);
  });

  test("[N14] a code is asked for once, hidden when it has expired, and then asked for with a click", async () => {
    const { importer, page } = await openPanel(browser, { ...FRESH, pairing: NO_CODE });
    await page.getByText("Getting a code…").waitFor();
    await soon(() => callsOf(importer)).toEqual([POST]);
    importer.change({ pairing: { code: "K7MQ2X", expiresInSeconds: 3, usedBy: null } });
    await page.getByText("K7M Q2X").waitFor();
    await page.getByText(/^Expires in [0-3] s\. You can get a new code\.$/).waitFor();
    await page.getByText("The code has expired.").waitFor();
    await soon(() => page.getByText("K7M Q2X").count()).toBe(0);
    expect(callsOf(importer)).toEqual([POST]);
    await page.getByRole("button", { name: "Get a new code" }).click();
    await soon(() => callsOf(importer)).toEqual([POST, POST]);
    importer.change({ pairing: { code: "ABCDEF", expiresInSeconds: 600, usedBy: null } });
    await page.getByRole("img", { name: "Pairing code A B C D E F" }).waitFor();
    await page.getByText(/^Expires in (10:00|9:5\d)$/).waitFor();
  });

  test("[N14][P2] the page says whether the code is in sight, and when it is shown no more", async () => {
    const { importer, page } = await openPanel(browser, { ...PAIRED, pairing: FRESH.pairing });
    await page.getByRole("button", { name: "Pair another app" }).click();
    await page.getByText("K7M Q2X").waitFor();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await soon(() => importer.calls.at(-1)).toEqual({
      method: "PUT",
      path: "/control/pairing-code",
      body: { visible: true },
    });
    await page.keyboard.press("Escape");
    await soon(() => callsOf(importer).at(-1)).toBe("DELETE /control/pairing-code");
    await soon(() => page.getByText("K7M Q2X").count()).toBe(0);
    await soon(() => page.evaluate("document.activeElement.innerText")).toContain(
      "Pair another app",
    );
  });

  test("a refusal is shown and not asked again, until a click or a new connection", async () => {
    await using importer = await CannedImporter.start({ ...FRESH, pairing: NO_CODE });
    importer.refusals.set("/control/pairing-code", "Too many calls. Try again in 40 s.");
    const page = await browser.open(importer.panelUrl);
    await page.getByText("Too many calls. Try again in 40 s.").waitFor();
    importer.change({ connection: OFFLINE.connection });
    await page.getByText("You’ll get a code once the relay is back online.").waitFor();
    expect(importer.calls).toHaveLength(1);
    importer.change({ connection: FRESH.connection });
    await page.getByRole("button", { name: "Try again" }).click();
    await soon(() => importer.calls.length).toBe(2);
  });

  test("[N14] after its use the app is named until the person goes on, with one click to unpair it", async () => {
    const { importer, page } = await openPanel(browser, FRESH);
    await page.getByText("K7M Q2X").waitFor();
    importer.change({
      apps: [NEW_APP],
      pairing: { ...NO_CODE, usedBy: { name: "Pocket Studio", pairingId: "pair_1" } },
    });
    await page.getByText("Paired with Pocket Studio", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Unpair Pocket Studio" }).click();
    await soon(() => callsOf(importer).at(-1)).toBe("DELETE /control/apps/pair_1");
    await page.getByRole("button", { name: "Pair another app" }).click();
    await soon(() => callsOf(importer).at(-1)).toBe(POST);
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator(".pick-list").waitFor();
  });

  test("[N14] a package that arrives meanwhile doesn't take the code's place", async () => {
    const { importer, page } = await openPanel(browser, FRESH);
    await page.getByText("K7M Q2X").waitFor();
    importer.change({
      apps: [NEW_APP],
      packages: [{ packageId: "inbox/Old", title: "Old Takes", error: "No manifest." }],
    });
    await page.getByText("Paired with Pocket Studio", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await page.locator(".pick-list").getByText("Old Takes").waitFor();
  });

  test("[P7] a new app with packages that wait is unpaired only after the question", async () => {
    const apps = [{ ...NEW_APP, waitingPackages: 1 }];
    const { importer, page } = await openPanel(browser, { ...PAIRED, apps });
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Unpair Pocket Studio" }).click();
    const question = page.getByRole("group", { name: "Unpair Pocket Studio?" });
    await question.getByText("1 waiting package will be deleted.").waitFor();
    expect(importer.calls).toEqual([]);
  });

  test("[P7] an older app is unpaired only after a question that says what goes with it; Escape keeps it", async () => {
    const withTwo = (app: PanelApp) => Object.assign({}, app, { waitingPackages: 2 });
    const state = { ...PAIRED, apps: PAIRED.apps.map(withTwo) };
    const { importer, page } = await openPanel(browser, state);
    await page.getByRole("button", { name: "Settings" }).click();
    const unpair = page.getByRole("button", { name: "Unpair Spoon & Kettle" });
    const focusedText = () => page.evaluate("document.activeElement.innerText");
    await unpair.press("Enter");
    await soon(focusedText).toContain("Keep");
    await page.keyboard.press("Escape");
    await soon(focusedText).toBe("Unpair");
    expect(importer.calls).toEqual([]);
    await unpair.press("Enter");
    const question = page.getByRole("group", { name: "Unpair Spoon & Kettle?" });
    await question.getByText("2 waiting packages will be deleted.").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await soon(() => importer.calls.length).toBe(1);
    importer.change({ apps: PAIRED.apps.filter(({ name }) => name !== "Spoon & Kettle") });
    await soon(() => page.evaluate("document.activeElement.id")).toBe("apps");
  });
});
