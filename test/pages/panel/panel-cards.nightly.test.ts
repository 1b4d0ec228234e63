import { expect, test } from "vitest";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { FIRST_RUN, FRESH, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;
const FOCUSED = "document.activeElement.id";

describeInBrowser("what a row shows when things change (needs Chromium)", () => {
  test("[N3] a package that expires while it is shown can't be imported any more", async () => {
    const packages = [{ ...kit.offered, expiresInSeconds: 1 }];
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages }, [kit]);
    await page.getByText("Expired before import").first().waitFor();
    await soon(() => page.getByRole("button", { name: `Import: ${title}` }).count()).toBe(0);
    importer.change({ packages: [kit.offered] });
    await page.getByRole("button", { name: `Import: ${title}` }).waitFor();
  });

  test("says that a package is taken only if no own import has a result", async () => {
    const packages = [{ ...kit.offered, isTaken: true }];
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages }, [kit]);
    const taken = page.getByText("Another import is running or was interrupted");
    await taken.first().waitFor();
    const error = "The import was cancelled.";
    const at = "2026-11-21T12:00:00.000Z";
    importer.change({
      finished: [{ packageId, title, at, result: { error, code: "CANCELLED" } }],
    });
    await page.getByText(error, { exact: true }).first().waitFor();
    await soon(() => taken.count()).toBe(0);
  });

  test("[N8] each sound has its result, and the active one its differences and notes", async () => {
    const packages = [kit.offered];
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages }, [kit]);
    await page.setViewportSize({ width: 1280, height: 720 });
    const states = () => page.locator(".clip-row").allInnerTexts();
    await page.getByRole("button", { name: "Play Kick Deep" }).waitFor();
    const holds = { ...kit.layout.tracks[1], gainDb: -3 };
    const outcome = cannedOutcome(kit, {
      0: { error: "No such clip." },
      1: { holds, notes: ["Its gain was rounded."] },
    });
    importer.change({
      packages: [{ ...kit.offered, status: "partial" }],
      finished: [{ packageId, title, at: "2026-11-21T12:00:00.000Z", result: { outcome } }],
    });
    await page.getByText("9 of 10 sounds imported").first().waitFor();
    await soon(states).toEqual([
      expect.stringContaining("Failed"),
      expect.stringContaining("Differs"),
      ...Array.from({ length: 8 }, () => expect.stringContaining("Imported")),
    ]);
    const detail = page.getByRole("region", { name: "Sound", exact: true });
    await page.locator(".clip-row", { hasText: "Kick Deep" }).click();
    await detail.getByText("No such clip.").waitFor();
    await page.locator(".clip-row", { hasText: "Kick Short" }).click();
    await detail.getByText("Gain: asked for 0 dB, got −3 dB.").waitFor();
    await detail.getByText("Its gain was rounded.").waitFor();
  });

  test("[N14] the pairing code follows the relay's address, and the focus goes with it", async () => {
    const { importer, page } = await openPanel(browser, FIRST_RUN);
    await page.getByRole("button", { name: "Connect" }).press("Enter");
    await soon(() => importer.calls.length).toBe(1);
    importer.change(FRESH);
    await page.getByText("K7M Q2X").waitFor();
    await soon(() => page.evaluate(FOCUSED)).toBe("pairing");
  });

  test("[N7] the pairing code can be scanned, unless a phone could not reach the relay", async () => {
    const { importer, page } = await openPanel(browser, FRESH);
    const square = page.getByRole("img", { name: "The pairing code to scan with a phone" });
    await square.waitFor();
    const link = page.getByRole("link", { name: "Open the sending page" });
    expect(await link.getAttribute("href")).toBe("https://relay.example.com/#code=K7MQ2X");
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
    const { importer, page } = await openPanel(browser, PAIRED);
    const news = page.locator("p.unseen[role=status] span").last();
    await page.getByText("No packages yet.").waitFor();
    const arrived = "New package from Spoon & Kettle: Kitchen Kit.";
    importer.change({ packages: [kit.offered] });
    await soon(() => news.innerText()).toBe(arrived);
    const first = await news.elementHandle();
    importer.change({ packages: [] });
    await page.getByText("No longer available").first().waitFor();
    importer.change({ packages: [kit.offered] });
    await soon(() => first?.evaluate((element) => element.isConnected)).toBe(false);
    await soon(() => news.innerText()).toBe(arrived);
  });
});

const run = { packageId, title, progress: null, sounds: {} };
const elsewhere = { packageId, title, otherHost: "dawproject" };
const at = "2026-11-21T12:00:00.000Z";
const result = { outcome: cannedOutcome(kit) };

describeInBrowser("imports into other hosts (needs Chromium)", () => {
  test("[R7] a run says where it goes, beside one of the same package into the importer's own host", async () => {
    const runs = [run, { ...elsewhere, progress: null, sounds: {} }];
    const { page } = await openPanel(browser, { ...PAIRED, runs }, [kit]);
    const bars = page.locator(".pick-list").getByRole("progressbar");
    await soon(() => bars.count()).toBe(2);
    const names = async () => {
      const all = await bars.all();
      return Promise.all(all.map((bar) => bar.getAttribute("aria-label")));
    };
    await soon(names).toEqual([title, `${title} into a DAWproject`]);
  });

  test("[R7] names another host; the package is still waiting, and is imported like a new one", async () => {
    const finished = [{ ...elsewhere, at, result }];
    const state = { ...PAIRED, packages: [kit.offered], finished };
    const { importer, page } = await openPanel(browser, state, [kit]);
    await page.getByRole("button", { name: "History" }).click();
    await page
      .getByText(/^All 10 sounds imported into a DAWproject/)
      .first()
      .waitFor();
    await soon(() => page.getByRole("button", { name: `Import again: ${title}` }).count()).toBe(0);
    await page.getByRole("button", { name: "Waiting" }).click();
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([{ packageId }]);
  });

  test("[R7] a package that went only elsewhere, and waits no more, can be imported from there", async () => {
    const packages = [{ ...kit.offered, status: "imported", results: {} } as const];
    const finished = [{ ...elsewhere, at, result }];
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages, finished }, [kit]);
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([{ packageId }]);
  });
});
