import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { libraryOf, servedPreview } from "./served-preview.ts";

const browser = useBrowser();

describeInBrowser("the preview's page (needs Chromium)", () => {
  test("[V5][V7] opens, shows a fixture, and accepts its layout", async () => {
    const fixture = "half-beat-lengths";
    const library = await libraryOf([fixture]);
    const golden = join(library, fixture, "expected", "layout.json");
    const accepted = await readFile(golden, "utf8");
    await rm(golden);
    const { url } = await servedPreview(library, [fixture]);
    const page = await browser.open(url);

    const tracks = page.getByRole("table", { name: "Seven Eighths & Relatives (Limp)" });
    await soon(() => tracks.getByRole("columnheader").count()).toBe(5);
    await soon(() => tracks.locator(".shape").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "not accepted yet" }).click();
    await page.getByRole("button", { name: "Accept this layout" }).click();
    await page.getByText("accepted", { exact: true }).waitFor();
    expect(await readFile(golden, "utf8")).toBe(accepted);
    await soon(() => page.evaluate("document.activeElement.tagName")).toBe("H2");
  });
});
