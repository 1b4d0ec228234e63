import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { callThrough } from "./call-through.ts";
import { PROXIES } from "./proxies.ts";
import { startProxy } from "./running-proxy.ts";
import { soon } from "../sim/soon.ts";

const TOKENS = Array.from({ length: 24 }, (_, index) => `token-${index}`);

/** Answers with its name, like a relay that is ready. */
async function startNamed(name: string): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end(name));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { server, port: address.port };
}

describe.for(PROXIES)("$name", (proxy) => {
  describe.skipIf(!proxy.isInstalled)(`(needs ${proxy.name})`, () => {
    test("[SC18] a token's calls reach one of several relays, and another one while that is away", async () => {
      const [one, other] = [await startNamed("one"), await startNamed("other")];
      const through = await startProxy(proxy, one.port, [], other.port);
      onTestFinished(() => through[Symbol.asyncDispose]());
      const answerTo = async (token?: string) => {
        const call = token === undefined ? {} : { token };
        return callThrough(`${through.url}/app/me`, call);
      };
      const relayOf = new Map<string, string>();
      for (const token of TOKENS) {
        for (const _ of [1, 2, 3]) {
          const { text } = await answerTo(token);
          expect(text).toBe(relayOf.get(token) ?? text);
          relayOf.set(token, text);
        }
      }
      expect(new Set(relayOf.values())).toEqual(new Set(["one", "other"]));
      expect(["one", "other"]).toContain((await answerTo()).text);

      other.server.close();
      other.server.closeAllConnections();
      for (const token of TOKENS) {
        await soon(async () => (await answerTo(token)).text).toBe("one");
      }
    });
  });
});

const balancing = PROXIES.filter(({ name }) => name !== "caddy");

describe.for(balancing)("$name", (proxy) => {
  test.skipIf(!proxy.isInstalled)(
    `[SC18] calls without a token reach the relay of their address (needs ${proxy.name})`,
    async () => {
      const [one, other] = [await startNamed("one"), await startNamed("other")];
      const through = await startProxy(proxy, one.port, [], other.port);
      onTestFinished(() => through[Symbol.asyncDispose]());
      const answers = new Set<string>();
      for (let call = 0; call < 12; call += 1) {
        answers.add((await callThrough(`${through.url}/healthz`)).text);
      }
      expect(answers.size).toBe(1);
    },
  );
});
