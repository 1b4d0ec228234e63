import { test } from "vitest";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { cannedOutcome, readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

const kit = await readCannedPackage("one-shot-kit");
const { packageId, title } = kit.offered;
const run = { packageId, title, progress: null, sounds: {} };
const elsewhere = { packageId, title, otherHost: "dawproject" };
const at = "2026-11-21T12:00:00.000Z";
const result = { outcome: cannedOutcome(kit) };

describeInBrowser("imports into other hosts (needs Chromium)", () => {
  test("[R7] a run says where it goes, beside one of the same package into the importer's own host", async () => {
    const runs = [run, { ...elsewhere, progress: null, sounds: {} }];
    await using importer = await CannedImporter.start({ ...PAIRED, runs }, [kit]);
    const page = await browser.open(importer.panelUrl);
    const bars = page.locator(".pick-list").getByRole("progressbar");
    await soon(() => bars.count()).toBe(2);
    const names = async () => {
      const all = await bars.all();
      return Promise.all(all.map((bar) => bar.getAttribute("aria-label")));
    };
    await soon(names).toEqual([title, `${title} into a DAWproject`]);
  });

  test("[R7] names another host; the package is still waiting, and is imported like a new one", async () => {
    const finished = [{ ...elsewhere, at, result }];
    const state = { ...PAIRED, packages: [kit.offered], finished };
    await using importer = await CannedImporter.start(state, [kit]);
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "History" }).click();
    await page
      .getByText(/^All 10 sounds imported into a DAWproject/)
      .first()
      .waitFor();
    await soon(() => page.getByRole("button", { name: `Import again: ${title}` }).count()).toBe(0);
    await page.getByRole("button", { name: "Waiting" }).click();
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([{ packageId }]);
  });

  test("[R7] a package that went only elsewhere, and waits no more, can be imported from there", async () => {
    const packages = [{ ...kit.offered, status: "imported", results: {} } as const];
    const finished = [{ ...elsewhere, at, result }];
    await using importer = await CannedImporter.start({ ...PAIRED, packages, finished }, [kit]);
    const page = await browser.open(importer.panelUrl);
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("button", { name: `Import: ${title}` }).click();
    await soon(() => importer.calls.map(({ body }) => body)).toEqual([{ packageId }]);
  });
});
