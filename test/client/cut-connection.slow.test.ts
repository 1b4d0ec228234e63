import { expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { Cutter } from "../sim/cutter.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";

test("[W4][W5] in Node, a send resumes after the connection was cut", async () => {
  await using relay = await RunningRelay.start();
  await using line = await Cutter.to(relay.url);
  const { token } = await relay.paired();
  const client = pairedClient(`http://127.0.0.1:${line.port}`, {
    tokenStore: new MemoryTokenStore(token),
    pace: instantPace(),
    ...IN_NODE,
  });
  line.play({ at: { bytes: 2_000_000 }, does: "stall" });
  const errors: string[] = [];
  const { packageId } = await client.send(
    { sounds: [{ source: smallWav({ frames: 8_000_000 }), name: "Long" }] },
    {
      onProgress: ({ phase, fileBytes }) => {
        if (phase === "uploading" && fileBytes > 2_000_000) line.breakStalled();
      },
      onRetry: ({ message }) => {
        errors.push(message);
        line.repair();
      },
    },
  );
  expect(errors).toEqual([`The connection to ${client.relayUrl} was lost. Check the network.`]);
  expect((await client.status(packageId)).status).toBe("waiting");
});
