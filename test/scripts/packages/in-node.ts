import { describe, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import type { Projects } from "./project.ts";

/** Every entry of the npm packages loads in Node. */
export function testInNode({ client, react, server }: Projects): void {
  const CLIENT = ["", "/layout", "/node", "/audio", "/element"];
  const LIBRARY = ["core", "addon", "relay", "test/contracts/relay"];
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
