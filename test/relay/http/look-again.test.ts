import { once } from "node:events";
import { expect, test } from "vitest";
import { systemDigest } from "../../../relay/storage/system.ts";
import { DEAF, startOnMemory } from "../memory-relay.ts";
import { importerCall } from "./importer-call.ts";
import { messagesOf, openSocket } from "./open-socket.ts";
import { soon } from "../../sim/soon.ts";

const PACKAGES = '{"type":"packages.changed"}';
const APPS = '{"type":"apps.changed"}';
const PAIRING = '{"type":"pairing.asked"}';

async function open(lookAgainMs: number) {
  const { relay } = await startOnMemory({ lookAgainMs, ports: { notifier: DEAF } });
  const { importer, token } = await relay.paired();
  const looks = countLooks(relay.relay.context);
  const socket = await openSocket(relay, importer.token);
  const messages = messagesOf(socket);
  // The socket knows what its importer sees now.
  await soon(looks).toBeGreaterThan(0);
  return { relay, importer, token, socket, messages, looks };
}

/** Counts how often somebody looked at a device's packages and apps. */
function countLooks({
  pairings,
}: {
  readonly pairings: { listPairings: (id: string) => unknown };
}) {
  let looks = 0;
  const list = pairings.listPairings.bind(pairings);
  pairings.listPairings = (deviceId) => {
    looks += 1;
    return list(deviceId);
  };
  return () => looks;
}

test("[J6] a socket makes good what was never notified: packages and apps, each when it differs", async () => {
  const { relay, importer, token, socket, messages } = await open(20);
  await using _ = relay;
  await relay.send(token);
  await soon(() => messages).toEqual([PACKAGES]);
  await relay.pair(importer, { appId: "another" });
  await soon(() => messages).toEqual([PACKAGES, APPS]);
  socket.terminate();
});

test("[J6] a socket is silent while nothing changes, also while a download renews its lease", async () => {
  const { relay, importer, token, socket, messages, looks } = await open(20);
  await using _ = relay;
  const id = await relay.send(token);
  await importerCall(relay, importer.token, id).take({ run_id: "a" });
  const many = looks() + 20;
  await soon(looks).toBeGreaterThan(many);
  messages.length = 0;
  relay.clock.pass(120);
  await importerCall(relay, importer.token, id).take({ run_id: "a" });
  await soon(looks).toBeGreaterThan(many + 5);
  expect(messages).toEqual([]);
  socket.terminate();
});

/** A socket that looks again only when it may have missed something, and a package that its importer sees. */
async function openWaiting() {
  const { relay } = await startOnMemory({ lookAgainMs: 60_000 });
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const { context } = relay.relay;
  const looks = countLooks(context);
  const socket = await openSocket(relay, importer.token);
  const messages = messagesOf(socket);
  await soon(looks).toBe(1);
  return {
    relay,
    looks,
    messages,
    /** Removes the package; nobody is notified. */
    remove: async () => {
      const record = await context.packages.find(id);
      await context.packages.remove(id, record?.version ?? 0);
    },
    unpairAll: () =>
      context.pairings.unpair({ tokenHash: systemDigest.ofText(token) }, context.clock.now()),
    missed: () => context.notifier.missed(),
    [Symbol.asyncDispose]: async () => {
      socket.terminate();
      await relay[Symbol.asyncDispose]();
    },
  };
}

test("[J6] a socket that may have missed something notifies its importer of what differs", async () => {
  await using one = await openWaiting();
  await one.remove();
  one.missed();
  await soon(() => one.messages).toEqual([PACKAGES]);
  await one.unpairAll();
  one.missed();
  await soon(() => one.messages).toEqual([PACKAGES, APPS]);
});

test("[J6] a socket that has missed nothing is silent, and doesn't look more often than it can", async () => {
  await using one = await openWaiting();
  for (let count = 0; count < 100; count += 1) one.missed();
  await soon(one.looks).toBe(2);
  one.missed();
  await soon(one.looks).toBe(3);
  await one.remove();
  one.missed();
  await soon(() => one.messages).toEqual([PACKAGES]);
  expect(one.looks()).toBe(4);
});

test("[J6] a socket that may have missed something during its first look has its importer look at all", async () => {
  const { relay } = await startOnMemory({ lookAgainMs: 60_000 });
  await using _ = relay;
  const { importer } = await relay.paired();
  const { notifier, packages } = relay.relay.context;
  const list = packages.list.bind(packages);
  const held = Promise.withResolvers<void>();
  packages.list = async (...args) => {
    await held.promise;
    return list(...args);
  };
  const socket = await openSocket(relay, importer.token);
  const messages = messagesOf(socket);
  notifier.missed();
  held.resolve();
  await soon(() => messages).toEqual([PACKAGES, APPS, PAIRING]);
  socket.terminate();
});

test("[J6] a look that fails is logged, and the next one makes good what it missed", async () => {
  await using one = await openWaiting();
  const { packages } = one.relay.relay.context;
  const list = packages.list.bind(packages);
  packages.list = async () => {
    throw new Error("The database is locked.");
  };
  await one.remove();
  one.missed();
  await soon(() => one.relay.logLines.join("")).toContain("looking again failed");
  packages.list = list;
  one.missed();
  await soon(() => one.messages).toEqual([PACKAGES]);
});

test("[J6] a token that was revoked without any notification closes its socket and ends its long poll", async () => {
  const { relay, importer, token, socket } = await open(20);
  await using _ = relay;
  const id = await relay.send(token);
  const poll = relay.call("GET", `/packages/${id}/status?wait=30`, { token });
  const closed = once(socket, "close");
  await relay.call("DELETE", "/importer/me", { token: importer.token });
  expect((await closed)[0]).toBe(4401);
  expect((await poll).status).toBe(401);
});
