import { expect, test } from "vitest";
import {
  committed,
  packageOf,
  put,
  updated,
} from "../../contracts/relay/records/sample-records.ts";
import { RunningRelay } from "../running-relay.ts";
import { messagesOf, openSocket } from "./open-socket.ts";
import { slowGet } from "./slow-get.ts";
import { soon } from "../../sim/soon.ts";

const MIB = 1024 ** 2;
const PACKAGES = 240;
const UNREAD_CALLS = 12;

/** Reports as a relay stored them that had no limit for results. */
async function putLongReports(relay: RunningRelay, deviceId: string): Promise<void> {
  const { context } = relay.relay;
  const now = context.clock.now();
  const results = { 1: { status: "failed" as const, notes: ["x".repeat(MIB)] } };
  for (let index = 0; index < PACKAGES; index += 1) {
    const record = packageOf(`pkg_${index}`, { deviceId, createdAt: now, appId: "another" });
    const waiting = await put(context, committed(record, now + index));
    await updated(context, { ...waiting, life: { ...waiting.life, outcome: "failed" }, results });
  }
}

test("[I5] A2: 240 packages with 1 MiB of results each, 12 lists that nobody reads and sockets cost the relay little memory", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  await putLongReports(relay, importer.deviceId);
  const waiting = await relay.send(token);
  const list = (after: string) =>
    relay.call("GET", `/importer/packages?after=${after}`, { token: importer.token });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = 0;
  const measuring = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 10);
  const unread = await Promise.all(
    Array.from({ length: UNREAD_CALLS }, () =>
      slowGet(relay, "/importer/packages?after=", importer.token),
    ),
  );
  const sockets = await Promise.all(
    Array.from({ length: 8 }, () => openSocket(relay, importer.token)),
  );
  const messages = sockets.map((socket) => messagesOf(socket));
  let listed = 0;
  let bytes = 0;
  for (let after: string | null = ""; after !== null;) {
    const { json, text } = await list(after);
    listed += json.packages.length;
    bytes += text.length;
    after = json.next;
    const { status } = await relay.call("GET", `/packages/${waiting}/status`, { token });
    expect(status).toBe(200);
  }
  expect(listed).toBe(PACKAGES + 1);
  expect(bytes).toBeLessThan(MIB);
  await relay.send(token);
  await soon(() => messages.every((heard) => heard.length > 0)).toBe(true);
  clearInterval(measuring);
  for (const socket of sockets) socket.terminate();
  for (const call of unread) call.abort();
  // Reading all results once would take more than 240 MB.
  expect(most).toBeLessThan(100 * MIB);
});
