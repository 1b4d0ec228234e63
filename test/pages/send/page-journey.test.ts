import { expect, test } from "vitest";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  chooseFiles,
  computerAt,
  field,
  pageElsewhere,
  relayWithPage,
  rowOf,
  sendOnPage,
  sentManifest,
} from "./page-at-work.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("the whole journey of the relay's page (needs Chromium)", () => {
  test("[G2][G3][G6][P10] pairs under its own name by the code in the address, describes, sends to another origin, reads the results, unpairs", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(`${await pageElsewhere(relay.url)}#code=${await code()}`);
    await page.setViewportSize({ width: 1100, height: 720 });
    await soon(() => page.url()).not.toContain("code");
    expect(new URL(page.url()).origin).not.toBe(relay.url);

    const sender = page.getByRole("textbox", { name: "Name of this browser" });
    expect(await sender.inputValue()).toMatch(/^Chrome on ./);
    await sender.fill("Ann's laptop");
    await page.getByRole("button", { name: "Pair", exact: true }).click();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    expect((await importer.apps()).apps).toMatchObject([{ app_name: "Ann's laptop" }]);
    await chooseFiles(
      page,
      "drum-loops-90-126-174/warehouse-126.wav",
      "one-shot-kit/kick-deep.wav",
      "one-shot-kit/clap-room.wav",
    );
    await page.getByRole("textbox", { name: "Scene title" }).fill("Warehouse");
    await rowOf(page, "Clap Room").click();
    await field(page, "Name").fill("Clap!");
    await rowOf(page, "Kick Deep").click();
    await field(page, "Gain in dB").fill("-3,5");
    await page.getByRole("radio", { name: "Pink", exact: true }).click();
    await page.getByText("1 loop at 126 BPM, 2 one-shots → scene Warehouse").waitFor();
    await soon(() => page.locator(".clip-row .shape").count()).toBe(3);

    await sendOnPage(page);
    await page.getByText("Click Import in Soundferry on Studio.").waitFor();
    expect(await sentManifest(importer)).toMatchObject({
      title: "Warehouse",
      source: { app: "Ann's laptop" },
      items: [
        { name: "Clap!", kind: "oneshot", role: "drums" },
        { name: "Kick Deep", kind: "oneshot", gain_db: -3.5, color: "#FF94A6" },
        { name: "Warehouse", kind: "loop", bpm: 126 },
      ],
    });

    const { packages } = await importer.importAll();
    expect(packages.map(({ status }) => status)).toEqual(["imported"]);
    await page.locator(".sent-bar").getByText("All 3 sounds imported", { exact: true }).waitFor();
    await soon(() => page.locator(".clip-state").getByText("Imported").count()).toBe(3);

    await page.getByRole("button", { name: "To Studio", exact: true }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("heading", { name: "Pair with a computer" }).waitFor();
    expect((await importer.apps()).apps).toEqual([]);
  });
});
