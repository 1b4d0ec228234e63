import { Buffer } from "node:buffer";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { smallWav } from "../../wav-bytes.ts";
import { dropOnPage, chosen, addFiles } from "./test-sounds.ts";
import {
  openerOfWidePages,
  FIXTURES,
  pairedPage,
  rowNames,
  rowOf,
  sendOnPage,
  sentManifest,
} from "./page-at-work.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
const wideOpen = openerOfWidePages(browser);

/** Five loops and five hits under a producer's names, with what each of them is. */
const FILES = [
  ["Warehouse_Groove_126bpm.wav", "drum-loops-90-126-174/warehouse-126.wav", "loop", 126],
  ["DnB_Steppers_174.wav", "drum-loops-90-126-174/steppers-174.wav", "loop", 174],
  ["boombap break 90.wav", "drum-loops-90-126-174/boom-bap-90.wav", "loop", 90],
  ["ACID_RUNNER_124_Am.wav", "bass-lines/acid-runner.wav", "loop", 124],
  ["Vox Call Answer 110 BPM Amin.wav", "vocal-chops/call-and-answer.wav", "loop", 110],
  ["Kick_Deep_01.wav", "one-shot-kit/kick-deep.wav", "oneshot", undefined],
  ["SD Fat.wav", "one-shot-kit/snare-fat.wav", "oneshot", undefined],
  ["Clap-Room.wav", "one-shot-kit/clap-room.wav", "oneshot", undefined],
  ["HH_Open.wav", "one-shot-kit/hat-open.wav", "oneshot", undefined],
  ["TOM hi 808.wav", "one-shot-kit/tom-high.wav", "oneshot", undefined],
] as const;

describeInBrowser("a first drop on the relay's page (needs Chromium)", () => {
  test("[G10] ten files of a producer are right in kind and tempo, and sent with one click", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const folder = join(await temporaryFolder(), "Kitchen Kit");
    await mkdir(folder);
    for (const [name, fixture] of FILES)
      await copyFile(join(FIXTURES, fixture), join(folder, name));
    await dropOnPage(page, folder);
    await page.getByText("10 sounds added.").waitFor();
    await page.getByText(/^5 loops at 90–174 BPM, 5 one-shots → scene Kitchen Kit/).waitFor();
    await sendOnPage(page);
    const manifest = await sentManifest(importer);
    expect(manifest.title).toBe("Kitchen Kit");
    const items = manifest.items;
    const sorted = FILES.toSorted(([one], [other]) =>
      new Intl.Collator("en", { numeric: true }).compare(one, other),
    );
    expect(items.map(({ kind, bpm }) => [kind, bpm])).toEqual(
      sorted.map(([, , kind, bpm]) => [kind, bpm]),
    );
  });

  test("[G10] what is undecided is asked for all sounds at once, and never sent in silence", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const odd = smallWav({ frames: 44_100 * 3 + 12_345 });
    await addFiles(
      page,
      chosen("Idea.wav", odd),
      chosen("Idea two.wav", odd),
      chosen("Drum Loop.wav", odd),
      chosen("Kick.wav", smallWav()),
    );
    const asked = page.getByRole("group", { name: "2 sounds: loops or one-shots? Idea Two, Idea" });
    await asked.waitFor();
    const send = page.getByRole("button", { name: "Send to Studio" });
    // It can be clicked: it says what is missing.
    await send.click({ force: true });
    await soon(() => page.evaluate("document.activeElement.textContent")).toBe("Loop");
    expect((await importer.packages()).packages).toEqual([]);
    await asked.getByRole("button", { name: "Loop" }).click();

    const tempo = page.getByRole("textbox", { name: "Tempo in BPM" }).last();
    await send.click({ force: true });
    await soon(() => page.evaluate("document.activeElement.id")).toBe("question");
    await tempo.fill("80");
    await page.getByRole("button", { name: "Set tempo" }).click();
    await page.locator(".question").waitFor({ state: "detached" });
    await sendOnPage(page);
    const { items } = await sentManifest(importer);
    expect(items.map(({ kind, bpm }) => [kind, bpm])).toEqual([
      ["loop", 80],
      ["loop", 80],
      ["loop", 80],
      ["oneshot", undefined],
    ]);
  });

  test("[G10] loops without a tempo take the likely ones with one click, each its own", async () => {
    const { importer, page } = await pairedPage(browser.open);
    const seconds = (count: number) => smallWav({ frames: Math.round(44_100 * count) });
    await addFiles(
      page,
      chosen("Drum Loop.wav", seconds(3.2801)),
      chosen("Perc Loop.wav", seconds(5.1371)),
    );
    await page.getByText("2 loops have no tempo: Drum Loop, Perc Loop").waitFor();
    const likely = page.getByRole("button", { name: "Likely tempo" });
    const box = await likely.boundingBox();
    const typed = page.getByRole("textbox", { name: "Tempo in BPM" }).last();
    await typed.fill("80");
    const set = page.getByRole("button", { name: "Set tempo" });
    expect(await set.boundingBox()).toEqual(box);
    await typed.fill("");
    await likely.click();
    await page.locator(".question").waitFor({ state: "detached" });
    await sendOnPage(page);
    const { items } = await sentManifest(importer);
    expect(items.map(({ bpm, length_beats }) => [bpm, length_beats])).toEqual([
      [expect.closeTo(146.337, 2), 8],
      [expect.closeTo(93.438, 2), 8],
    ]);
  });

  test("[G3] a guess is shown with its reason and its key, a change is a person's and stays", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    const wav = smallWav({ frames: 44_100 * 4 });
    await addFiles(page, chosen("Amen Loop 120 BPM Cmin.wav", wav), chosen("Break.wav", wav));
    await rowOf(page, "Amen Loop").click();
    await page.getByText("Key: C minor").waitFor();
    await page.getByText("120 BPM").first().waitFor();
    await page.locator(".sound-detail").getByLabel("Tempo in BPM").fill("60");
    await soon(() => rowOf(page, "Amen Loop").locator(".clip-beats").innerText()).toBe("4");
    await page.getByRole("textbox", { name: "Tempo", exact: true }).fill("90");
    await soon(() => rowOf(page, "Amen Loop").locator(".clip-bpm").innerText()).toBe("60");
    await soon(() => rowOf(page, "Break").locator(".clip-bpm").innerText()).toBe("90");
    await sendOnPage(page);
    const manifest = await sentManifest(importer);
    expect(manifest.items.map(({ bpm }) => bpm)).toEqual([60, 90]);
    expect(JSON.stringify(manifest)).not.toContain("minor");
  });

  test("[G3] a field changes all selected sounds at once", async () => {
    const { importer, page } = await pairedPage(wideOpen);
    await page
      .getByLabel("Sound files")
      .setInputFiles(["Kick.wav", "Snare.wav", "Hat.wav"].map((name) => chosen(name, smallWav())));
    await soon(() => rowNames(page)).toEqual(["Hat", "Kick", "Snare"]);
    await rowOf(page, "Hat").click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("3 sounds selected").first().waitFor();
    await page.locator(".sound-detail").getByLabel("Role").selectOption("FX");
    await page.locator(".sound-detail").getByLabel("Gain in dB").fill("-6");
    await sendOnPage(page);
    const { items } = await sentManifest(importer);
    expect(items.map(({ role, gain_db: gain }) => [role, gain])).toEqual([
      ["fx", -6],
      ["fx", -6],
      ["fx", -6],
    ]);
  });

  test("[G4] a file that fails doesn't hold back the others", async () => {
    const { page } = await pairedPage(browser.open);
    await addFiles(
      page,
      chosen("Broken.aif", Buffer.from("FORM\0\0\0\u0010AIFFCOMM")),
      chosen("Kick.wav", smallWav()),
      chosen("Notes.mp3", Buffer.from("no sound")),
      chosen("Snare.wav", smallWav()),
    );
    await soon(() => rowNames(page)).toEqual(["Kick", "Snare"]);
    await page.getByRole("button", { name: "2 files can’t be sent" }).waitFor();
    await sendOnPage(page);
  });
});
