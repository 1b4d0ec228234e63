import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { startOnMemory } from "../memory-relay.ts";
import { RunningRelay } from "../running-relay.ts";
import { openFiles } from "../storage/disk/open-files.ts";
import { countListeners } from "../count-listeners.ts";
import { sendLong } from "./send-long.ts";
import { slowGet } from "./slow-get.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

async function open() {
  const { relay } = await startOnMemory();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const path = `/importer/packages/${id}/files/kick.wav`;
  const listeners = countListeners(relay.relay.context.notifier);
  return { relay, importer, token, id, path, listeners };
}

test("[J9] a download that was sent, ended, abandoned or refused is watched no more", async () => {
  const { relay, importer, token, id, path, listeners } = await open();
  await using _ = relay;
  const range = { range: "bytes=100000-" };
  const statuses = [
    await relay.call("GET", path, { token: importer.token }),
    await relay.call("GET", path, { token: importer.token, headers: range }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 416]);
  await soon(listeners).toBe(0);
  const long = await sendLong(relay, token);
  const longPath = `/importer/packages/${long}/files/long.wav`;
  const abandoned = await slowGet(relay, longPath, importer.token);
  const ended = await slowGet(relay, longPath, importer.token);
  expect(listeners()).toBe(4);
  abandoned.abort();
  await soon(listeners).toBe(2);
  await relay.call("DELETE", `/packages/${long}`, { token });
  await soon(listeners).toBe(0);
  await ended.rest();
  expect((await relay.status(token, id)).status).toBe("waiting");
});

test("[J9] an upload that was stored or refused is watched no more", async () => {
  const { relay, token, listeners } = await open();
  await using _ = relay;
  const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
  const put = async (body: Uint8Array) =>
    (await relay.call("PUT", upload["a.wav"] ?? "", { token, body })).status;
  expect(await put(new Uint8Array(smallWav().byteLength))).toBe(422);
  expect(listeners()).toBe(0);
  expect(await put(smallWav())).toBe(200);
  expect(listeners()).toBe(0);
});

test("[J9] an upload that can't be watched leaves its place to the next one", async () => {
  const { relay, token } = await open();
  await using _ = relay;
  const { notifier } = relay.relay.context;
  const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
  const put = async () =>
    (await relay.call("PUT", upload["a.wav"] ?? "", { token, body: smallWav() })).status;
  const listen = notifier.listen.bind(notifier);
  notifier.listen = () => {
    throw new Error("Nobody can listen.");
  };
  for (let count = 0; count < 5; count += 1) expect(await put()).toBe(500);
  notifier.listen = listen;
  expect(await put()).toBe(200);
});

test.concurrent.for(["kick.wav", "long.wav"])(
  "[J9] a download of %s that waits behind another call ends with its connection",
  async (file) => {
    const { relay, importer, token, id, listeners } = await open();
    await using _ = relay;
    const downloaded = file === "kick.wav" ? id : await sendLong(relay, token);
    const { hostname, port } = new URL(relay.url);
    const connection = createConnection(Number(port), hostname);
    connection.write(
      get(`/packages/${id}/status?wait=2`, token) +
        get(`/importer/packages/${downloaded}/files/${file}`, importer.token),
    );
    // Two of the long poll and two of the download.
    await soon(listeners).toBe(4);
    connection.destroy();
    await soon(listeners).toBe(0);
  },
);

function get(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

test("[J9] a download that ends before its first byte is refused, and its file is closed", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const { context } = relay.relay;
  const listeners = countListeners(context.notifier);
  const openSound = context.sounds.open.bind(context.sounds);
  context.sounds.open = async (key, range) => {
    const bytes = await openSound(key, range);
    await relay.call("DELETE", `/packages/${id}`, { token });
    await soon(listeners).toBe(0);
    return bytes;
  };
  const path = `/importer/packages/${id}/files/kick.wav`;
  const { status, json, headers } = await relay.call("GET", path, { token: importer.token });
  expect([status, json.code]).toEqual([404, "PACKAGE_UNKNOWN"]);
  expect(headers.get("etag")).toBe(null);
  expect(headers.get("content-type")).toContain("application/json");
  expect(await openFiles(`${relay.folder}/sounds`)).toEqual([]);
});
