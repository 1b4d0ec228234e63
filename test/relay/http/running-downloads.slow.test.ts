import { expect, test } from "vitest";
import { startOnMemory } from "../memory-relay.ts";
import { importerCall } from "./importer-call.ts";
import { longWav, sendLong } from "./send-long.ts";
import { slowGet } from "./slow-get.ts";

test("[J9] a running download goes on when its app is unpaired, and after the end of the wait under a live lease", async () => {
  const { relay } = await startOnMemory();
  await using _ = relay;
  const { importer, token } = await relay.paired();
  const id = await sendLong(relay, token);
  relay.clock.pass(86_400 - 60);
  await importerCall(relay, importer.token, id).take({ run_id: "a" });
  const download = await slowGet(relay, `/importer/packages/${id}/files/long.wav`, importer.token);
  await relay.call("POST", "/app/unpair", { token });
  relay.clock.pass(120);
  await relay.sweep();
  relay.relay.context.notifier.missed();
  expect(await download.rest()).toEqual({ isWhole: true, sizeBytes: longWav().length });
});
