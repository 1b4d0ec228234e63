import { once } from "node:events";
import { expect, test } from "vitest";
import { systemDigest } from "../../../relay/storage/system.ts";
import { smallWav } from "../../wav-bytes.ts";
import { startOnMemory } from "../memory-relay.ts";
import { manifestOf } from "../running-relay.ts";
import { openSocket } from "./open-socket.ts";
import { slowPut } from "./slow-put.ts";
import { storedKeys } from "./stored-keys.ts";

const WAV = smallWav();

test("[J7][A3] a token that another process revokes is dead here: calls, long polls and uploads", async () => {
  const { relay, other } = await startOnMemory();
  await using _ = relay;
  const { importer, token } = await relay.paired();
  const socket = await openSocket(relay, importer.token);
  const messages: string[] = [];
  socket.on("message", (message) => messages.push(String(message)));
  const waiting = await relay.send(token);
  const polls = relay.call("GET", `/packages/${waiting}/status?wait=30`, { token });
  const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
  const length = { "content-length": WAV.length };
  const call = slowPut(relay, upload["a.wav"] ?? "", token, length);
  call.write(WAV.subarray(0, 50));
  await expect.poll(() => storedKeys(relay)).toHaveLength(2);
  messages.length = 0;

  await other.pairings.removeAppToken(systemDigest.ofText(token), relay.clock.now());
  expect((await call.answer).status).toBe(401);
  expect((await polls).status).toBe(401);
  expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
  await expect
    .poll(() => messages)
    .toEqual(['{"type":"packages.changed"}', '{"type":"apps.changed"}']);
  await expect.poll(() => storedKeys(relay)).toHaveLength(1);
  socket.terminate();
});

test("[J7][A3] a computer that another process removes is gone here: calls and sockets", async () => {
  const { relay, other } = await startOnMemory();
  await using _ = relay;
  const { importer, token } = await relay.paired();
  const socket = await openSocket(relay, importer.token);
  const closed = once(socket, "close");
  await other.pairings.removeDevice(importer.deviceId);
  expect((await closed)[0]).toBe(4401);
  expect((await relay.call("GET", "/importer/apps", { token: importer.token })).status).toBe(401);
  expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
});

test("[J7] a computer that another process renames has its new name here", async () => {
  const { relay, other } = await startOnMemory();
  await using _ = relay;
  const { importer, token } = await relay.paired();
  const name = async () => (await relay.call("GET", "/app/me", { token })).json.device_name;
  expect(await name()).toBe("Studio");
  await other.pairings.renameDevice(importer.deviceId, "Attic");
  expect(await name()).toBe("Attic");
});
