import { expect, test } from "vitest";
import { describeInBrowser, soon, useBrowser } from "../panel/panel-browser.ts";
import { chooseFiles, computerAt, pageElsewhere, relayWithPage } from "./page-at-work.ts";

const browser = useBrowser();

describeInBrowser("the whole journey of the relay's page (needs Chromium)", () => {
  test("[G2][G3][G6] pairs by the code in the address, describes, sends to another origin, reads the results, unpairs", async () => {
    const relay = await relayWithPage();
    const { importer, code } = await computerAt(relay.url);
    const page = await browser.open(`${await pageElsewhere(relay.url)}#code=${await code()}`);
    await soon(() => page.url()).not.toContain("code");
    expect(new URL(page.url()).origin).not.toBe(relay.url);

    await page.getByRole("button", { name: "Pair", exact: true }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).waitFor();
    await chooseFiles(
      page,
      "drum-loops-90-126-174/warehouse-126.wav",
      "one-shot-kit/kick-deep.wav",
      "one-shot-kit/clap-room.wav",
    );
    await page.getByRole("textbox", { name: "Name of sound 3" }).waitFor();
    await page.getByRole("textbox", { name: "Scene title" }).fill("Warehouse");
    await page.getByRole("textbox", { name: "Name of sound 1" }).fill("Clap!");
    await page.getByRole("button", { name: "Yes, warehouse-126 is such a loop" }).click();
    await page.getByRole("combobox", { name: "Role of warehouse-126" }).selectOption("Drums");
    await page.getByRole("textbox", { name: "Gain, dB of kick-deep" }).fill("-3,5");
    await page.getByLabel("Colour of kick-deep").fill("#ff0000");
    await soon(() => page.locator(".outline .shape").count()).toBe(3);

    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    await page.getByText("In Live, right-click a scene → Extensions").last().waitFor();
    const [waiting] = (await importer.packages()).packages;
    expect(waiting?.manifest).toMatchObject({
      title: "Warehouse",
      items: [
        { name: "Clap!", kind: "oneshot" },
        { name: "kick-deep", kind: "oneshot", gain_db: -3.5, color: "#FF0000" },
        { name: "warehouse-126", kind: "loop", role: "drums", bpm: 126 },
      ],
    });

    const { packages } = await importer.importAll();
    expect(packages.map(({ status }) => status)).toEqual(["imported"]);
    await page.getByText("All 3 sounds imported", { exact: true }).waitFor();
    await soon(() => page.getByText("Imported", { exact: true }).count()).toBe(3);

    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("heading", { name: "Pair with a computer" }).waitFor();
    expect((await importer.apps()).apps).toEqual([]);
  });
});
