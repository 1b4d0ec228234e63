import { expect, test } from "vitest";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import {
  FIRST_RUN,
  FRESH,
  PAIRED,
  MOVED,
  OFFLINE,
  ASKED,
} from "../../../scripts/pictures/canned-states.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("settings (needs Chromium)", () => {
  test("[N4] the first run asks for the relay's address, and says below the field what is wrong", async () => {
    const { importer, page } = await openPanel(browser, FIRST_RUN);
    importer.refusals.set("/control/relay", "There is no Soundferry relay at this address.");
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
    const { page } = await openPanel(browser, { ...FRESH, connection });
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText(fixedBecause).waitFor();
    await soon(() => page.getByRole("textbox").count()).toBe(0);
  });

  test("the computer is renamed with Enter; Escape leaves its name", async () => {
    const { importer, page } = await openPanel(browser, FRESH);
    await page.getByRole("button", { name: "Settings" }).click();
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

  test("[F6][H6] kept files are cleared after a question, and the option is set with a click", async () => {
    const { importer, page } = await openPanel(browser, PAIRED);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Sounds folder: 48.3 MB, including 2.1 MB that are in no Set").waitFor();
    await page.getByRole("button", { name: "Delete 2.1 MB" }).click();
    const question = page.getByRole("group", { name: /^Delete 2.1 MB\? Soundferry placed/ });
    await question.getByRole("button", { name: "Keep them" }).press("Escape");
    await question.waitFor({ state: "detached" });
    await soon(() => page.evaluate("document.activeElement.id")).toBe("kept");
    expect(importer.calls).toEqual([]);
    await page.getByRole("button", { name: "Delete 2.1 MB" }).click();
    await question.getByRole("button", { name: "Delete 2.1 MB" }).click();
    await page.getByRole("checkbox", { name: "Correct the tempo" }).click();
    await soon(() => importer.calls.length).toBe(2);
    importer.change({
      keptFiles: { bytes: 0, clearableBytes: 0 },
      host: { ...PAIRED.host, settings: [] },
    });
    await page.getByText("Sounds folder: empty").waitFor();
    const option = page.getByRole("checkbox", { name: "Correct the tempo" });
    await soon(() => option.count()).toBe(0);
    expect(importer.calls).toEqual([
      { method: "DELETE", path: "/control/kept-files", body: undefined },
      { method: "PUT", path: "/control/host-settings/correct-tempo", body: { value: true } },
    ]);
  });
});

describeInBrowser("the sounds folder in the settings (needs Chromium)", () => {
  const open = async (soundsFolder: Partial<PanelState["soundsFolder"]>) => {
    const folder = { ...PAIRED.soundsFolder, ...soundsFolder };
    const state: PanelState = { ...PAIRED, soundsFolder: folder, canReveal: "finder" };
    const opened = await openPanel(browser, state);
    await opened.page.getByRole("button", { name: "Settings" }).click();
    const section = opened.page.getByRole("region", { name: "Sounds folder" });
    return { ...opened, section };
  };

  test("[N22] it is shown, opened, and changed; a refusal is shown beside the field", async () => {
    const { importer, page, section } = await open({});
    await section.getByText(PAIRED.soundsFolder.path).waitFor();
    await section.getByText("In Live’s browser: User Library → Samples → Soundferry.").waitFor();
    await section.getByRole("button", { name: "Show the folder" }).click();
    const change = section.getByRole("button", { name: "Change the sounds folder" });
    await change.click();
    const field = section.getByRole("textbox", { name: "Path of the sounds folder" });
    importer.refusals.set("/control/sounds-folder", "Soundferry can’t write there.");
    await field.fill("/Volumes/Sounds");
    await field.press("Enter");
    await section.getByRole("alert").filter({ hasText: "Soundferry can’t write there." }).waitFor();
    importer.refusals.clear();
    await section.getByRole("button", { name: "Use this folder" }).click();
    await change.waitFor();
    await soon(() => page.evaluate("document.activeElement.id")).toBe("change-folder");
    const set = {
      method: "PUT",
      path: "/control/sounds-folder",
      body: { folder: "/Volumes/Sounds" },
    };
    expect(importer.calls).toEqual([
      { method: "POST", path: "/control/sounds-folder/reveal", body: undefined },
      set,
      set,
    ]);
  });

  test.each([
    [{ because: "cloud" }, "Live’s User Library is in a cloud folder"],
    [{ because: "not-writable" }, "Soundferry can’t write to Live’s User Library"],
    [{ fixedBecause: "It is set by SOUNDFERRY_SOUNDS." }, "It is set by SOUNDFERRY_SOUNDS."],
  ] as const)("[N22] it says why it is where it is: %j", async (why, words) => {
    const { section } = await open({ path: "~/Music/Soundferry", isInLibrary: false, ...why });
    await section.getByText(words).waitFor();
    const changes = section.getByRole("button", { name: "Change the sounds folder" });
    expect(await changes.count()).toBe("fixedBecause" in why ? 0 : 1);
  });
});

describeInBrowser("a relay that may have moved (needs Chromium)", () => {
  test("[P9] is asked about with both addresses, and answered with the keyboard", async () => {
    const { importer, page } = await openPanel(browser, MOVED);
    await page.getByRole("button", { name: "Answer" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Is this the same relay, moved?" });
    await dialog.getByText("https://relay.example.com").waitFor();
    await dialog.getByText("https://old.example.org").waitFor();
    importer.refusals.set("/control/relay/moved", "Another relay answers now.");
    await dialog.getByRole("button", { name: "Yes" }).press("Enter");
    await dialog.getByText("Another relay answers now.").waitFor();
    importer.refusals.clear();
    await dialog.getByRole("button", { name: "No" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    const movedFrom = "https://old.example.org";
    expect(importer.calls.map(({ body }) => body)).toEqual([
      { isSame: true, movedFrom },
      { isSame: false, movedFrom },
    ]);
    importer.change({ connection: OFFLINE.connection });
    await soon(() => page.getByRole("button", { name: "Answer" }).count()).toBe(0);
  });
});

/** Clicks meant for what the prompt covers don't count. */
const EARLY_MS = 700;
/** The page's clock, which the test can hold: on a slow machine no click would be early. */
const HELD_CLOCK = `
  const now = performance.now.bind(performance);
  globalThis.heldMs = null;
  performance.now = () => heldMs ?? now();`;

describeInBrowser("an app that asks to pair (needs Chromium)", () => {
  test("[P12] is shown with its name, its network and the sentence, over whatever is open", async () => {
    const { importer, page } = await openPanel(browser, PAIRED);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
    importer.change(ASKED);
    const prompt = page.getByRole("alertdialog", { name: "Let Pocket Studio pair?" });
    await prompt.getByText("In the network 203.0.113.0/24").waitFor();
    await prompt.getByText("Allow only if you entered the code just now.").waitFor();
    const described = (await prompt.getAttribute("aria-describedby")) ?? "";
    const description = await page.locator(`[id="${described}"]`).textContent();
    expect(description).toContain("Allow only if you entered the code just now.");
    await page.locator('[role="alertdialog"]:focus').waitFor();
    importer.change(PAIRED);
    await prompt.waitFor({ state: "detached" });
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
  });

  test("[P12] is answered by its buttons only: no early click, no Escape, no click beside it", async () => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl, { before: HELD_CLOCK });
    await page.getByText("K7M Q2X").waitFor();
    await page.evaluate("heldMs = performance.now()");
    importer.change(ASKED);
    const prompt = page.getByRole("alertdialog");
    await prompt.getByRole("button", { name: "Allow", exact: true }).click();
    for (const key of ["Enter", "Space", "Escape", "Escape"]) await page.keyboard.press(key);
    await page.mouse.click(2, 2);
    await prompt.waitFor();
    const answers = () =>
      importer.calls
        .filter(({ path }) => path === "/control/pairing-request")
        .map(({ body }) => body);
    expect(answers()).toEqual([]);
    await page.evaluate(`heldMs += ${EARLY_MS}`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await soon(answers).toEqual([{ request_id: "req_1", answer: "allow" }]);
    await prompt.getByRole("button", { name: "Don’t allow" }).click();
    await soon(answers).toHaveLength(2);
    expect(answers()[1]).toEqual({ request_id: "req_1", answer: "deny" });
  });

  test("[P12] that can't be answered any more says so", async () => {
    await using importer = await CannedImporter.start(ASKED);
    importer.refusals.set("/control/pairing-request", "This request is over.");
    const page = await browser.open(importer.panelUrl, { before: HELD_CLOCK });
    await page.evaluate(`heldMs = performance.now() + ${EARLY_MS}`);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByRole("alertdialog").getByText("This request is over.").waitFor();
  });

  test.each([
    ["second-address", "The code was entered in two places, so it has ended."],
    ["denied", "You didn’t let the app pair, so the code has ended."],
  ] as const)("[P12] a code that ended early says why: %s", async (ended, sentence) => {
    const { importer, page } = await openPanel(browser, FRESH);
    await page.getByText("K7M Q2X").waitFor();
    importer.change({ pairing: { code: null, expiresInSeconds: null, usedBy: null, ended } });
    await page.getByText(sentence).waitFor();
    await page.getByRole("button", { name: "Get a new code" }).waitFor();
  });
});
