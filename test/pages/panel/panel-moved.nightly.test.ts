import { expect, test } from "vitest";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import { MOVED, OFFLINE } from "../../../scripts/pictures/canned-states.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("a relay that may have moved (needs Chromium)", () => {
  test("[P9] is asked about with both addresses, and answered with the keyboard", async () => {
    await using importer = await CannedImporter.start(MOVED);
    const page = await browser.open(importer.panelUrl);
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
