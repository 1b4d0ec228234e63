import { once } from "node:events";
import { expect, test } from "vitest";
import { systemDigest } from "../../../relay/storage/system.ts";
import { messagesOf, openSocket } from "./open-socket.ts";
import type { TwoProcesses } from "./other-process.ts";
import { longWav, sendLong } from "./send-long.ts";
import { silentUpload } from "./silent-upload.ts";
import { slowGet } from "./slow-get.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";

/** Tests a relay's reaction to changes by another instance of its store (rule J7). */
export function otherProcessCases(open: () => Promise<TwoProcesses>): void {
  test("[J7][A3] a revoked token is refused here: calls, long polls and running uploads", async () => {
    await using two = await open();
    const { relay, change } = two;
    const { importer, token } = await relay.paired();
    const waiting = await relay.send(token);
    const socket = await openSocket(relay, importer.token);
    const poll = relay.call("GET", `/packages/${waiting}/status?wait=30`, { token });
    const call = await silentUpload(relay, token);
    const messages = messagesOf(socket);

    const tokenHash = systemDigest.ofText(token);
    await change({ unpair: { tokenHash }, now: relay.clock.now() });
    expect((await call.answer).status).toBe(401);
    expect((await poll).status).toBe(401);
    const me = async () => (await relay.call("GET", "/app/me", { token })).status;
    await soon(me).toBe(401);
    await soon(() => messages).toContain('{"type":"apps.changed"}');
    await change({ removePackage: waiting });
    await soon(() => messages).toContain('{"type":"packages.changed"}');
    await relay.sweep();
    await soon(() => storedKeys(relay)).toEqual([]);
    socket.terminate();
  });

  test("[J7][A3] a removed computer is gone here: calls, sockets, uploads and downloads", async () => {
    await using two = await open();
    const { relay, change } = two;
    const { importer, token } = await relay.paired();
    const id = await sendLong(relay, token);
    const socket = await openSocket(relay, importer.token);
    const closed = once(socket, "close");
    const download = await slowGet(
      relay,
      `/importer/packages/${id}/files/long.wav`,
      importer.token,
    );
    const call = await silentUpload(relay, token);

    await change({ removeDevice: importer.deviceId });
    expect((await closed)[0]).toBe(4401);
    expect((await call.answer).status).toBe(401);
    const { isWhole, sizeBytes } = await download.rest();
    expect(isWhole).toBe(false);
    expect(sizeBytes).toBeLessThan(longWav().length);
    const list = async () =>
      (await relay.call("GET", "/importer/apps", { token: importer.token })).status;
    await soon(list).toBe(401);
  });

  test("[J7] a renamed computer has its new name here, and a removed package ends its upload", async () => {
    await using two = await open();
    const { relay, change } = two;
    const { importer, token } = await relay.paired();
    const name = async () => (await relay.call("GET", "/app/me", { token })).json.device_name;
    expect(await name()).toBe("Studio");
    await change({ changeDevice: importer.deviceId, deviceName: "Attic" });
    await soon(name).toBe("Attic");
    const call = await silentUpload(relay, token);
    await change({ removePackage: call.id });
    expect((await call.answer).status).toBe(404);
  });
}
