import { expect, test } from "vitest";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { FIRST_RUN, FRESH, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

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
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText(fixedBecause).waitFor();
    await soon(() => page.getByRole("textbox").count()).toBe(0);
  });

  test("the computer is renamed with Enter; Escape leaves its name", async () => {
    await using importer = await CannedImporter.start(FRESH);
    const page = await browser.open(importer.panelUrl);
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

  test("[F6][H6] kept files are cleared, and the option is set, with a click each", async () => {
    await using importer = await CannedImporter.start(PAIRED);
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "Settings" }).click();
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
