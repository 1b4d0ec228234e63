import { expect, test } from "vitest";
import type { PanelState, RunErrorCode } from "../../../core/protocol/panel-api.ts";
import { openPanel } from "./panel-at-work.ts";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const bus = await readCannedPackage("full-32");
const { packageId, title } = kit.offered;

/** The panel of an importer that offers a package and says whatever the test wants. */
const start = (state: Partial<PanelState> = {}) =>
  openPanel(browser, { ...PAIRED, packages: [kit.offered], ...state }, [kit, bus]);

describeInBrowser("what a click does (needs Chromium)", () => {
  test("[N5] the tempo is set only when it is asked for, and offered only where it differs", async () => {
    const { importer, page } = await start({ packages: [bus.offered] });
    const offer = page.getByRole("checkbox", { name: "Set the tempo to 126 BPM" });
    await soon(() => offer.isChecked()).toBe(false);
    const importIt = page.getByRole("button", { name: "Import", exact: true });
    await importIt.click();
    await soon(() => importer.calls.length).toBe(1);
    importer.change({});
    await offer.check();
    await importIt.click();
    await soon(() => importer.calls.length).toBe(2);
    const busId = bus.offered.packageId;
    expect(importer.calls.map(({ body }) => body)).toEqual([
      { packageId: busId },
      { packageId: busId, sessionTempoBpm: 126 },
    ]);
    importer.change({ host: { ...PAIRED.host, tempoBpm: 126.004 } });
    await offer.waitFor({ state: "detached" });
  });

  test("[N15] only the ticked sounds are imported, from the list and from the package", async () => {
    const { importer, page } = await start();
    const [first, second, ...rest] = kit.offered.sounds;
    for (const sound of [first, second]) {
      await page
        .getByRole("checkbox", { name: `Choose ${sound?.name ?? ""}`, exact: true })
        .click();
    }
    await page.getByRole("button", { name: "Import 8 of 10", exact: true }).click();
    await soon(() => importer.calls.length).toBe(1);
    importer.change({});
    await page.getByRole("button", { name: `Import 8 of 10: ${title}` }).click();
    await soon(() => importer.calls.length).toBe(2);
    const soundIds = rest.map(({ id }) => id);
    const request = { packageId, soundIds };
    expect(importer.calls.map(({ body }) => body)).toEqual([request, request]);
  });

  test("[N15] what was left out is ticked after the import, and imported with the next click", async () => {
    const at = "2026-11-21T12:00:00.000Z";
    const outcome = cannedOutcome(kit, { 0: { error: "Not selected in Live." } });
    const tracks = outcome.tracks.map((track, index) =>
      index === 0 ? { ...track, status: "skipped" as const } : track,
    );
    const result = { outcome: { ...outcome, tracks } };
    const { importer, page } = await start({
      packages: [{ ...kit.offered, status: "partial" }],
      finished: [{ packageId, title, at, result }],
    });
    await page.getByRole("button", { name: "History" }).click();
    await page.getByText("Not selected", { exact: true }).first().waitFor();
    expect(await page.getByText("Not selected in Live.").count()).toBe(0);
    await page.getByRole("button", { name: "Import 1 of 10", exact: true }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([
      { packageId, soundIds: [kit.offered.sounds[0]?.id] },
    ]);
  });

  test("[N15] nothing is imported without a tick, and the page says so", async () => {
    const { importer, page } = await start();
    await page.getByRole("checkbox", { name: "Choose all" }).click();
    await page.getByRole("button", { name: "Import 0 of 10", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "Choose at least one sound." }).waitFor();
    expect(importer.calls).toEqual([]);
  });

  test("[N16] Dismiss and its Undo are two buttons in two places; the words are the page's own", async () => {
    const { importer, page } = await start();
    const dismiss = page.getByRole("button", { name: `Dismiss ${title}` });
    const where = await dismiss.boundingBox();
    await dismiss.click();
    await soon(() => importer.calls.length).toBe(1);
    const hidden = { ...kit.offered, isDismissed: true, canUndoDismiss: true };
    importer.change({ packages: [hidden] });
    const undo = page.getByRole("button", { name: `Undo: bring back ${title}` });
    const there = await undo.boundingBox();
    expect(there?.x).not.toBe(where?.x);
    await soon(() => page.getByRole("button", { name: `Import: ${title}` }).count()).toBe(0);
    await undo.click();
    await soon(() => importer.calls.length).toBe(2);
    importer.change({ packages: [kit.offered] });
    await dismiss.waitFor();
    const path = `/control/packages/${packageId}/dismissal`;
    expect(importer.calls.map((call) => `${call.method} ${call.path}`)).toEqual([
      `POST ${path}`,
      `DELETE ${path}`,
    ]);
  });

  test("[N16] a dismissed package without files can't be brought back", async () => {
    const { page } = await start({ packages: [{ ...kit.offered, isDismissed: true }] });
    await page.getByRole("button", { name: "History" }).click();
    await page.getByText("Dismissed", { exact: true }).first().waitFor();
    await soon(() => page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
  });

  test("[N17][N23] all waiting packages are imported after one question, are counted down and can be stopped", async () => {
    const { importer, page } = await start({ packages: [bus.offered, kit.offered] });
    const all = page.getByRole("button", { name: "Import all 2" });
    await all.click();
    const question = page.getByRole("dialog", { name: "Import all 2 packages?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(importer.calls).toEqual([]);
    await soon(() => page.locator(":focus").innerText()).toBe("Import all 2");
    await all.click();
    await question.getByRole("button", { name: "Import", exact: true }).click();
    await question.waitFor({ state: "detached" });
    const began = { method: "POST", path: "/control/import-all", body: { background: true } };
    await soon(() => importer.calls).toMatchObject([began]);
    const own = { packageId, title, progress: null, sounds: {} };
    const { packageId: busId, title: busTitle } = bus.offered;
    const other = { ...own, packageId: busId, title: busTitle, isOfAll: true };
    importer.change({ runs: [other, { ...own, isOfAll: true }] });
    await page.getByText("2 packages left").waitFor();
    importer.change({ runs: [other] });
    await page.getByText("1 package left").waitFor();
    await page.getByRole("button", { name: "Stop importing all packages" }).click();
    await soon(() => importer.calls.slice(1)).toMatchObject([
      { method: "DELETE", path: "/control/import-all" },
    ]);
    importer.change({ runs: [own] });
    await page.getByText("1 package left").waitFor();
    await soon(() => page.getByRole("button", { name: "Stop importing all" }).count()).toBe(0);
  });

  test("[N23] one package is imported without a question, and what is refused is said", async () => {
    const { importer, page } = await start();
    importer.refusals.set("/control/import-all", "The relay doesn't answer.");
    await page.getByRole("button", { name: "Import 1 package" }).click();
    await page.getByRole("alert").filter({ hasText: "The relay doesn't answer." }).waitFor();
  });

  test("[N18] the folder is shown only where somebody would see it, in the system's own words", async () => {
    const inbox = { ...kit.offered, origin: "inbox" } as const;
    const { importer, page } = await start({ packages: [inbox], canReveal: "finder" });
    await page.getByRole("button", { name: "Show in Finder" }).click();
    await soon(() => importer.calls.map(({ path }) => path)).toEqual([
      `/control/packages/${packageId}/reveal`,
    ]);
    importer.change({ canReveal: "explorer" });
    await page.getByRole("button", { name: "Show in Explorer" }).waitFor();
    importer.change({ canReveal: null });
    await soon(() => page.getByRole("button", { name: /^Show in/ }).count()).toBe(0);
  });

  test("[N18] the same tracks are offered only by hosts that can, and asked for in the request", async () => {
    const at = "2026-11-21T12:00:00.000Z";
    const host = { ...PAIRED.host, can: { reusesTracks: true, savesForDaw: true } };
    const { importer, page } = await start({
      host,
      packages: [{ ...kit.offered, status: "imported" }],
      finished: [{ packageId, title, at, result: { outcome: cannedOutcome(kit) } }],
    });
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("button", { name: `Import again on the same tracks: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([
      { packageId, reuseTracks: true },
    ]);
    importer.change({ host: PAIRED.host });
    await soon(() => page.getByRole("button", { name: /same tracks/ }).count()).toBe(0);
    await page.getByRole("button", { name: `Import again: ${title}` }).waitFor();
  });

  test("shows the importer's error in the row and in the package", async () => {
    const { importer, page } = await start();
    importer.refusals.set("/control/runs", "The disk is full.");
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await page.getByRole("alert").filter({ hasText: "The disk is full." }).waitFor();
    await soon(() => page.getByText("The disk is full.").count()).toBe(2);
  });

  test("a run that was interrupted is imported again, one held elsewhere is taken over", async () => {
    const at = "2026-11-21T12:00:00.000Z";
    const failed = (code: RunErrorCode | null) => ({
      finished: [{ packageId, title, at, result: { error: `It says ${code}.`, code } }],
    });
    const { importer, page } = await start(failed("ALREADY_PLACED"));
    await page.getByText("It says ALREADY_PLACED.").first().waitFor();
    await soon(() => page.getByRole("button", { name: `Import: ${title}` }).count()).toBe(0);
    await page.getByRole("button", { name: `Import again: ${title}` }).click();
    await soon(() => importer.calls.length).toBe(1);
    importer.change(failed("RUN_ELSEWHERE"));
    await page.getByRole("button", { name: `Take over the import of ${title}` }).click();
    await soon(() => importer.calls.length).toBe(2);
    expect(importer.calls.map(({ body }) => body)).toEqual([
      { packageId, again: true },
      { packageId, takeOver: true },
    ]);
  });

  test("the focus stays with the package: from Import to its progress, and on to its result", async () => {
    const { importer, page } = await start({ packages: [kit.offered] });
    const focused = () => page.evaluate("document.activeElement.id");
    await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
    importer.change({ runs: [{ packageId, title, progress: null, sounds: {} }] });
    await soon(focused).toBe("package-title");
    const bar = page.getByRole("progressbar", { name: title }).first();
    await soon(() => bar.getAttribute("aria-valuetext")).toBe("Queued");
    const progress = { phase: "placing", placed: 4, total: 10 } as const;
    importer.change({ runs: [{ packageId, title, progress, sounds: {} }] });
    await soon(() => bar.getAttribute("aria-valuenow")).toBe("40");
    await page.getByRole("button", { name: `Cancel the import of ${title}` }).press("Enter");
    await soon(() => importer.calls.at(-1)?.path).toBe(`/control/runs/${packageId}`);
    const at = new Date().toISOString();
    const outcome = cannedOutcome(kit, { 0: { error: "Live would not make the clip." } });
    importer.change({
      packages: [{ ...kit.offered, status: "partial" }],
      runs: [],
      finished: [{ packageId, title, at, result: { outcome } }],
    });
    await soon(focused).toBe("package-title");
    await page.getByText("9 of 10", { exact: true }).first().waitFor();
    const reported = page.getByRole("status").filter({ hasText: "9 of 10 sounds imported." });
    await reported.waitFor({ state: "attached" });
  });

  test("[N3] shows that the importer stopped and finds it again; a page of an earlier start says so", async () => {
    const { importer, page } = await start();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByText("Connected to relay.example.com").waitFor();
    const startAgain = await importer.stop();
    await page.getByText("No connection to Soundferry").waitFor();
    await page.getByText(/isn’t responding.*Retrying automatically/).waitFor();
    await startAgain();
    await page.getByText("Connected to relay.example.com").waitFor();
    await page.goto(`${importer.address}/#another-secret`);
    await page.getByText("Soundferry was restarted.").waitFor();
  });

  test("[N1] without its secret the page calls nothing, and says where to find it", async () => {
    const { importer, page } = await start();
    // Another tab: this one has the secret.
    await page.evaluate("sessionStorage.clear()");
    await page.goto(importer.address);
    await page.getByText("the part after the # is missing", { exact: false }).waitFor();
    await page.getByText("soundferry importer").waitFor();
  });
});
