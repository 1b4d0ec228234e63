import { expect, test } from "vitest";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED, readCannedScenes } from "../../../scripts/pictures/canned-states.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";
import { soon } from "../../sim/soon.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();
const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;
const scenes = await readCannedScenes();

/** Opens the panel in a canned scene, with the scene's package in sight. */
async function openScene(name: string, more: Partial<PanelState> = {}) {
  const scene = scenes.find((each) => each.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  const opened = await openPanel(browser, { ...scene.state, ...more }, scene.packages);
  await opened.page.setViewportSize({ width: 1280, height: 720 });
  const main = opened.page.getByRole("region", { name: "Package", exact: true });
  if (scene.showResultOf !== undefined) {
    await opened.page.getByRole("button", { name: "History" }).click();
  }
  return { ...opened, main };
}

describeInBrowser("an import without Live (needs Chromium)", () => {
  test("[N22] a saved package says where it lies in Live's browser, and leads to its folder and into Live", async () => {
    const { importer, page, main } = await openScene("saved");
    const place = "Saved. In Live’s browser: User Library → Samples → Soundferry → Kitchen Kit.";
    await main.getByText(place).waitFor();
    await page.getByText("All 10 sounds saved, 2 min ago").waitFor();
    expect(await main.getByRole("button", { name: /^(Import again|Place)/ }).count()).toBe(0);
    await main.getByRole("button", { name: "Show the folder" }).click();
    await soon(() => importer.calls.map(({ path }) => path)).toEqual([
      `/control/packages/${packageId}/reveal`,
    ]);
    await main.getByRole("button", { name: "Set up Live" }).click();
    await page.getByRole("dialog", { name: "Set up Ableton Live" }).waitFor();
    await page.keyboard.press("Escape");

    const live = { ...PAIRED.host, label: "Live 12.1.5 Standard" };
    importer.change({ host: live, live: LIVE_READY });
    await main.getByRole("button", { name: `Place in Live: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([undefined, { packageId }]);
    expect(await main.getByRole("button", { name: "Set up Live" }).count()).toBe(0);
  });

  test("[N22] once Live answers, the empty list says where the saved packages are", async () => {
    const { page } = await openScene("saved-live-ready");
    await page.getByRole("button", { name: "Waiting" }).click();
    await page.getByText("1 saved package is in the history.").waitFor();
  });

  test("[N22] outside Live's User Library the words name the folder, and what couldn't be saved", async () => {
    const { main } = await openScene("saved-in-part");
    const saved = scenes.find(({ name }) => name === "saved-in-part")?.packages[1];
    const count = saved?.offered.sounds.length ?? 0;
    await main
      .getByText(`${count - 2} of ${count} sounds saved in ~/Music/Soundferry → `)
      .waitFor();
    await main.getByRole("button", { name: "Set up Live" }).waitFor();
    await main.getByRole("button", { name: /^Import again/ }).waitFor();
  });

  test("[N22] a problem that the setup solves is quiet, and its steps fill the pane until a package is picked", async () => {
    const trouble = "Live doesn't answer. Open Live and choose Soundferry.";
    const host = { ...PAIRED.host, trouble };
    const { importer, page, main } = await openScene("script-missing", { host });
    await page.getByText("Live isn’t connected yet.").waitFor();
    expect(await page.getByText(trouble).count()).toBe(0);
    for (const step of ["Install the script", "Restart Live", "Choose Soundferry in Live"]) {
      await main.getByText(step).waitFor();
    }
    importer.change({ packages: [kit.offered] });
    const row = page.locator(".pick-row", { hasText: title });
    await row.waitFor();
    await main.getByText("Install the script").waitFor();
    await row.click();
    await main.getByRole("button", { name: "Import", exact: true }).waitFor();
  });

  test("[N22] the steps stand beside the first pairing code, and none on a computer without Live", async () => {
    const { importer, page } = await openScene("first-live");
    await page.getByText("K7M Q2X").waitFor();
    await page.getByText("Install the script").waitFor();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await soon(() => importer.calls.map(({ path }) => path)).toContain("/control/live/script");
    const { page: other } = await openScene("no-live");
    await other.getByText("Saves into the sounds folder").waitFor();
    await soon(() => other.getByRole("button", { name: "Set up Live" }).count()).toBe(0);
  });

  test("[N22] where another host is used instead of Live, the reason is quiet text", async () => {
    const { page } = await openScene("saved", { live: { ...LIVE_UNSET, script: "current" } });
    const status = page.getByRole("status").filter({ hasText: "Live doesn't answer." });
    await status.waitFor();
    expect(await status.getAttribute("class")).toContain("quiet");
  });
});

describeInBrowser("a Set with little room, and another DAW (needs Chromium)", () => {
  test("[N22] before Import the panel says what fits, until so few sounds are ticked", async () => {
    const { page, main } = await openScene("room");
    const words = main.getByText("This Set has room for 6 tracks: choose up to 6.");
    await words.waitFor();
    await main.getByRole("checkbox", { name: "Choose all" }).click();
    await soon(() => words.count()).toBe(0);
    await main.getByRole("checkbox", { name: "Choose Kick", exact: true }).click();
    await main.getByRole("button", { name: /^Import 1 of 32/ }).waitFor();
    expect(await words.count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("[N22] what had no room is placed with one click", async () => {
    const { importer, main } = await openScene("rest");
    const bus = importer.state.packages[0];
    await main.getByRole("button", { name: "Place the rest: Night Bus Home" }).click();
    const sounds = bus !== undefined && "sounds" in bus ? bus.sounds : [];
    const soundIds = sounds.slice(6).map(({ id }) => id);
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([
      { packageId: bus?.packageId, soundIds },
    ]);
  });

  test("[N22] one click saves the package for another DAW, and the package's own words say how it went", async () => {
    const { importer, main } = await openScene("complete");
    await main.getByRole("button", { name: `Save for another DAW: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([
      { packageId, host: "dawproject", again: true },
    ]);
    const { runs, finished } = importer.state;
    const elsewhere = { packageId, title, otherHost: "dawproject" };
    importer.change({ runs: [...runs, { ...elsewhere, progress: null, sounds: {} }] });
    await main.getByText("Saving for another DAW…").waitFor();
    const [own] = finished;
    if (own === undefined) throw new Error("The scene has no import.");
    importer.change({ runs, finished: [{ ...own, ...elsewhere }, ...finished] });
    await main.getByText("Saved for another DAW: Kitchen Kit.dawproject.").waitFor();
    await main.getByText("All 10 sounds imported", { exact: false }).waitFor();
  });
});
