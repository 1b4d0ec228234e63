import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { clipRow, detail, openPreview, sceneRow, showTab } from "./open-preview.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("editing on the preview's page (needs Chromium)", () => {
  test("[V16] an edited field is written back, a wrong one is refused and says why", async () => {
    const { library, page } = await openPreview(browser, ["textures"], { isWatching: true });
    const manifest = join(library, "textures", "manifest.json");
    const before = await readFile(manifest, "utf8");
    await clipRow(page, /^Radiator/).click();
    const name = detail(page).getByLabel("Name", { exact: true });
    await name.fill("Boiler");
    await name.press("Enter");
    await clipRow(page, /^Boiler/).waitFor();
    expect(await readFile(manifest, "utf8")).toBe(before.replace("Radiator", "Boiler"));

    const bpm = detail(page).getByLabel("Own tempo (BPM)");
    await bpm.fill("5");
    await bpm.press("Enter");
    await detail(page).getByText("bpm must be a number from 20 to 999.").waitFor();
    await soon(() => bpm.getAttribute("aria-invalid")).toBe("true");
    await bpm.fill("81,5");
    await bpm.press("Enter");
    await soon(() => readFile(manifest, "utf8")).toContain('"bpm": 81.5');
    await soon(() => bpm.inputValue()).toBe("81.5");
    await bpm.fill("");
    await bpm.press("Enter");
    await soon(() => readFile(manifest, "utf8")).toBe(before.replace("Radiator", "Boiler"));

    // Several at once, with another program's edit in between.
    await clipRow(page, /^Rain/).click();
    await clipRow(page, /^Boiler/).click({ modifiers: ["Shift"] });
    await detail(page).getByRole("heading", { name: "2 sounds" }).waitFor();
    await soon(() => name.getAttribute("placeholder")).toBe("Mixed");
    await detail(page).getByLabel("Role", { exact: true }).selectOption("fx");
    await soon(async () => (await readFile(manifest, "utf8")).split('"fx"').length).toBe(
      before.split('"fx"').length + 2,
    );
    await showTab(page, /^Changes/);
    await soon(() => detail(page).locator(".added").allInnerTexts()).toContainEqual(
      expect.stringContaining('"Boiler"'),
    );
    await soon(() => detail(page).innerText()).toContain(library);
  });

  test("[V16] what is being typed stays when the file changes meanwhile", async () => {
    const { library, page } = await openPreview(browser, ["textures"], { isWatching: true });
    const manifest = join(library, "textures", "manifest.json");
    await clipRow(page, /^Radiator/).click();
    const name = detail(page).getByLabel("Name", { exact: true });
    await name.fill("Boiler");
    await name.press("Enter");
    // Typed before the page has read the first edit back, and left long after.
    await name.fill("Heater");
    await clipRow(page, /^Boiler/).waitFor();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(await name.inputValue()).toBe("Heater");
    await name.press("Enter");
    await clipRow(page, /^Heater/).waitFor();
    expect(await readFile(manifest, "utf8")).toContain('"Heater"');
  });

  test("[V16] a value can be changed back before the page has read it", async () => {
    const { library, page } = await openPreview(browser, ["textures"], { isWatching: false });
    const manifest = join(library, "textures", "manifest.json");
    const before = await readFile(manifest, "utf8");
    await clipRow(page, /^Radiator/).click();
    const name = detail(page).getByLabel("Name", { exact: true });
    await name.waitFor();
    let answers = 0;
    page.on("response", (answer) => {
      if (answer.request().method() === "PATCH") answers += 1;
    });
    // In one go, so that the page reads nothing in between.
    await page.evaluate(`(() => {
      const input = document.querySelector('input[aria-label="Name"]');
      for (const name of ["Boiler", "Radiator"]) {
        input.value = name;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
    })()`);
    await soon(() => answers).toBe(2);
    await soon(() => readFile(manifest, "utf8")).toBe(before);
    await soon(() => name.inputValue()).toBe("Radiator");
  });

  test("[V16] an edit of what has changed on disk is refused, and nothing is lost", async () => {
    const { library, page } = await openPreview(browser, ["textures"]);
    const manifest = join(library, "textures", "manifest.json");
    const other = (await readFile(manifest, "utf8")).replace(
      "Weather, Indoors",
      "Weather, Outdoors",
    );
    await showTab(page, /^Package/);
    await writeFile(manifest, other);
    const title = detail(page).getByLabel("Title");
    await title.fill("Mine");
    await title.press("Enter");
    await detail(page).getByText("has just changed on disk").waitFor();
    expect(await readFile(manifest, "utf8")).toBe(other);
    await sceneRow(page, /^Weather, Outdoors/).waitFor();
    await title.fill("Mine");
    await title.press("Enter");
    await soon(() => readFile(manifest, "utf8")).toBe(other.replace("Weather, Outdoors", "Mine"));
  });
});
