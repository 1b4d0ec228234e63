import { once } from "node:events";
import { expect, test } from "vitest";
import { DEAF, startOnMemory } from "../memory-relay.ts";
import { importerCall } from "./importer-call.ts";
import { messagesOf, openSocket } from "./open-socket.ts";

const PACKAGES = '{"type":"packages.changed"}';
const APPS = '{"type":"apps.changed"}';

async function open(lookAgainMs: number, isDeaf = true) {
  const ports = isDeaf ? { notifier: DEAF } : {};
  const { relay } = await startOnMemory({ lookAgainMs, ports });
  const { importer, token } = await relay.paired();
  const looks = countLooks(relay.relay.context);
  const socket = await openSocket(relay, importer.token);
  const messages = messagesOf(socket);
  // The socket knows what its importer sees now.
  await expect.poll(looks).toBeGreaterThan(0);
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
  await expect.poll(() => messages).toEqual([PACKAGES]);
  await relay.pair(importer, { appId: "another" });
  await expect.poll(() => messages).toEqual([PACKAGES, APPS]);
  socket.terminate();
});

test("[J6] a socket is silent while nothing changes, also while a download renews its lease", async () => {
  const { relay, importer, token, socket, messages, looks } = await open(20);
  await using _ = relay;
  const id = await relay.send(token);
  await importerCall(relay, importer.token, id).take({ run_id: "a" });
  const many = looks() + 20;
  await expect.poll(looks).toBeGreaterThan(many);
  messages.length = 0;
  relay.clock.pass(120);
  await importerCall(relay, importer.token, id).take({ run_id: "a" });
  await expect.poll(looks).toBeGreaterThan(many + 5);
  expect(messages).toEqual([]);
  socket.terminate();
});

test("[J6] a socket that may have missed something has its importer look at everything", async () => {
  const { relay, socket, messages } = await open(60_000, false);
  await using _ = relay;
  messages.length = 0;
  relay.relay.context.notifier.missed();
  await expect.poll(() => messages).toEqual([PACKAGES, APPS]);
  socket.terminate();
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
