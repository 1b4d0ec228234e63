import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { startOnMemory } from "../memory-relay.ts";
import type { RunningRelay } from "../running-relay.ts";
import { importerCall } from "./importer-call.ts";
import { longWav, sendLong } from "./send-long.ts";
import { slowGet } from "./slow-get.ts";
import { slowPut } from "./slow-put.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const WAV = smallWav();

/** An upload whose sender is silent after its first bytes. */
async function silentUpload(relay: RunningRelay, token: string) {
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const length = { "content-length": WAV.length };
  const call = slowPut(relay, upload["a.wav"] ?? "", token, length);
  call.write(WAV.subarray(0, 50));
  await soon(() => storedKeys(relay)).not.toEqual([]);
  return { id, call };
}

describe("a running upload", () => {
  const endings: Record<
    string,
    (relay: RunningRelay, token: string, id: string) => Promise<unknown>
  > = {
    "401 TOKEN_UNKNOWN": (relay, token) => relay.call("POST", "/app/unpair", { token }),
    "404 PACKAGE_UNKNOWN": (relay, token, id) => relay.call("DELETE", `/packages/${id}`, { token }),
    "409 NOT_UPLOADING": async (relay, token, id) => {
      await relay.call("PUT", `/packages/${id}/files/a.wav`, { token, body: WAV });
      await relay.call("POST", `/packages/${id}/commit`, { token });
    },
  };
  test.each(Object.entries(endings))(
    "[J9] of a silent sender is answered %s as soon as that is so, and nothing of it stays",
    async (expected, end) => {
      const { relay } = await startOnMemory();
      await using _ = relay;
      const { token } = await relay.paired();
      const { id, call } = await silentUpload(relay, token);
      await end(relay, token, id);
      const { status, json } = await call.answer;
      expect(`${status} ${json.code}`).toBe(expected);
      const kept = expected === "409 NOT_UPLOADING" ? 1 : 0;
      await soon(async () => (await storedKeys(relay)).length).toBe(kept);
      call.abort();
    },
  );

  test("[J9] of a silent sender is answered 409 when its upload window ends", async () => {
    const { relay } = await startOnMemory();
    await using _ = relay;
    const { token } = await relay.paired();
    const { call } = await silentUpload(relay, token);
    relay.clock.pass(3599.8);
    // Timers don't see that the test moved the clock.
    relay.relay.context.notifier.missed();
    const { status, json } = await call.answer;
    expect([status, json.code]).toEqual([409, "PACKAGE_EXPIRED"]);
    await soon(() => storedKeys(relay)).toEqual([]);
    call.abort();
  });

  test("[J9] goes on while other tokens and packages of its app end", async () => {
    const { relay } = await startOnMemory();
    await using _ = relay;
    const { importer, token } = await relay.paired();
    const rival = await relay.pair(importer);
    const { id, call } = await silentUpload(relay, token);
    const other = await relay.announce(rival, manifestOf(["b.wav"]));
    await relay.call("DELETE", `/packages/${other.package_id}`, { token: rival });
    await relay.call("POST", "/app/unpair", { token: rival });
    call.write(WAV.subarray(50));
    call.end();
    expect((await call.answer).status).toBe(200);
    expect((await relay.status(token, id)).files).toEqual({ "a.wav": "uploaded" });
  });
});

describe("a running download", () => {
  async function open() {
    const { relay } = await startOnMemory();
    const { importer, token } = await relay.paired();
    const id = await sendLong(relay, token);
    const path = `/importer/packages/${id}/files/long.wav`;
    const start = () => slowGet(relay, path, importer.token);
    return { relay, importer, token, id, start };
  }

  test("[J9] ends when its computer is removed", async () => {
    const { relay, importer, start } = await open();
    await using _ = relay;
    const download = await start();
    await relay.call("DELETE", "/importer/me", { token: importer.token });
    const { isWhole, sizeBytes } = await download.rest();
    expect([download.status, isWhole]).toEqual([200, false]);
    expect(sizeBytes).toBeLessThan(longWav().length);
  });

  test("[J9] ends when its package is withdrawn", async () => {
    const { relay, token, id, start } = await open();
    await using _ = relay;
    const download = await start();
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
    expect((await download.rest()).isWhole).toBe(false);
  });

  test("[J9] goes on when its app is unpaired, and after the end of the wait under a live lease", async () => {
    const { relay, importer, token, id, start } = await open();
    await using _ = relay;
    relay.clock.pass(86_400 - 60);
    await importerCall(relay, importer.token, id).take({ run_id: "a" });
    const download = await start();
    await relay.call("POST", "/app/unpair", { token });
    relay.clock.pass(120);
    await relay.sweep();
    relay.relay.context.notifier.missed();
    expect(await download.rest()).toEqual({ isWhole: true, sizeBytes: longWav().length });
  });
});
