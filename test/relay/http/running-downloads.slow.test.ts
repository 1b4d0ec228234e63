import { describe, expect, test } from "vitest";
import { startOnMemory } from "../memory-relay.ts";
import { importerCall } from "./importer-call.ts";
import { longWav, sendLong } from "./send-long.ts";
import { slowGet } from "./slow-get.ts";

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
