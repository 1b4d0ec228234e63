import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withMany } from "../../../scripts/pictures/canned-many.ts";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { openPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();
const kit = await readCannedPackage("one-shot-kit");
const bass = await readCannedPackage("bass-lines");
const { packages: many } = withMany(PAIRED, kit);

const titles = (page: Page) => page.locator(".pick-row bdi").allInnerTexts();

describeInBrowser("a long list of packages (needs Chromium)", () => {
  test("[N24] is searched and filtered with the keyboard, and stays still while packages arrive", async () => {
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages: many }, [kit, bass]);
    await soon(async () => (await titles(page)).slice(0, 3)).toEqual([
      kit.offered.title,
      "Kit 11",
      "Kit 10",
    ]);
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.focus();
    await page.keyboard.type("kit 1");
    await soon(() => titles(page)).toEqual(["Kit 11", "Kit 10", "Kit 1"]);
    await page.getByText("3 packages found").waitFor({ state: "attached" });
    const where = await page.locator(".pick-row").first().boundingBox();
    const arrived = { ...bass.offered, title: "Kit 19" };
    const imported = many.map((one) =>
      one.title === "Kit 10" ? Object.assign({}, one, { status: "imported", results: {} }) : one,
    );
    importer.change({ packages: [arrived, ...imported] });
    await soon(() => titles(page)).toEqual(["Kit 11", "Kit 10", "Kit 1", "Kit 19"]);
    expect(await page.locator(".pick-row").first().boundingBox()).toEqual(where);
    await page.keyboard.press("Escape");
    await soon(() => search.inputValue()).toBe("");
    await soon(async () => (await titles(page))[0]).toBe("Kit 19");

    const filter = page.getByRole("combobox", { name: "Show" });
    await filter.selectOption(arrived.appName);
    await soon(() => titles(page)).toEqual(["Kit 19"]);
    await filter.selectOption("Imported");
    await page.getByText("No package matches.").waitFor();
    await filter.selectOption("All");
    await soon(async () => (await titles(page)).length).toBeGreaterThan(1);
    await page.getByRole("button", { name: "History" }).click();
    await soon(() => titles(page)).toEqual(["Kit 10"]);
    expect(await search.count()).toBe(0);
  });

  test("[N24] up to 10 packages there is no search, nor once more arrive", async () => {
    const { importer, page } = await openPanel(browser, { ...PAIRED, packages: many.slice(2) });
    await soon(async () => (await titles(page))[0]).toBe("Kit 1");
    importer.change({ packages: many });
    await page.getByRole("button", { name: "Import all 12" }).waitFor();
    const search = page.getByRole("searchbox");
    expect(await search.count()).toBe(0);
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("button", { name: "Waiting" }).click();
    await search.waitFor();
    await soon(async () => (await titles(page))[0]).toBe(kit.offered.title);
  });
});
