import { test } from "vitest";
import { CannedImporter } from "../../scripts/pictures/canned-importer.ts";
import { cannedOutcome, readCannedPackage } from "../../scripts/pictures/canned-package.ts";
import { FIRST_RUN, FRESH, PAIRED } from "../../scripts/pictures/canned-states.ts";
import { describeInBrowser, soon, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;
const FOCUSED = "document.activeElement.id";

describeInBrowser("what a card shows when things change (needs Chromium)", () => {
  test("[N3] a package that expires while it is shown can't be imported any more", async () => {
    const packages = [{ ...kit.offered, expiresInSeconds: 1 }];
    await using importer = await CannedImporter.start({ ...PAIRED, packages }, [kit]);
    const page = await browser.open(importer.panelUrl);
    await page.getByText("Expired before import").waitFor();
    await soon(() => page.getByRole("button", { name: `Import: ${title}` }).count()).toBe(0);
    importer.change({ packages: [kit.offered] });
    await page.getByRole("button", { name: `Import: ${title}` }).waitFor();
  });

  test("says that a package is taken only if no own import has a result", async () => {
    const packages = [{ ...kit.offered, isTaken: true }];
    await using importer = await CannedImporter.start({ ...PAIRED, packages }, [kit]);
    const page = await browser.open(importer.panelUrl);
    const taken = page.getByText("Another import is running or was interrupted");
    await taken.waitFor();
    const error = "The import was cancelled.";
    const at = "2026-11-21T12:00:00.000Z";
    importer.change({
      finished: [{ packageId, title, at, result: { error, code: "CANCELLED" } }],
    });
    await page.getByText(error, { exact: true }).waitFor();
    await soon(() => taken.count()).toBe(0);
  });

  test("[N8] a complete import stays closed, any other expands its sounds", async () => {
    await using importer = await CannedImporter.start({ ...PAIRED, packages: [kit.offered] }, [
      kit,
    ]);
    const page = await browser.open(importer.panelUrl);
    const sounds = page.locator(".results li");
    const finish = (at: string, outcome = cannedOutcome(kit)) =>
      importer.change({
        packages: [{ ...kit.offered, status: "imported" }],
        finished: [{ packageId, title, at, result: { outcome } }],
      });
    await page.getByRole("button", { name: `Import: ${title}` }).waitFor();
    finish("2026-11-21T12:00:00.000Z");
    await page.getByText("All 10 sounds imported", { exact: true }).waitFor();
    await soon(() => sounds.count()).toBe(0);
    await page.getByText("Sounds", { exact: true }).click();
    await soon(() => sounds.count()).toBe(10);

    importer.change({ packages: [kit.offered], finished: [] });
    await sounds.first().waitFor({ state: "detached" });
    finish("2026-11-21T12:01:00.000Z", cannedOutcome(kit, { 0: { error: "No such clip." } }));
    await soon(() => sounds.count()).toBe(10);
  });

  test("the focus goes on to the pairing code when a relay is set, and when the code's card changes", async () => {
    await using importer = await CannedImporter.start(FIRST_RUN);
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Connect" }).press("Enter");
    await soon(() => importer.calls.length).toBe(1);
    const [app] = PAIRED.apps;
    const apps = app === undefined ? [] : [{ ...app, isNew: true }];
    const pairing = { code: null, expiresInSeconds: null, usedBy: "Pocket Studio" };
    importer.change({ ...FRESH, apps, pairing });
    await soon(() => page.evaluate(FOCUSED)).toBe("pairing");
    const card = page.getByRole("region", { name: "Pair an app" });
    await card.getByRole("button", { name: "Unpair Pocket Studio" }).press("Enter");
    importer.change({ ...FRESH });
    await page.getByText("No apps yet.").waitFor();
    await soon(() => page.evaluate(FOCUSED)).toBe("pairing");
  });

  test("[N7] the pairing code can be scanned, unless a phone could not reach the relay", async () => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl);
    const square = page.getByRole("img", { name: "The pairing code to scan with a phone" });
    await square.waitFor();
    const shown = async () => {
      await page.getByText("K7M Q2X").waitFor();
      return square.count();
    };
    for (const [relayUrl, count] of [
      ["http://127.0.0.1:4700", 0],
      ["http://192.168.1.20:4700", 1],
      ["http://localhost:4700", 0],
      ["https://localhost.example", 1],
      ["http://[::1]:4700", 0],
    ] as const) {
      importer.change({ connection: { ...FRESH.connection, relayUrl } });
      await soon(shown, relayUrl).toBe(count);
    }
  });

  test("[N3] the same news is announced each time it comes", async () => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl);
    const news = page.getByRole("status").locator("span");
    await page.getByText("No apps yet.").waitFor();
    importer.change({ apps: PAIRED.apps.slice(0, 1) });
    await soon(() => news.innerText()).toBe("Paired with Pocket Studio.");
    const first = await news.elementHandle();
    importer.change({ apps: [] });
    await page.getByText("No apps yet.").waitFor();
    importer.change({ apps: PAIRED.apps.slice(0, 1) });
    await soon(() => first?.evaluate((element) => element.isConnected)).toBe(false);
    await soon(() => news.innerText()).toBe("Paired with Pocket Studio.");
  });
});
