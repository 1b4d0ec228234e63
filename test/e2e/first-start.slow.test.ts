import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appWords } from "../../cli/run-command.ts";
import { isOnlySaved } from "../../core/protocol/package-status.ts";
import { makeMachine } from "../cli/run-soundferry.ts";
import { pairedApp, readCode } from "../pages/panel/panel-at-work.ts";
import { describeInBrowser, useBrowser } from "../pages/panel/panel-browser.ts";
import { soon } from "../sim/soon.ts";

const browser = useBrowser();

/** Counts what a person does in a page from now on: every click and every key. */
const COUNT = `
  window.acts = 0;
  for (const kind of ["click", "keydown"]) {
    addEventListener(kind, (event) => { if (event.isTrusted) window.acts += 1; }, true);
  }
`;

describeInBrowser("the first start without Live (needs Chromium)", () => {
  test("[R16] from pairing to sounds in the folder, a person opens the package and clicks Import", async () => {
    await using machine = await makeMachine();
    const app = machine.start(appWords(["--json", "--no-open"]));
    await app.until(({ stdout }) => stdout.endsWith("\n"));
    const {
      panel_url: panelUrl,
      relay_url: relayUrl,
      sounds_folder: sounds,
    } = JSON.parse(app.stdout);
    const page = await browser.open(panelUrl);
    const { client, send } = await pairedApp(relayUrl, await readCode(page), "Spoon");
    await page.evaluate(COUNT);

    const { packageId } = await send("one-shot-kit");
    await page.getByRole("button", { name: "Show 1 package" }).click();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await soon(async () => (await client.status(packageId)).status).toBe("imported");

    expect(await page.evaluate("window.acts")).toBeLessThanOrEqual(2);
    expect(isOnlySaved((await client.status(packageId)).results)).toBe(true);
    const files = await readdir(join(sounds, "Kitchen Kit"));
    expect(files.filter((name) => name.endsWith(".wav"))).toHaveLength(10);
  });
});
