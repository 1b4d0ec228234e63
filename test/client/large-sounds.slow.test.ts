import { expect, test, describe } from "vitest";
import { IN_NODE, soundFile } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { Cutter } from "../sim/cutter.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { preparePackage } from "../../client/send/prepare-package.ts";
import type { SendProgress } from "../../client/send/send-options.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

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

describe("a draft", () => {
  test("[W2] is refused before any hashing when it is too large", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "large.wav");
    await writeFile(path, new Uint8Array(105_000_000));
    const source = await soundFile(path);
    const progress: SendProgress[] = [];
    await expect(
      preparePackage(
        { sounds: [{ source }, { source }] },
        { onProgress: (step) => progress.push(step) },
      ),
    ).rejects.toMatchObject({ code: "TOTAL_TOO_LARGE", status: undefined });
    expect(progress).toEqual([]);
  });
});
