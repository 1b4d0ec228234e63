import { expect, test } from "vitest";
import { computerAt, relayWithPage } from "../../pages/send/page-at-work.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser, pairElement, tenLines, useElementPages } from "../app-page.ts";

const pages = useElementPages();

describeInBrowser("more than a package holds, in <soundferry-send> (needs Chromium)", () => {
  test("[W34][G20] asks, sends the packages one after the other, and shows each", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await pages.open(tenLines(relay.url));
    await pairElement(page, await code());
    const files = Array.from({ length: 33 }, (_, index) => ({
      name: `Hit One Shot ${index + 1}.wav`,
      mimeType: "audio/wav",
      buffer: smallWav(),
    }));
    await page.locator("input[type=file]").setInputFiles(files);
    await page.getByText("33 sounds in total; one package holds 32.").waitFor();
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await button("Send to Studio").click();
    await soon(() => page.locator("#errors").innerText()).toContain("33 sounds in total");
    await button("2 packages, 2 scenes").click();
    await page.getByRole("textbox", { name: "Scene title" }).fill("Kit");
    await button("Send to Studio").click();
    for (const title of ["Kit (1 of 2)", "Kit (2 of 2)"]) {
      await page.getByText(title, { exact: true }).waitFor();
    }
    await soon(() => page.getByText("Waiting for Import", { exact: true }).count()).toBe(2);
    const { packages } = await importer.packages();
    expect(packages.map(({ manifest: { items } }) => items.length)).toEqual(
      expect.arrayContaining([1, 32]),
    );
    await button("Send more").click();
    await soon(() => page.getByText("Kit (1 of 2)", { exact: true }).isVisible()).toBe(false);
  });
});
