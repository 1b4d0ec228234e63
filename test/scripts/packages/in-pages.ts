import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { importerAtWork } from "../../addon/importer-at-work.ts";
import { bytesCode } from "../../client/app-page.ts";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { GERMAN } from "../../../core/messages/de/german.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ESBUILD, serveWithVite, VITE, pageWith, servePage } from "./bundlers.ts";
import { REACT_PAGE, SENDING_PAGE } from "./programs.ts";
import type { Projects } from "./project.ts";

/** Bundlers without any configuration make working pages. */
export function testInPages({ client, react }: Projects): void {
  const pages = useBrowser();

  describe.each([ESBUILD, VITE])("bundled by $title", ({ title, build }) => {
    test.each([
      { what: "the client", project: client, text: SENDING_PAGE },
      { what: "the component", project: react, text: REACT_PAGE },
    ])("[PK5] $what gives no warning", async ({ project, text }) => {
      await project().write("page.js", text);
      expect(await build(project(), "page.js", title)).toEqual([]);
      expect(await readdir(join(project().folder, title))).toContain("page.js");
    });
  });

  describeInBrowser("in Chromium (needs Chromium)", () => {
    test.each([ESBUILD, VITE])("[PK5] what $title bundled sends a sound", async (bundler) => {
      const { folder } = client();
      await client().write("page.js", SENDING_PAGE);
      await bundler.build(client(), "page.js", `sending-${bundler.title}`);
      await using relay = await RunningRelay.start();
      const { importer } = await importerAtWork(relay.url);
      const { code } = await importer.pairingCode();
      await using server = await servePage(join(folder, `sending-${bundler.title}`));
      const page = await pages.open(server.url);
      const send = `send("${relay.url}", "${code}", ${bytesCode(smallWav())})`;
      expect(await page.evaluate(send)).toEqual({
        status: "waiting",
        scene: "Untitled (App)",
        wavType: "audio/wav",
      });
    });

    test.each([ESBUILD, VITE])(
      "[PK5] the component that $title bundled shows the element in another language",
      async (bundler) => {
        const { folder } = react();
        await react().write("page.js", REACT_PAGE);
        await bundler.build(react(), "page.js", `showing-${bundler.title}`);
        await using server = await servePage(join(folder, `showing-${bundler.title}`));
        const page = await pages.open(server.url);
        await showsGerman(page);
      },
    );

    test("[PK5] Vite shows it while an app is written", async () => {
      await react().write("app.js", REACT_PAGE);
      await react().write("index.html", pageWith("/app.js"));
      await using server = await serveWithVite(react());
      await showsGerman(await pages.open(server.url));
    });
  });
}

/** The element loads the other language as a file of its own. */
async function showsGerman(page: Page): Promise<void> {
  const label = GERMAN["page.pairingCode"];
  if (typeof label !== "string") throw new TypeError("The label has forms for numbers.");
  await page.getByText(label).first().waitFor();
}
