import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openBrowser } from "../../../cli/commands/importer/open-panel.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { soon } from "../../sim/soon.ts";
import { importerWithPanel } from "./panel-at-work.ts";
import { describeInBrowser, useBrowser } from "./panel-browser.ts";

const browser = useBrowser();

describeInBrowser("the panel's key (needs Chromium)", () => {
  test("[N29] a file opens the panel, and leaves no key in the address, the history or the disk", async () => {
    const { port, secret, panelUrl } = await importerWithPanel(null);
    const home = await temporaryFolder();
    const noted = join(await temporaryFolder(), "noted");
    const code = `require("fs").writeFileSync(${JSON.stringify(noted)}, process.argv[1] + "\\n")`;
    const said: string[] = [];
    await using opening = await openBrowser(
      { port, secret },
      {
        opener: [process.execPath, "-e", code],
        output: { say: (line) => void said.push(line) },
        hasTerminal: true,
        place: { platform: process.platform, home, environment: {} },
      },
    );
    await soon(() => readFile(noted, "utf8").catch(() => "")).toMatch(/\n$/);
    const file = pathToFileURL((await readFile(noted, "utf8")).trim()).href;
    const html = await readFile(new URL(file), "utf8");
    const page = await browser.open(file);
    await page.getByRole("button", { name: "Use the inbox without a relay" }).waitFor();
    const own = `http://127.0.0.1:${port}/`;
    expect(page.url()).toBe(own);
    await opening.done;
    expect([await readdir(home), said]).toEqual([[], []]);
    await page.reload();
    await page.getByRole("button", { name: "Use the inbox without a relay" }).waitFor();
    expect(page.url()).toBe(own);
    // Neither the file nor an address with the key is a page to go back to.
    await page.goBack();
    expect(page.url()).toBe("about:blank");

    // Somebody who kept the file, or its address, gets nothing in another tab.
    const kept = join(home, "kept.html");
    await writeFile(kept, html);
    const other = await browser.open(pathToFileURL(kept).href);
    await other.getByText("This address works only once.").waitFor();
    expect(await other.content()).not.toContain(secret);

    // The lasting address of a terminal leaves no key there, either; pasted into an open page, it works.
    await other.goto(panelUrl);
    await other.getByRole("button", { name: "Use the inbox without a relay" }).waitFor();
    await soon(() => other.url()).toBe(own);
  });
});
