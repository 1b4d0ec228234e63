import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadCauses } from "../../client/parts/parts.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { isFinal } from "../../client/send/send-package.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import type { ClientError } from "../../client/wire/client-error.ts";
import { REAL_PACE, retrying } from "../../client/wire/retry.ts";

// So that it takes no time later.
beforeAll(loadCauses);
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type FakeFetch = (init: RequestInit) => Promise<Response>;

const holds: FakeFetch = () => new Promise(() => {});
const fails: FakeFetch = async () => {
  throw new TypeError("Failed to fetch");
};
const answers: FakeFetch = async () =>
  Response.json(
    { device_name: "Studio", app_name: "Looper" },
    { headers: { "Soundferry-Relay": "1" } },
  );
/** Answers a call without a preflight only. */
const failsPreflights: FakeFetch = (init) => (init.mode === "no-cors" ? answers : fails)(init);

const RELAY = "http://127.0.0.1:4700";
const MAY_ASK = "If the browser asks whether this page can reach devices there, allow it.";
const ASKING = {
  code: "LOCAL_NETWORK_ASKING",
  message: `The relay is on this computer (127.0.0.1:4700). ${MAY_ASK}`,
};
const DENIED = {
  code: "LOCAL_NETWORK_DENIED",
  message:
    "The browser doesn't let this page reach the relay at 127.0.0.1:4700. Allow it in the settings beside the page's address.",
};
const LOST = {
  code: "NO_ANSWER",
  message: `The connection to ${RELAY} was lost. Check the network.`,
};

interface FakeBrowser {
  readonly page?: string;
  /** The names of permissions that the browser knows, each with its state. */
  readonly permissions: Record<string, string>;
  readonly fetch: FakeFetch;
  readonly relayUrl?: string;
}

/** Puts a client into a page of a fake browser. */
function clientIn({ page = "https://app.example/", permissions, ...fake }: FakeBrowser) {
  const calls: string[] = [];
  const status = new EventTarget();
  const query = async ({ name }: { name: string }) => {
    const state = permissions[name];
    if (state === undefined) throw new TypeError(`${name} is not a permission.`);
    return Object.assign(status, { state });
  };
  vi.stubGlobal("location", new URL(page));
  vi.stubGlobal("navigator", { permissions: { query } });
  const client = new SoundferryClient({
    relayUrl: fake.relayUrl ?? RELAY,
    tokenStore: new MemoryTokenStore("sfa_x"),
    fetch: async (input, init = {}) => {
      calls.push(new URL(typeof input === "string" ? input : "unused:").pathname);
      return fake.fetch(init);
    },
  });
  return { client, calls, status };
}

/** The error of a call that fails within two seconds of the fake clock. */
async function errorOf(call: Promise<unknown>): Promise<ClientError | undefined> {
  let found: ClientError | undefined;
  call.then(undefined, (error: ClientError) => {
    found = error;
  });
  await vi.advanceTimersByTimeAsync(2000);
  return found;
}

test("[W43] says that the browser asks, and makes no call meanwhile that could come late", async () => {
  const permissions = { "local-network": "prompt" };
  // The knock at this relay stays open for the other tests.
  const relayUrl = "https://studio.local:4700";
  const { client, calls } = clientIn({ permissions, fetch: holds, relayUrl });
  const message = `The relay is in your own network (studio.local:4700). ${MAY_ASK}`;
  const asking = { code: "LOCAL_NETWORK_ASKING", message };
  expect(await errorOf(client.pair("222222", { name: "Looper", id: "1" }))).toMatchObject(asking);
  expect(await errorOf(client.me())).toMatchObject(asking);
  // Another call could show another prompt.
  expect(calls).toEqual(["/healthz"]);
});

test("[W43] says what the browser doesn't allow, by each name of the permission", async () => {
  const known = [
    { "loopback-network": "denied" },
    { "loopback-network": "denied", "local-network": "prompt", "local-network-access": "prompt" },
    { "local-network-access": "denied" },
  ];
  for (const permissions of known) {
    const { client } = clientIn({ permissions, fetch: fails });
    expect(await errorOf(client.me()), JSON.stringify(permissions)).toMatchObject(DENIED);
  }
});

test("[W43] a permission for the local network is not one for this computer", async () => {
  const relayUrl = "http://192.168.1.5:4700";
  const permissions = { "loopback-network": "denied", "local-network": "granted" };
  const { client, calls } = clientIn({
    permissions,
    fetch: answers,
    page: "http://app.example",
    relayUrl,
  });
  expect(await client.me()).toMatchObject({ device_name: "Studio" });
  expect(calls).toEqual(["/app/me"]);
});

test.each<[what: string, browser: FakeBrowser]>([
  ["in a browser that has no such permission", { permissions: {}, fetch: fails }],
  ["where it is granted", { permissions: { "loopback-network": "granted" }, fetch: fails }],
  [
    "on a page of the same computer",
    { page: "http://localhost:5173", permissions: { "loopback-network": "denied" }, fetch: fails },
  ],
])("[W43] %s, a relay that doesn't answer is only out of reach", async (_, browser) => {
  const { client } = clientIn(browser);
  expect(await errorOf(client.me())).toMatchObject(LOST);
});

test("[W43] a page in the same network isn't asked about", async () => {
  const [page, relayUrl] = ["http://192.168.1.2/", "http://studio.local:4700"];
  const permissions = { "local-network": "denied" };
  const { client } = clientIn({ page, relayUrl, permissions, fetch: fails });
  expect(await errorOf(client.me())).toMatchObject({ code: "NO_ANSWER" });
});

test("[W43] a question that was closed is put again after half a minute, unless nothing listens there", async () => {
  const permissions = { "loopback-network": "prompt" };
  const { client } = clientIn({ permissions, fetch: fails });
  expect(await errorOf(client.me())).toMatchObject({
    ...ASKING,
    message: `${ASKING.message} Otherwise, check that the relay is running.`,
    retryAfterSeconds: 30,
  });
});

test("[W43] a paused call resumes as soon as a person has answered", async () => {
  const permissions = { "loopback-network": "prompt" };
  const fake = { fetch: fails };
  const { client, status } = clientIn({ permissions, fetch: (init) => fake.fetch(init) });
  const paused: unknown[] = [];
  const policy = {
    ...REAL_PACE,
    giveUpAfterMs: 3_600_000,
    onRetry: ({ code }: ClientError) => void paused.push(code),
  };
  const call = retrying(policy, () => client.me());
  await vi.advanceTimersByTimeAsync(2000);
  expect(paused).toEqual(["LOCAL_NETWORK_ASKING"]);
  permissions["loopback-network"] = "granted";
  fake.fetch = answers;
  status.dispatchEvent(new Event("change"));
  expect(await call).toMatchObject({ device_name: "Studio" });
});

test("[W43] a failed preflight has another code than a dead network", async () => {
  const permissions = { "loopback-network": "granted" };
  const { client } = clientIn({ permissions, fetch: failsPreflights });
  expect(await errorOf(client.me())).toMatchObject({
    code: "CORS_BLOCKED",
    message: expect.stringContaining(`${RELAY} answers, but`),
  });
});

test("[W43] a connection that breaks once doesn't look like a failed preflight", async () => {
  let count = 0;
  const breaksOnce: FakeFetch = (init) => {
    count += 1;
    return (count === 1 ? fails : answers)(init);
  };
  const permissions = { "loopback-network": "granted" };
  const { client } = clientIn({ permissions, fetch: breaksOnce });
  expect(await errorOf(client.me())).toMatchObject(LOST);
});

test("[W43] what the browser blocks withdraws nothing", async () => {
  const denied = await errorOf(
    clientIn({ permissions: { "loopback-network": "denied" }, fetch: fails }).client.me(),
  );
  const blocked = await errorOf(
    clientIn({
      permissions: { "loopback-network": "granted" },
      fetch: failsPreflights,
    }).client.me(),
  );
  const codes = [denied, blocked].map((error) => [error?.code, isFinal(error)]);
  expect(codes).toEqual([
    ["LOCAL_NETWORK_DENIED", false],
    ["CORS_BLOCKED", false],
  ]);
});

test.each([
  ["http://studio.lan:4700", "local"],
  ["http://studio.example:4700", "local"],
  ["http://studio.local:4700", undefined],
  ["http://192.168.1.5:4700", undefined],
  ["http://localhost:4700", undefined],
  ["https://studio.lan:4700", undefined],
] as const)(
  "[W44] an https page tells a browser that can't know it where %s is",
  async (...row) => {
    const [relayUrl, space] = row;
    vi.stubGlobal("Request", { prototype: { targetAddressSpace: "unknown" } });
    const permissions = { "local-network": "granted", "loopback-network": "granted" };
    const spaces: unknown[] = [];
    const fetch: FakeFetch = (init) => {
      spaces.push(Reflect.get(init, "targetAddressSpace"));
      return answers(init);
    };
    const { client } = clientIn({ permissions, fetch, relayUrl });
    await client.me();
    expect(spaces).toEqual([space]);
  },
);

test("[W43] a browser that knows no address spaces blocks mixed content whatever a person allows", async () => {
  const relayUrl = "http://192.168.1.5:4700";
  const permissions = { "local-network": "prompt" };
  const { client, calls } = clientIn({ permissions, fetch: fails, relayUrl });
  expect(await errorOf(client.me())).toMatchObject({ code: "MIXED_CONTENT" });
  expect(calls).toEqual(["/app/me"]);
});
