import { expect, test } from "vitest";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { FRESH_BROWSER, PAIRED_BROWSER } from "./canned-browser.ts";
import { openScreens, type Screens } from "./screens-page.ts";

const browser = useBrowser();
const kit = await readCannedPackage("one-shot-kit");
const bass = await readCannedPackage("bass-lines");
const WITH_PACKAGES = { ...PAIRED_BROWSER, packages: [kit.offered, bass.offered] };

/** A browser's own question for a folder, which nobody can answer in a test: the first is cancelled. */
const PICKER = `
let asked = 0;
window.showDirectoryPicker = async () => {
  if (asked++ === 0) throw new DOMException("Nobody chose.", "AbortError");
  return { name: "Samples" };
};`;

const importButton = ({ page }: Screens) =>
  page.locator(".package-bar").getByRole("button", { name: "Import", exact: true });

const imports = async (screens: Screens) =>
  (await screens.calls()).filter(([, call]) => call === "beginRun").map(([, , to]) => to);

/** A browser that receives, with two packages that wait. */
async function openPackages(before?: string): Promise<Screens> {
  const screens = await openScreens(browser, before);
  await screens.show(WITH_PACKAGES, kit.plan);
  await screens.page.setViewportSize({ width: 1100, height: 720 });
  await importButton(screens).waitFor();
  return screens;
}

describeInBrowser("receiving in a browser, on canned states (needs Chromium)", () => {
  test("[RC21] the first visit says what Receive is, and registers under the name in the field", async () => {
    const screens = await openScreens(browser);
    const { page } = screens;
    const words = await page.locator("main > p:not(.quiet)").first().textContent();
    expect(words?.match(/\.(?= |$)/g)).toHaveLength(2);
    expect(await page.getByRole("button").count()).toBe(1);
    expect(await screens.calls()).toEqual([]);
    const name = page.getByLabel("Name of this browser");
    expect(await name.inputValue()).toBe("Chrome on Linux");
    await name.fill("Kitchen");
    await page.getByRole("button", { name: "Receive" }).click();
    await soon(() => screens.calls()).toEqual([["begin", "Kitchen"]]);
    await screens.show(FRESH_BROWSER);
    await page.getByRole("img", { name: "Pairing code K 7 M Q 2 X" }).waitFor();
    await page.getByRole("img", { name: "The pairing code to scan with a phone" }).waitFor();
  });

  test("[RC21] a field for a key is there once the relay wants one, and its refusal is shown", async () => {
    const screens = await openScreens(browser);
    const { page } = screens;
    expect(await page.getByLabel("Registration key").count()).toBe(0);
    await screens.refuse("The registration key is wrong.");
    await page.getByRole("button", { name: "Receive" }).click();
    await screens.change({ needsKey: true });
    await page.getByRole("alert").getByText("The registration key is wrong.").waitFor();
    await page.getByLabel("Registration key").fill("reg_1");
    await page.getByLabel("Registration key").press("Enter");
    await soon(() => screens.calls()).toEqual([
      ["begin", "Chrome on Linux"],
      ["begin", "Chrome on Linux", "reg_1"],
    ]);
  });

  test("[RC22] a browser that can't receive gets a sentence and no button", async () => {
    const screens = await openScreens(browser);
    const { page } = screens;
    await screens.change({ stage: "unable" });
    await page.getByText("This browser can’t keep files for this page.").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await page.goto(page.url().replace("127.0.0.1", "relay.example"));
    await screens.change({ stage: "unable" });
    await page.getByText("On a plain http address").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("[RC23] the first import asks where it goes, later ones don't", async () => {
    const screens = await openPackages(PICKER);
    const { page } = screens;
    await importButton(screens).click();
    await page.getByText("Tip: choose Live’s User Library → Samples.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page
      .getByRole("alert")
      .getByText("Nothing was imported. First choose where imports go.")
      .waitFor();
    await importButton(screens).click();
    const choose = page.getByRole("button", { name: "Choose a folder" });
    await choose.click();
    // The person closed the browser's question: ours stays.
    await choose.click();
    await choose.waitFor({ state: "detached" });
    await soon(() => imports(screens)).toHaveLength(1);
    await page.getByRole("button", { name: "Import: Kitchen Kit" }).click();
    await soon(() => imports(screens)).toHaveLength(2);
    expect((await screens.calls()).map(([name]) => name)).toEqual(["useFolder", "send", "send"]);
  });

  test("[RC23] a browser that can't write into folders offers ZIPs alone", async () => {
    const screens = await openPackages();
    const { page } = screens;
    await screens.change({ canPickFolder: false });
    await importButton(screens).click();
    await page.getByText("This browser can’t write into a folder.").waitFor();
    expect(await page.getByRole("button", { name: "Choose a folder" }).count()).toBe(0);
    await page.getByRole("button", { name: "Save as ZIP" }).click();
    await soon(() => imports(screens)).toHaveLength(1);
  });

  test("[RC24] a ZIP is saved once it is there, and again with its button", async () => {
    const screens = await openPackages();
    const { page } = screens;
    const { packageId } = kit.offered;
    const first = page.waitForEvent("download");
    const url = await page.evaluate<string>(`URL.createObjectURL(new Blob(["zip"]))`);
    const zip = { packageId, fileName: "Kitchen Kit.zip", url, sizeBytes: 3 };
    await screens.change({ zips: [zip] });
    expect((await first).suggestedFilename()).toBe("Kitchen Kit.zip");
    let downloads = 0;
    page.on("download", () => {
      downloads += 1;
    });
    // Another change doesn't save it again; only the button does.
    await screens.change({ zips: [{ ...zip }] });
    await page.getByRole("row", { name: /^Kitchen Kit/ }).click();
    await page.getByRole("button", { name: "Save the ZIP again: Kitchen Kit" }).click();
    await soon(() => downloads).toBe(1);
    await page.getByRole("row", { name: /^Below the Floorboards/ }).click();
    await soon(() => page.getByRole("button", { name: /^Save the ZIP again/ }).count()).toBe(0);
  });

  test("[RC25] the settings change where imports go, and add a Live Set", async () => {
    const screens = await openPackages();
    const { page } = screens;
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("The first import asks where they go.").waitFor();
    await page.getByRole("button", { name: "Save as ZIP" }).click();
    await page.getByText("Each package is saved as one ZIP.").waitFor();
    await page.getByText("Not yet opened in a real Live.").waitFor();
    const tick = page.getByLabel("Also write a Live Set (experimental)");
    await tick.check();
    await screens.change({ place: { kind: "folder", name: "Samples", asksAgain: true } });
    await page.getByText("They go into the folder Samples.").waitFor();
    await page.getByText("the browser asks you to allow the folder again").waitFor();
    expect(await screens.calls()).toEqual([["useZip"], ["writeLiveSets", true]]);
    // What only an importer on a computer has.
    expect(await page.getByRole("heading", { name: "Sounds folder" }).count()).toBe(0);
    expect(await page.getByLabel("The relay’s address").count()).toBe(0);
  });

  test("[RC25] a browser is forgotten after a question, and here alone if the relay is away", async () => {
    const screens = await openPackages();
    const { page } = screens;
    await page.getByRole("button", { name: "Settings" }).click();
    const forget = page.getByRole("button", { name: "Forget this browser" });
    await forget.click();
    await page.getByText("The relay deletes the packages that wait for this browser").waitFor();
    await page.keyboard.press("Escape");
    expect(await screens.calls()).toEqual([]);
    await forget.click();
    await screens.refuse("The relay does not answer.");
    await forget.click();
    await page.getByRole("alert").getByText("The relay does not answer.").waitFor();
    await screens.refuse(null);
    await page.getByRole("button", { name: "Forget only here" }).click();
    await page.getByRole("button", { name: "Receive" }).waitFor();
    expect(await screens.calls()).toEqual([
      ["forget", { onlyHere: false }],
      ["forget", { onlyHere: true }],
    ]);
  });

  test("[RC26] a second tab says that another one receives, and takes over when asked", async () => {
    const screens = await openScreens(browser);
    const { page } = screens;
    await screens.change({ stage: "elsewhere" });
    await page.getByText("Only one tab of a browser receives at a time.").waitFor();
    await page.getByRole("button", { name: "Receive here instead" }).click();
    await soon(() => screens.calls()).toEqual([["takeOver"]]);
  });
});
