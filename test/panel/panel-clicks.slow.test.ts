import { expect, test } from "vitest";
import type { PanelState } from "../../core/protocol/panel-api.ts";
import { CannedImporter } from "../../scripts/pictures/canned-importer.ts";
import { cannedOutcome, readCannedPackage } from "../../scripts/pictures/canned-package.ts";
import { FIRST_RUN, FRESH, OFFLINE, PAIRED } from "../../scripts/pictures/canned-states.ts";
import { describeInBrowser, soon, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const bus = await readCannedPackage("full-32");
const { packageId, title } = kit.offered;
const NO_CODE = { code: null, expiresInSeconds: null, usedBy: null };

/** An importer that offers a package and says whatever the test wants. */
function start(state: Partial<PanelState> = {}): Promise<CannedImporter> {
  return CannedImporter.start({ ...PAIRED, packages: [kit.offered], ...state }, [kit, bus]);
}

describeInBrowser("what a click does (needs Chromium)", () => {
  test("[N5] the tempo is set only when it is asked for, and offered only where it differs", async () => {
    await using importer = await start({ packages: [bus.offered, kit.offered] });
    const page = await browser.open(importer.panelUrl);
    const offer = page.getByRole("checkbox", { name: "Set the tempo to 126 BPM" });
    await soon(() => offer.isChecked()).toBe(false);
    const importIt = page.getByRole("button", { name: "Import: Night Bus Home" });
    await importIt.click();
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

  test("what the importer refuses is told beside the button", async () => {
    await using importer = await start();
    importer.refusals.set("/control/runs", "The disk is full.");
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await page.getByRole("alert").filter({ hasText: "The disk is full." }).waitFor();
  });

  test("a run that was interrupted is imported again, one held elsewhere is taken over", async () => {
    const at = "2026-11-21T12:00:00.000Z";
    const failed = (code: string) => ({
      finished: [{ packageId, title, at, result: { error: `It says ${code}.`, code } }],
    });
    await using importer = await start(failed("ALREADY_PLACED"));
    const page = await browser.open(importer.panelUrl);
    await page.getByText("It says ALREADY_PLACED.").waitFor();
    await page.getByRole("button", { name: `Import again: ${title}` }).click();
    importer.change(failed("RUN_ELSEWHERE"));
    await page.getByRole("button", { name: `Take over: ${title}` }).click();
    await soon(() => importer.calls.length).toBe(2);
    expect(importer.calls.map(({ body }) => body)).toEqual([
      { packageId, again: true },
      { packageId, takeOver: true },
    ]);
  });

  test("the focus goes with the package: from Import to its run, and on to its result", async () => {
    await using importer = await start({ packages: [kit.offered] });
    const page = await browser.open(importer.panelUrl);
    const focused = () => page.evaluate("document.activeElement.id");
    await page.getByRole("button", { name: `Import: ${title}` }).press("Enter");
    importer.change({ runs: [{ packageId, title, progress: null }] });
    await soon(focused).toBe(`run-${packageId}`);
    const bar = page.getByRole("progressbar", { name: title });
    await soon(() => bar.getAttribute("aria-valuetext")).toBe("Queued");
    const progress = { phase: "placing", placed: 4, total: 10 } as const;
    importer.change({ runs: [{ packageId, title, progress }] });
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
    await soon(focused).toBe(`result-${packageId}`);
    await page.getByRole("heading", { name: "Results" }).waitFor();
    await page.getByText("9 of 10 sounds imported", { exact: true }).waitFor();
    await page.getByText("Live would not make the clip.").waitFor();
    const told = page.getByRole("status").filter({ hasText: "9 of 10 sounds imported." });
    await told.waitFor({ state: "attached" });
  });

  test("[N3] an importer that stops is told and found again; an earlier start's page is told, too", async () => {
    await using importer = await start();
    const page = await browser.open(importer.panelUrl);
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
    await using importer = await start();
    const page = await browser.open(importer.address);
    await page.getByText("the part after the # is missing", { exact: false }).waitFor();
    await page.getByText("soundferry importer").waitFor();
  });
});

describeInBrowser("pairing (needs Chromium)", () => {
  test("a code is asked for once where there is none, and again after it expired", async () => {
    await using importer = await CannedImporter.start({ ...FRESH, pairing: NO_CODE });
    const page = await browser.open(importer.panelUrl);
    await page.getByText("Getting a code…").waitFor();
    importer.change({ pairing: { code: "K7MQ2X", expiresInSeconds: 1, usedBy: null } });
    await page.getByText("K7M Q2X").waitFor();
    await soon(() => importer.calls.length).toBe(2);
    importer.change({ pairing: { code: "ABCDEF", expiresInSeconds: 600, usedBy: null } });
    await page.getByRole("img", { name: "Pairing code A B C D E F" }).waitFor();
    await page.getByText(/Expires in (10|9) min$/).waitFor();
    expect(importer.calls.map(({ path }) => path)).toEqual([
      "/control/pairing-code",
      "/control/pairing-code",
    ]);
  });

  test("a refusal is shown and not asked again, until a click or a new connection", async () => {
    await using importer = await CannedImporter.start({ ...FRESH, pairing: NO_CODE });
    importer.refusals.set("/control/pairing-code", "Too many calls. Try again in 40 s.");
    const page = await browser.open(importer.panelUrl);
    await page.getByText("Too many calls. Try again in 40 s.").waitFor();
    importer.change({ deviceName: "Elsewhere" });
    await page.getByText("Elsewhere").waitFor();
    expect(importer.calls).toHaveLength(1);
    await page.getByRole("button", { name: "Try again" }).click();
    await soon(() => importer.calls.length).toBe(2);
    importer.change({ connection: OFFLINE.connection });
    await page.getByText("You’ll get a code once the relay is back online.").waitFor();
    importer.change({ connection: FRESH.connection });
    await soon(() => importer.calls.length).toBe(3);
  });

  test("after its use the app is named, with one click to unpair it and to have a new code", async () => {
    const [app] = PAIRED.apps;
    const apps = app === undefined ? [] : [{ ...app, isNew: true }];
    const pairing = { ...NO_CODE, usedBy: "Pocket Studio" };
    await using importer = await CannedImporter.start({ ...FRESH, apps, pairing });
    const page = await browser.open(importer.panelUrl);
    const card = page.getByRole("region", { name: "Pair an app" });
    await card.getByText("Paired with Pocket Studio").waitFor();
    expect(importer.calls).toEqual([]);
    await card.getByRole("button", { name: "New code" }).click();
    await card.getByRole("button", { name: "Unpair Pocket Studio" }).click();
    await soon(() => importer.calls.length).toBe(2);
    const asked = importer.calls.map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual(["POST /control/pairing-code", "DELETE /control/apps/pair_1"]);
  });

  test("an older app is unpaired only after a question; Escape keeps it", async () => {
    await using importer = await CannedImporter.start(PAIRED);
    const page = await browser.open(importer.panelUrl);
    const unpair = page.getByRole("button", { name: "Unpair Spoon & Kettle" });
    const focusedText = () => page.evaluate("document.activeElement.innerText");
    await unpair.press("Enter");
    await soon(focusedText).toContain("Keep");
    await page.keyboard.press("Escape");
    await soon(focusedText).toBe("Unpair");
    expect(importer.calls).toEqual([]);
    await unpair.press("Enter");
    await page.getByRole("group", { name: "Unpair Spoon & Kettle?" }).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await soon(() => importer.calls.length).toBe(1);
    importer.change({ apps: PAIRED.apps.filter(({ name }) => name !== "Spoon & Kettle") });
    await soon(() => page.evaluate("document.activeElement.id")).toBe("apps");
  });
});

describeInBrowser("settings (needs Chromium)", () => {
  test("[N4] the first run asks for the relay's address, and says below the field what is wrong", async () => {
    await using importer = await CannedImporter.start(FIRST_RUN);
    importer.refusals.set("/control/relay", "There is no Soundferry relay at this address.");
    const page = await browser.open(importer.panelUrl);
    const field = page.getByRole("textbox", { name: "The relay’s address" });
    await soon(() => field.inputValue()).toBe("https://relay.example.com");
    await soon(() => page.getByRole("heading", { name: "Pair an app" }).count()).toBe(0);
    await field.fill(" relay.test ");
    await field.press("Enter");
    const error = page.getByText("There is no Soundferry relay at this address.");
    await error.waitFor();
    await soon(() => field.getAttribute("aria-describedby")).toBe(await error.getAttribute("id"));
    await soon(() => field.getAttribute("aria-invalid")).toBe("true");
    expect(importer.calls).toEqual([
      { method: "PUT", path: "/control/relay", body: { address: "relay.test" } },
    ]);
    await soon(() => field.inputValue()).toBe(" relay.test ");
  });

  test("[N4] an address that is fixed says why, and has no field", async () => {
    const fixedBecause = "The relay's address is set by SOUNDFERRY_RELAY_URL.";
    const connection = { ...FRESH.connection, fixedBecause };
    await using importer = await CannedImporter.start({ ...FRESH, connection });
    const page = await browser.open(importer.panelUrl);
    await page.getByText("Relay", { exact: true }).click();
    await page.getByText(fixedBecause).waitFor();
    await soon(() => page.getByRole("textbox").count()).toBe(0);
  });

  test("the computer is renamed with Enter; Escape leaves its name", async () => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl);
    const rename = page.getByRole("button", { name: "Rename this computer, Studio Mac" });
    const field = page.getByRole("textbox", { name: "Name of this computer" });
    await rename.press("Enter");
    await field.fill("Nowhere");
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    await soon(() => page.evaluate("document.activeElement.innerText")).toBe("Rename");
    await rename.press("Enter");
    await page.keyboard.type("Kitchen");
    await field.press("Enter");
    await field.waitFor({ state: "detached" });
    expect(importer.calls.map(({ body }) => body)).toEqual([{ device_name: "Kitchen" }]);
  });

  test("[F6][H6] kept files are cleared, and the option is set, with a click each", async () => {
    await using importer = await CannedImporter.start(PAIRED);
    const page = await browser.open(importer.panelUrl);
    await page.getByText("Sounds folder: 48.3 MB, including 2.1 MB from failed imports").waitFor();
    await page.getByRole("button", { name: "Clear 2.1 MB" }).click();
    await page.getByRole("checkbox", { name: "Correct the tempo" }).click();
    await soon(() => importer.calls.length).toBe(2);
    importer.change({
      keptFiles: { bytes: 0, clearableBytes: 0 },
      host: { ...PAIRED.host, settings: [] },
    });
    await page.getByText("Sounds folder: empty").waitFor();
    await soon(() => page.getByRole("checkbox").count()).toBe(0);
    expect(importer.calls).toEqual([
      { method: "DELETE", path: "/control/kept-files", body: undefined },
      { method: "PUT", path: "/control/host-settings/correct-tempo", body: { value: true } },
    ]);
  });
});
