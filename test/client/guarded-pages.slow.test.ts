import { describe, expect, onTestFinished, test } from "vitest";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { readPages } from "../docs/read-pages.ts";
import { soon } from "../sim/soon.ts";
import { smallWav } from "../wav-bytes.ts";
import { bytesCode, describeInBrowser, tenLines } from "./app-page.ts";
import { type Answer, type Space, useGuardedPages } from "./guarded-pages.ts";
import { startStandIn } from "./stand-in-relay.ts";

// Pages of the internet in a Chromium that guards this computer and the local network (Local Network Access).
const pages = useGuardedPages();

const CLIENT = `<!doctype html><title>App</title><script type="module">
import * as soundferry from "/client.js";
globalThis.clientOf = (relayUrl, token) => new soundferry.SoundferryClient({
  relayUrl, tokenStore: new soundferry.MemoryTokenStore(token), app: { name: "Looper", id: "1" },
});
</script>`;
const DRAFT = `{ title: "Take one", sounds: [{ source: ${bytesCode(smallWav())}, name: "Hit" }] }`;
/** A relay of the internet. */
const FAR = "http://relay.example";

const DENIED =
  "The browser doesn't let this page reach the relay at HOST. Allow it in the settings beside the page's address.";
const MAY_ASK =
  "If the browser asks whether this page can reach devices there, allow it. Otherwise, check that the relay is running.";
const ASKING = {
  loopback: `The relay is on this computer (HOST). ${MAY_ASK}`,
  local: `The relay is in your own network (HOST). ${MAY_ASK}`,
} as const;

async function openClient(answer: Answer, open = pages.open) {
  const guarded = await open(CLIENT, answer);
  await guarded.page.waitForFunction("globalThis.clientOf !== undefined");
  return guarded;
}

const SPACES: readonly Space[] = ["loopback", "local"];
/** Each space with the code and the sentence that a person's answer leads to. */
const BLOCKED = SPACES.flatMap((space) => [
  [space, "prompt", "LOCAL_NETWORK_ASKING", ASKING[space]] as const,
  [space, "denied", "LOCAL_NETWORK_DENIED", DENIED] as const,
]);

/** Pairs by the client; resolves with what its user sees. */
const pairCode = (url: string, code: string): string =>
  `clientOf("${url}").pair("${code}").catch(({ code, message }) => ({ code, message }))`;

describeInBrowser("a page that the browser guards a relay against (needs Chromium)", () => {
  describe("the client", () => {
    test.each(BLOCKED)("[W43] %s, %s: fails with %s and its sentence", async (...row) => {
      const [space, answer, code, sentence] = row;
      const { url } = pages.relayIn(space);
      const { page } = await openClient(answer);
      const message = sentence.replace("HOST", new URL(url).host);
      expect(await page.evaluate(pairCode(url, "222222"))).toEqual({ code, message });
    });

    test.each(SPACES)("[W43] %s, granted: pairs", async (space) => {
      const { relay, url } = pages.relayIn(space);
      const { importer } = await importerAtWork(relay.url);
      const { page } = await openClient("granted");
      const { code } = await importer.pairingCode();
      expect(await page.evaluate(pairCode(url, code))).toEqual({ device_name: "Studio" });
    });

    test.each(SPACES)("[W43] %s: a send pauses, and resumes when it is allowed", async (space) => {
      const { relay, url } = pages.relayIn(space);
      const { token } = await relay.paired();
      const { page, answer } = await openClient("prompt");
      await page.evaluate(`{
        globalThis.states = [];
        const onState = (state, error) => states.push(error?.code ?? state);
        void clientOf("${url}", "${token}").send(${DRAFT}, { onState }).then(() => states.push("sent"));
      }`);
      await soon(() => page.evaluate("states.at(-1)")).toBe("LOCAL_NETWORK_ASKING");
      await answer("granted");
      await soon(() => page.evaluate("states.at(-1)")).toBe("sent");
    });

    test("[W43] once the permission is withdrawn, the next call says so", async () => {
      const { relay, url } = pages.relayIn("loopback");
      const { token } = await relay.paired();
      const { page, answer } = await openClient("granted");
      await page.evaluate(`(globalThis.client = clientOf("${url}", "${token}")).me()`);
      await answer("denied");
      const code = await page.evaluate("client.me().catch(({ code }) => code)");
      expect(code).toBe("LOCAL_NETWORK_DENIED");
    });
  });

  describe("the element", () => {
    const openElement = async (url: string, answer: Answer, code: string) => {
      const { page } = await pages.open(tenLines(url), answer);
      await page.getByRole("textbox", { name: "Pairing code" }).fill(code);
      await page.getByRole("button", { name: "Pair", exact: true }).click();
      return page;
    };

    test.each(BLOCKED)("[W43] %s, %s: shows the sentence of %s", async (...row) => {
      const [space, answer, , sentence] = row;
      const { url } = pages.relayIn(space);
      const page = await openElement(url, answer, "222222");
      await page.getByText(sentence.replace("HOST", new URL(url).host)).waitFor();
    });

    test.each(SPACES)("[W43] %s, granted: pairs", async (space) => {
      const { relay, url } = pages.relayIn(space);
      const { importer } = await importerAtWork(relay.url);
      const { code } = await importer.pairingCode();
      const page = await openElement(url, "granted", code);
      await page.getByRole("button", { name: "To Studio" }).waitFor();
    });

    test("[W43] from a relay nearby: words show until the script may load", async () => {
      const { url } = pages.relayIn("loopback");
      const blocks = readPages().flatMap(({ blocks }) => blocks);
      const snippet = blocks.find(({ text }) => text.includes(":not(:defined)"))?.text ?? "";
      const html = snippet.replaceAll("http://127.0.0.1:4700", url);
      for (const answer of ["prompt", "denied"] as const) {
        const { page } = await pages.open(html, answer);
        await soon(() => page.innerText("body")).toContain("Start it on this computer.");
      }
      const { page } = await pages.open(html, "granted");
      await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
      expect(await page.innerText("body")).not.toContain("Start it on this computer.");
    });
  });

  test.each(["http://studio.local", "http://studio.example"])(
    "[W44] a page on https sends to %s in the local network",
    async (address) => {
      const { relay, url } = pages.relayIn("local");
      const { token } = await relay.paired();
      const { page } = await openClient("granted", pages.openSecure);
      const named = `${address}:${new URL(url).port}`;
      const { packageId } = await page.evaluate<{ packageId: string }>(
        `clientOf("${named}", "${token}").send(${DRAFT})`,
      );
      expect(await relay.status(token, packageId)).toMatchObject({ status: "waiting" });
    },
  );

  test.each(["prompt", "denied", "granted"] as const)(
    "[W43] %s: a page on https can't call a relay of the internet on http",
    async (answer) => {
      const { page } = await openClient(answer, pages.openSecure);
      expect(await page.evaluate(pairCode(FAR, "222222"))).toEqual({
        code: "MIXED_CONTENT",
        message: `This page is secure (https) and can't call ${FAR}. Use the relay's https address.`,
      });
    },
  );

  /** Adds headers to every call, as tracing tools do. */
  const TRACING = `{
    const TRACE = { traceparent: "00-1-1-01", baggage: "a=1", "sentry-trace": "1-1-1" };
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...TRACE } });
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      for (const [name, value] of Object.entries(TRACE)) this.setRequestHeader(name, value);
      send.call(this, body);
    };
  }`;

  test("[C2] a page whose tracing tool adds headers to every call sends a package", async () => {
    const { relay, url } = pages.relayIn("loopback");
    const { token } = await relay.paired();
    const { page } = await openClient("granted");
    await page.evaluate(TRACING);
    const { packageId } = await page.evaluate<{ packageId: string }>(
      `clientOf("${url}", "${token}").send(${DRAFT})`,
    );
    expect(await relay.status(token, packageId)).toMatchObject({ status: "waiting" });
  });

  test("[W43] a proxy that allows no tracing headers has another code than a dead network", async () => {
    const headers = { "Access-Control-Allow-Origin": "*" };
    const allowed = { ...headers, "Access-Control-Allow-Headers": "Authorization, Content-Type" };
    const proxy = await startStandIn(({ method, path }) => {
      if (method === "OPTIONS") return { status: 204, body: "", headers: allowed };
      return path === "/healthz" ? { headers } : "hang up";
    });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const { page } = await openClient("granted");
    const pairing = pairCode(proxy.url, "222222");
    const message = `The connection to ${proxy.url} was lost. Check the network.`;
    const lost = { code: "NO_ANSWER", message };
    expect(await page.evaluate(pairing)).toEqual(lost);
    await page.evaluate(TRACING);
    expect(await page.evaluate(pairing)).toEqual({
      code: "CORS_BLOCKED",
      message: `${proxy.url} answers, but the browser doesn't let this page call it (CORS). Check its proxy, and headers that scripts add.`,
    });
  });
});
