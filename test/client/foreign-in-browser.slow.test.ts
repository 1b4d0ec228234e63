import { expect, test } from "vitest";
import { clientCode, describeInBrowser, startOpenStandIn, useAppPages } from "./app-page.ts";
import type { StandInAnswer } from "./stand-in-relay.ts";

const pages = useAppPages();
const ME = { body: { device_name: "Studio", app_name: "Looper" } };
const FOREIGN = "FOREIGN_ANSWER";
const SIGN_IN = { body: "<h1>Sign in</h1>", isForeign: true };
const REDIRECT = { status: 302, headers: { Location: "/sign-in" }, body: "", isForeign: true };

describeInBrowser(
  "an answer in the relay's place, in a page of another origin (needs Chromium)",
  () => {
    test.each<[string, StandInAnswer, readonly (string | undefined)[]]>([
      ["a page", SIGN_IN, [FOREIGN, FOREIGN]],
      ["a redirect", REDIRECT, [FOREIGN, FOREIGN]],
      ["a refusal", { status: 403, body: "No", isForeign: true }, [FOREIGN, FOREIGN]],
      [
        "the relay's refusal",
        { status: 409, body: { error: "No.", code: "BUSY" } },
        ["BUSY", "BUSY"],
      ],
      ["the relay's answer", { body: { file: "a.wav" } }, ["a.wav", undefined]],
    ])("[W41] an upload and a withdrawal that get %s", async (_, given, expected) => {
      let isKnown = false;
      // An upload follows its redirect; a withdrawal doesn't.
      let isRedirected = false;
      await using relay = await startOpenStandIn(() => {
        if (!isKnown) return ME;
        isRedirected = given === REDIRECT && !isRedirected;
        return given === REDIRECT && !isRedirected ? SIGN_IN : given;
      });
      const page = await pages.open();
      await page.exposeFunction("know", () => {
        isKnown = true;
      });
      const outcomes = await page.evaluate(`(async () => {
      const client = ${clientCode(relay.port)};
      const outcome = (call) => call.then((answer) => answer?.file, ({ code }) => code);
      await client.me();
      await know();
      const upload = await outcome(client.upload("/a.wav", new Blob(["x"])));
      return [upload, await outcome(client.withdraw("pkg_1"))];
    })()`);
      expect(outcomes).toEqual(expected);
    });
  },
);
