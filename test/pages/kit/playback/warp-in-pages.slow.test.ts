import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ENGLISH } from "../../../../core/messages/en/english.ts";
import { describeInBrowser, useBrowser } from "../../panel/panel-browser.ts";
import {
  editFile,
  sceneList,
  transport,
  libraryOf,
  servedPreview,
  transportButton,
  sceneButton,
} from "../../preview/open-preview.ts";
import { CannedImporter } from "../../../../scripts/pictures/canned-importer.ts";
import { readCannedPackage } from "../../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../../scripts/pictures/canned-states.ts";
import { RECORD_SOURCES, type StartedSource } from "./warp-page.ts";
import { soon } from "../../../sim/soon.ts";

const browser = useBrowser();
const PAGE_HZ = 48_000;

async function openPreviewAtWork(
  fixtures: readonly string[],
  prepare: (library: string) => Promise<void> = async () => {},
) {
  const library = await libraryOf(fixtures);
  await prepare(library);
  const { url } = await servedPreview(library, fixtures);
  const page = await browser.open("about:blank", { before: RECORD_SOURCES });
  onTestFinished(() => page.close());
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(url);
  await sceneList(page).waitFor();
  const started = (): Promise<readonly StartedSource[]> => page.evaluate("started");
  return { page, started };
}

describeInBrowser("warping in the preview's own page (needs Chromium)", () => {
  test("[V10][N10] the page of drums at 90, 126 and 174 BPM plays all at the scene's tempo, warped", async () => {
    const { page, started } = await openPreviewAtWork(["drum-loops-90-126-174"]);
    await transportButton(page, /^Play/).click();
    await soon(() => page.getByText(ENGLISH["playback.approximation"]).count()).toBeGreaterThan(0);
    const first = Math.round((8 * 60 * PAGE_HZ) / 90);
    // On a slow machine the first one has had more passes by the time the last one comes in.
    await soon(async () => new Set((await started()).map(({ buffer }) => buffer)).size).toBe(3);
    expect((await started()).every(({ frames }) => frames === first)).toBe(true);
    expect((await started()).every(({ rate }) => rate === 1)).toBe(true);
    const tempo = transport(page).getByRole("spinbutton", { name: /tempo/i });
    await tempo.fill("100");
    await tempo.press("Enter");
    const frames = Math.round((8 * 60 * PAGE_HZ) / 100);
    await soon(async () => (await started()).some((one) => one.frames === frames)).toBe(true);
  });

  test("[V13] another scene takes over on a bar of three beats", async () => {
    const { page, started } = await openPreviewAtWork(
      ["drum-loops-90-126-174", "textures"],
      (library) =>
        editFile(join(library, "drum-loops-90-126-174", "manifest.json"), (text) =>
          text.replace(/^\{/, '{ "tempo": { "bpm": 126, "time_signature": [6, 8] },'),
        ),
    );
    await transportButton(page, /^Play/).click();
    await soon(async () => (await started()).length).toBeGreaterThan(0);
    const origin = (await started())[0]?.startSeconds ?? 0;
    await sceneButton(page, /^Weather/, /^Play/).click();
    await transportButton(page, /^Stop Weather/).waitFor();
    const drumFrames = Math.round((8 * 60 * PAGE_HZ) / 126);
    const others = async (): Promise<readonly StartedSource[]> =>
      (await started()).filter(({ frames }) => frames !== drumFrames);
    await soon(async () => (await others()).length).toBeGreaterThan(0);
    const bars = (((await others())[0]?.startSeconds ?? 0) - origin) / ((3 * 60) / 126);
    expect(bars).toBeGreaterThan(0.5);
    expect(bars).toBeCloseTo(Math.round(bars), 6);
  });
});

const drums = await readCannedPackage("drum-loops-90-126-174");
const SESSION_BPM = 110;
const STATE = {
  ...PAIRED,
  packages: [drums.offered],
  host: { ...PAIRED.host, tempoBpm: SESSION_BPM },
};

describeInBrowser("warping in the panel's own page (needs Chromium)", () => {
  const isDialog = [
    { where: "in a browser, a loop is heard at the session's tempo, warped", isIn: false },
    { where: "in Live's dialog, it is repitched, and the page says so", isIn: true },
  ];
  test.each(isDialog)("[V14][V11][N10] $where", async ({ isIn }) => {
    await using importer = await CannedImporter.start(STATE, [drums]);
    const url = isIn ? await importer.dialogUrl() : importer.panelUrl;
    const page = await browser.open(url, { before: RECORD_SOURCES });
    onTestFinished(() => page.close());
    await page.getByRole("button", { name: "Play Boom Bap" }).click();
    const notice = ENGLISH[isIn ? "playback.repitched" : "playback.approximation"];
    await soon(() => page.getByText(notice).count()).toBeGreaterThan(0);
    await soon(() => page.evaluate("started.length")).toBeGreaterThan(0);
    const [source] = await page.evaluate<StartedSource[]>("started");
    // Eight beats of 90 BPM.
    const bpm = isIn ? 90 : SESSION_BPM;
    expect(source?.frames).toBe(Math.round((8 * 60 * PAGE_HZ) / bpm));
    expect(source?.rate).toBeCloseTo(isIn ? SESSION_BPM / 90 : 1, 6);
  });
});
