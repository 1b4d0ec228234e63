import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { PanelRun, PanelState } from "../../../core/protocol/panel-api.ts";
import { cannedApp } from "../../../scripts/pictures/canned-app.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { FRESH, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { someOf } from "../../whole-forms.ts";
import { shiftsAfter } from "../kit/nothing-moves.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const bass = await readCannedPackage("bass-lines");
const bus = await readCannedPackage("full-32");
const ALL = [kit, bass, bus];
const { packageId, title } = kit.offered;
const AT = "2026-11-21T12:00:00.000Z";

const QUEUED: PanelRun = { packageId, title, progress: null, sounds: {} };
const FETCHING: PanelRun = {
  ...QUEUED,
  progress: { phase: "fetching", doneBytes: 120_000, totalBytes: 323_800 },
  sounds: Object.fromEntries(
    kit.offered.sounds.map(({ id }, index) => [
      id,
      index < 4 ? { state: "fetched" } : { state: "waiting" },
    ]),
  ),
};
const DONE: Partial<PanelState> = {
  runs: [],
  packages: [bass.offered, { ...kit.offered, status: "partial" }],
  finished: [
    {
      packageId,
      title,
      at: AT,
      result: { outcome: cannedOutcome(kit, { 3: { error: "Live would not make the clip." } }) },
    },
  ],
};

const SIZES = [
  { width: 1280, height: 720 },
  { width: 768, height: 640 },
  { width: 360, height: 640 },
];

async function open(importer: CannedImporter, size = SIZES[0]): Promise<Page> {
  const page = await browser.open(importer.panelUrl);
  await page.setViewportSize(size ?? { width: 1280, height: 720 });
  await page.getByRole("banner").getByRole("button", { name: "Settings" }).waitFor();
  return page;
}

/** Resolves once a call that the page makes after its next drawing is answered: what clicks before it caused was sent. */
async function hasSentAll(page: Page): Promise<void> {
  const draw = "new Promise((resolve) => requestAnimationFrame(resolve))";
  await page.evaluate(
    `${draw}.then(() => ${draw}).then(() => fetch(location.pathname)).then(() => undefined)`,
  );
}

describeInBrowser("nothing moves under the pointer (needs Chromium)", () => {
  test.each(someOf(SIZES, 1))(
    "[N13] at $width pixels: Import, progress, result, arrivals, Dismiss and Undo",
    async (size) => {
      const packages = [bass.offered, kit.offered];
      await using importer = await CannedImporter.start({ ...PAIRED, packages }, ALL);
      const page = await open(importer, size);
      await soon(() => page.locator(".pick-row").count()).toBe(2);
      const change = async (state: Partial<PanelState>): Promise<void> => importer.change(state);
      const importIt = page.getByRole("button", { name: `Import: ${title}` });
      expect(await shiftsAfter(page, () => importIt.click()), "Import").toEqual([]);
      expect(await shiftsAfter(page, () => change({ runs: [QUEUED] })), "queued").toEqual([]);
      expect(await shiftsAfter(page, () => change({ runs: [FETCHING] })), "progress").toEqual([]);
      const arrived = { packages: [bus.offered, bass.offered, kit.offered] };
      expect(await shiftsAfter(page, () => change(arrived)), "an arrival").toEqual([]);
      expect(await shiftsAfter(page, () => change(DONE)), "the result").toEqual([]);

      await page.locator(".pick-row", { hasText: bass.offered.title }).click();
      await page.getByRole("heading", { name: bass.offered.title }).waitFor();
      const dismiss = page.getByRole("button", { name: `Dismiss ${bass.offered.title}` });
      expect(await shiftsAfter(page, () => dismiss.click()), "Dismiss").toEqual([]);
      const hidden = { ...bass.offered, isDismissed: true, canUndoDismiss: true };
      expect(await shiftsAfter(page, () => change({ packages: [hidden] })), "dismissed").toEqual(
        [],
      );
      const undo = page.getByRole("button", { name: /^Undo/ });
      expect(await shiftsAfter(page, () => undo.click()), "Undo").toEqual([]);
      const back = { packages: [bass.offered] };
      expect(await shiftsAfter(page, () => change(back)), "brought back").toEqual([]);
      const away = { ...PAIRED.host, trouble: "Live doesn't answer. Open Live." };
      expect(await shiftsAfter(page, () => change({ host: away })), "a problem").toEqual([]);
    },
  );

  test("[N13] ticks, another package, its plan, and a sound that is opened", async () => {
    const packages = [bass.offered, bus.offered];
    await using importer = await CannedImporter.start({ ...PAIRED, packages }, ALL);
    const page = await open(importer);
    const row = page.locator(".clip-row");
    await row.nth(3).waitFor();
    expect(await shiftsAfter(page, () => row.nth(1).getByRole("checkbox").click()), "tick").toEqual(
      [],
    );
    expect(await shiftsAfter(page, () => row.nth(2).click()), "a sound").toEqual([]);
    const other = page.locator(".pick-row", { hasText: bass.offered.title });
    expect(await shiftsAfter(page, () => other.click()), "another package").toEqual([]);
  });

  test("[N14] the code, its end, and the app that used it", async () => {
    const pairing = { code: "K7MQ2X", expiresInSeconds: 62, usedBy: null };
    await using importer = await CannedImporter.start({ ...FRESH, pairing });
    const page = await open(importer);
    const change = async (state: Partial<PanelState>): Promise<void> => importer.change(state);
    const ends = { pairing: { ...pairing, expiresInSeconds: 30 } };
    expect(await shiftsAfter(page, () => change(ends)), "the last minute").toEqual([]);
    const none = { pairing: { code: null, expiresInSeconds: null, usedBy: null } };
    expect(await shiftsAfter(page, () => change(none)), "expired").toEqual([]);
    expect(await shiftsAfter(page, () => change({ pairing })), "a new code").toEqual([]);
    const apps = [cannedApp("pair_1", "Pocket Studio", 0)];
    expect(await shiftsAfter(page, () => change({ apps, ...none })), "paired").toEqual([]);
    expect(await shiftsAfter(page, () => change({ packages: [kit.offered] })), "arrived").toEqual(
      [],
    );
  });

  test("[N13] the second click of a double click hits nothing else, and two packages are two imports", async () => {
    const packages = [bass.offered, kit.offered];
    await using importer = await CannedImporter.start({ ...PAIRED, packages }, ALL);
    const page = await open(importer);
    await page.getByRole("button", { name: `Import: ${title}` }).dblclick();
    await page.getByRole("button", { name: `Import: ${bass.offered.title}` }).click();
    await soon(() => importer.calls.length).toBe(2);
    await hasSentAll(page);
    expect(importer.calls.map(({ body }) => body)).toEqual([
      { packageId },
      { packageId: bass.offered.packageId },
    ]);
  });

  test("[N13] a double click on what a click replaces does nothing twice", async () => {
    const packages = [{ ...kit.offered, isDismissed: true, canUndoDismiss: true }];
    await using importer = await CannedImporter.start({ ...PAIRED, packages }, ALL);
    const page = await open(importer);
    await page.getByRole("button", { name: "History" }).click();
    const undo = page.getByRole("button", { name: /^Undo/ });
    const box = await undo.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10];
    await page.mouse.click(x, y);
    await soon(() => importer.calls.length).toBe(1);
    importer.change({
      ...DONE,
      packages: [{ ...kit.offered, status: "partial" }],
    });
    await page.getByRole("button", { name: /^Import 1 of 10/ }).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await hasSentAll(page);
    expect(importer.calls).toHaveLength(1);
  });

  test("[N13] a hint counts the packages that arrived out of sight, and a click shows them", async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...kit.offered,
      packageId: `pkg_${index}`,
      title: `Kit ${index}`,
    }));
    await using importer = await CannedImporter.start({ ...PAIRED, packages: many }, ALL);
    const page = await open(importer);
    await page.getByText("Kit 29", { exact: true }).first().waitFor();
    importer.change({ packages: [bass.offered, ...many] });
    await page.getByRole("button", { name: "Show 1 new package" }).click();
    await page.locator(".pick-row", { hasText: bass.offered.title }).waitFor();
    await soon(() => page.getByRole("button", { name: /new package/ }).count()).toBe(0);
  });
});
