import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHaproxy } from "../../engines/haproxy.ts";
import { type CallOptions, callThrough } from "./call-through.ts";
import { PROXIES, type Proxy } from "./proxies.ts";
import { startProxy } from "./running-proxy.ts";

interface Example extends Pick<Proxy, "name" | "isInstalled"> {
  readonly relays: readonly string[];
  start(ports: readonly number[]): Promise<AsyncDisposable & { readonly url: string }>;
}

/** haproxy of the containers, which `npm run dev:scaled` starts, too. */
const IN_CONTAINERS: Example = {
  name: "haproxy in containers",
  isInstalled: PROXIES.some(({ name, isInstalled }) => name === "haproxy" && isInstalled),
  relays: ["one", "two", "three"],
  start: (ports) => startHaproxy(ports, { keepsForwardedFor: true }),
};

const EXAMPLES: readonly Example[] = [
  ...PROXIES.map((proxy): Example => {
    const { name, isInstalled } = proxy;
    const start: Example["start"] = ([first = 0, second]) => startProxy(proxy, first, [], second);
    return { name, isInstalled, relays: ["one", "two"], start };
  }),
  IN_CONTAINERS,
];

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

/** Relays behind a proxy. Each call is on a connection of its own, and says which relay answers it. */
async function behind(example: Example) {
  const relays = new Map<string, Server>();
  const ports: number[] = [];
  for (const name of example.relays) {
    const { server, port } = await startNamed(name);
    relays.set(name, server);
    ports.push(port);
  }
  const through = await example.start(ports);
  onTestFinished(() => through[Symbol.asyncDispose]());
  const relayFor = async (call: CallOptions) =>
    (await callThrough(`${through.url}/app/me`, call)).text;
  const stop = (name: string) => relays.get(name)?.close().closeAllConnections();
  return { relayFor, stop };
}

describe.for(EXAMPLES)("$name", (example) => {
  describe.skipIf(!example.isInstalled)("(needs its proxy program)", () => {
    test("[SC18] all calls of a token reach one of several relays, and only those of a relay that is away move", async () => {
      const { relayFor, stop } = await behind(example);
      const relayOf = new Map<string, string>();
      for (const token of [...TOKENS, ...TOKENS]) {
        // In a row, so that taking turns among the relays shows.
        for (const _ of [1, 2]) {
          const relay = await relayFor({ token });
          expect(relay).toBe(relayOf.get(token) ?? relay);
          relayOf.set(token, relay);
        }
      }
      expect(new Set(relayOf.values())).toEqual(new Set(example.relays));

      const away = "two";
      stop(away);
      for (const token of TOKENS) {
        const relay = await relayFor({ token });
        if (relayOf.get(token) === away) {
          expect(example.relays.filter((name) => name !== away)).toContain(relay);
        } else {
          expect(relay).toBe(relayOf.get(token));
        }
      }
    });

    test("[SC18] calls without a token reach the relay of their address", async () => {
      const { relayFor } = await behind(example);
      const answers = new Set<string>();
      for (const _ of TOKENS) answers.add(await relayFor({}));
      expect(answers.size).toBe(1);
      expect(example.relays).toContain([...answers].join());
    });
  });
});

test.skipIf(!IN_CONTAINERS.isInstalled)(
  "[SC18] haproxy in containers takes the address that the proxy in front of it names (needs haproxy)",
  async () => {
    const { relayFor } = await behind(IN_CONTAINERS);
    const relayOf = new Map<string, string>();
    for (const [index] of TOKENS.entries()) {
      const address = `203.0.113.${index}`;
      for (const round of [1, 2]) {
        // Only the last one is that proxy's own.
        const headers = { "x-forwarded-for": `198.51.100.${round}, ${address}` };
        const relay = await relayFor({ headers });
        expect(relay).toBe(relayOf.get(address) ?? relay);
        relayOf.set(address, relay);
      }
    }
    expect(new Set(relayOf.values())).toEqual(new Set(IN_CONTAINERS.relays));
  },
);
