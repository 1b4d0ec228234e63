import { describe, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import type { Projects } from "./project.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { importerAtWork } from "../../addon/importer-at-work.ts";
import { bytesCode } from "../../client/app-page.ts";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { GERMAN } from "../../../core/messages/de/german.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ESBUILD, serveWithVite, VITE, pageWith, servePage } from "./bundlers.ts";
import { REACT_PAGE, SENDING_PAGE } from "./programs.ts";

/** Every entry of the npm packages loads in Node. */
export function testInNode({ client, react, server }: Projects): void {
  const CLIENT = ["", "/layout", "/node", "/audio", "/element"];
  const LIBRARY = ["core", "addon", "relay", "relay/testing"];
  const entries = [
    ...CLIENT.map((path) => ({ entry: `@soundferry/client${path}`, project: client })),
    { entry: "@soundferry/react", project: react },
    ...LIBRARY.map((path) => ({ entry: `soundferry/${path}`, project: server })),
  ];

  describe("in Node", () => {
    test("[PK2][W11] the client's entries load, and share their classes", async () => {
      await client().write(
        "try.js",
        `import { ClientError, SoundferryClient } from "@soundferry/client";
         import { convert, ClientError as OfAudio } from "@soundferry/client/audio";
         import { SoundferrySend, ClientError as OfElement } from "@soundferry/client/element";
         import { beatsOf } from "@soundferry/client/layout";
         import { IN_NODE, soundFile } from "@soundferry/client/node";
         const codes = [];
         for (const act of [() => beatsOf(new Uint8Array(9), 120), () => soundFile("nowhere.wav")]) {
           await act().catch((error) => codes.push(error instanceof ClientError && error.code));
         }
         const types = [SoundferryClient, IN_NODE.sha256, convert, SoundferrySend].map((one) => typeof one);
         console.log(new Set(types), OfAudio === ClientError, OfElement === ClientError, codes.join());`,
      );
      const codes = "WAV_NOT_RIFF,SOUND_UNREADABLE";
      expect(await client().run("try.js")).toBe(`Set(1) { 'function' } true true ${codes}`);
    });

    test("[PK2] the component renders on a server", async () => {
      await react().write(
        "try.js",
        `import { SoundferrySend } from "@soundferry/react";
         import { createElement } from "react";
         import { renderToString } from "react-dom/server";
         console.log(renderToString(createElement(SoundferrySend, { relay: "http://relay.example" })));`,
      );
      expect(await react().run("try.js")).toBe(
        '<soundferry-send relay="http://relay.example"></soundferry-send>',
      );
    });

    test("[PK2] the library's entries load", async () => {
      await server().write(
        "try.js",
        `import { VERSION } from "soundferry/core";
         import { buildImporter } from "soundferry/addon";
         import { buildRelay } from "soundferry/relay";
         import * as suites from "soundferry/relay/testing";
         console.log(VERSION, typeof buildImporter, typeof buildRelay, Object.keys(suites).length > 5);`,
      );
      expect(await server().run("try.js")).toBe(`${VERSION} function function true`);
    });

    test.each(entries)(
      "[PK3] require loads $entry, and where Node can't it says what to do",
      async ({ entry, project }) => {
        await project().write("try.cjs", `console.log(typeof require("${entry}"));`);
        expect(await project().run("try.cjs")).toBe("object");
        // As in Node before 20.19 and 22.12.
        const failure = await project().runBadly("--no-require-module", "try.cjs");
        expect(failure).toMatch(
          /ERR_REQUIRE_ESM[^]*Instead change the require[^]* to a dynamic import\(\)/,
        );
      },
    );
  });
}

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
