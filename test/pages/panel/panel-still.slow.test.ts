import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";
import type { PanelRun, PanelState } from "../../../core/protocol/panel-api.ts";
import { cannedApp } from "../../../scripts/pictures/canned-app.ts";
import { openPanel } from "./panel-at-work.ts";
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

async function open(state: Partial<PanelState>, size = SIZES[0]) {
  const { importer, page } = await openPanel(browser, { ...PAIRED, ...state }, ALL);
  await page.setViewportSize(size ?? { width: 1280, height: 720 });
  await page.getByRole("banner").getByRole("button", { name: "Settings" }).waitFor();
  /** Expects that nothing moves while this is done. */
  const still = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    expect(await shiftsAfter(page, act), name).toEqual([]);
  };
  const change = (name: string, to: Partial<PanelState>): Promise<void> =>
    still(name, async () => importer.change(to));
  return { importer, page, still, change };
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
      const { page, still, change } = await open({ packages }, size);
      await soon(() => page.locator(".pick-row").count()).toBe(2);
      const importIt = page.getByRole("button", { name: `Import: ${title}` });
      await still("Import", () => importIt.click());
      await change("queued", { runs: [QUEUED] });
      await change("progress", { runs: [FETCHING] });
      const arrived = { packages: [bus.offered, bass.offered, kit.offered] };
      await change("an arrival", arrived);
      await change("the result", DONE);

      await page.locator(".pick-row", { hasText: bass.offered.title }).click();
      await page.getByRole("heading", { name: bass.offered.title }).waitFor();
      const dismiss = page.getByRole("button", { name: `Dismiss ${bass.offered.title}` });
      await still("Dismiss", () => dismiss.click());
      const hidden = { ...bass.offered, isDismissed: true, canUndoDismiss: true };
      await change("dismissed", { packages: [hidden] });
      const undo = page.getByRole("button", { name: /^Undo/ });
      await still("Undo", () => undo.click());
      const back = { packages: [bass.offered] };
      await change("brought back", back);
      const away = { ...PAIRED.host, trouble: "Live doesn't answer. Open Live." };
      await change("a problem", { host: away });
    },
  );

  test.each(someOf(SIZES, 1))(
    "[N13][N21] at $width pixels: saved, Live answers, the file for another DAW",
    async (size) => {
      const saving = { ...PAIRED.host, name: "folder", instead: "Live doesn't answer." };
      const packages = [kit.offered];
      const before = { host: saving, live: LIVE_UNSET, canReveal: "finder", packages } as const;
      const { page, still, change } = await open(before, size);
      const importIt = page.getByRole("button", { name: `Import: ${title}` });
      await still("Import", () => importIt.click());
      await change("progress", { runs: [FETCHING] });
      const saved = kit.layout.tracks.map(() => ({ holds: {}, notes: [SAVED_AS_FILES] }));
      const outcome = cannedOutcome(kit, Object.fromEntries(saved.entries()));
      const finished = [{ packageId, title, at: AT, result: { outcome } }];
      const isThere = { ...kit.offered, status: "imported", isSaved: true } as const;
      await change("saved", { runs: [], packages: [isThere], finished });
      await page.locator(".pick-row", { hasText: title }).click();
      await page.getByText(/^Saved\. In Live’s browser/).waitFor();
      const can = { reusesTracks: true, savesForDaw: true };
      await change("Live answers", { host: { ...PAIRED.host, can }, live: LIVE_READY });
      await page.getByRole("button", { name: `Place in Live: ${title}` }).waitFor();
      await change("little room", { host: { ...PAIRED.host, can, room: { tracks: 2 } } });
      const save = page.getByRole("button", { name: `Save for another DAW: ${title}` });
      await still("Save for another DAW", () => save.click());
      const elsewhere = { packageId, title, otherHost: "dawproject" };
      await change("saving", { runs: [{ ...elsewhere, progress: null, sounds: {} }] });
      const file = { ...elsewhere, at: AT, result: { outcome: cannedOutcome(kit) } };
      await change("a file", { runs: [], finished: [file, ...finished] });
    },
  );

  test("[N13] ticks, another package, its plan, and a sound that is opened", async () => {
    const packages = [bass.offered, bus.offered];
    const { page, still } = await open({ packages });
    const row = page.locator(".clip-row");
    await row.nth(3).waitFor();
    await still("tick", () => row.nth(1).getByRole("checkbox").click());
    await still("a sound", () => row.nth(2).click());
    const other = page.locator(".pick-row", { hasText: bass.offered.title });
    await still("another package", () => other.click());
  });

  test("[N14] the code, its end, and the app that used it", async () => {
    const pairing = { code: "K7MQ2X", expiresInSeconds: 62, usedBy: null };
    const { change } = await open({ ...FRESH, pairing });
    const ends = { pairing: { ...pairing, expiresInSeconds: 30 } };
    await change("the last minute", ends);
    const none = { pairing: { code: null, expiresInSeconds: null, usedBy: null } };
    await change("expired", none);
    await change("a new code", { pairing });
    const apps = [cannedApp("pair_1", "Pocket Studio", 0)];
    await change("paired", { apps, ...none });
    await change("arrived", { packages: [kit.offered] });
  });

  test("[N13] the second click of a double click hits nothing else, and two packages are two imports", async () => {
    const packages = [bass.offered, kit.offered];
    const { importer, page } = await open({ packages });
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
    const { importer, page } = await open({ packages });
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
    const { importer, page } = await open({ packages: many });
    await page.getByText("Kit 0", { exact: true }).first().waitFor();
    importer.change({ packages: [bass.offered, ...many] });
    await page.getByRole("button", { name: "Show 1 new package" }).click();
    await page.locator(".pick-row", { hasText: bass.offered.title }).waitFor();
    await soon(() => page.getByRole("button", { name: /new package/ }).count()).toBe(0);
  });
});
