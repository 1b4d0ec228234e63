import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { clips, detail, openWide, sceneList, showTab } from "./open-preview.ts";
import { libraryOf, servedPreview } from "./served-preview.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("the preview's page (needs Chromium)", () => {
  test("[V5][V7] opens, shows a fixture, and accepts its layout", async () => {
    const fixture = "half-beat-lengths";
    const library = await libraryOf([fixture]);
    const golden = join(library, fixture, "expected", "layout.json");
    const accepted = await readFile(golden, "utf8");
    await rm(golden);
    const { url } = await servedPreview(library, [fixture]);
    const page = await openWide(browser, url);

    await sceneList(page)
      .getByRole("row", { name: /^Seven Eighths .*not accepted yet/ })
      .waitFor();
    await soon(() => clips(page).getByRole("row").count()).toBe(6);
    await soon(() => clips(page).locator(".shape").count()).toBe(5);
    await showTab(page, /^Layout/);
    const accept = detail(page).getByRole("button", { name: "Accept this layout" });
    await accept.click();
    await sceneList(page)
      .getByRole("row", { name: /^Seven Eighths .*accepted/ })
      .waitFor();
    await detail(page).getByText("This layout matches the accepted one.").waitFor();
    expect(await readFile(golden, "utf8")).toBe(accepted);
    await soon(() => page.evaluate("document.activeElement.innerText")).toBe("Accepted");
  });
});
