import { expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import type { SendOptions } from "../../client/send/send-options.ts";
import type { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { KillableRelay } from "../sim/killable-relay.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { Cutter } from "../sim/cutter.ts";
import { App } from "../sim/app.ts";
import { worldOf } from "../sim/world.ts";
import { smallWav } from "../wav-bytes.ts";
import { pairedClient } from "./stand-in-relay.ts";

/** The largest possible package, of 200 MB. */
const LARGEST = smallWav({ frames: 104_857_000 });

function clientOf(port: number, token: string): SoundferryClient {
  const tokenStore = new MemoryTokenStore(token);
  return pairedClient(`http://127.0.0.1:${port}`, { tokenStore, ...IN_NODE });
}

test("[W14][U10] 200 MB that are cut 20 times send at most 1.1 times their bytes", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  await using line = await Cutter.to(relay.url);
  line.play({ at: { bytes: 9_000_000 }, does: "reset", times: 20 });
  const client = clientOf(line.port, token);
  const { packageId } = await client.send({ sounds: [{ source: LARGEST }] });
  expect(line.cuts).toBe(20);
  expect(line.upBytes / LARGEST.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});

/** Acts once, in the middle of the upload. */
function halfWay(act: () => void): SendOptions {
  let isDone = false;
  return {
    onProgress: ({ phase, doneBytes, totalBytes }) => {
      if (isDone || phase === "hashing" || doneBytes < totalBytes / 2) return;
      isDone = true;
      act();
    },
  };
}

test("[W14][U10] a relay that is killed in the middle gets the rest after its restart", async () => {
  await using relay = await KillableRelay.start();
  const { app: token = "" } = (await App.paired(worldOf(relay))).facts;
  await using line = await Cutter.to(relay.url);
  const client = clientOf(line.port, token);
  const restart = async (): Promise<void> => {
    await relay.kill();
    await relay.restart();
    line.aimAt(relay.url);
  };
  let restarted: Promise<void> | undefined;
  const { packageId } = await client.send(
    { sounds: [{ source: LARGEST }] },
    halfWay(() => {
      restarted = restart();
    }),
  );
  await restarted;
  expect(relay.kills).toBe(1);
  expect(line.upBytes / LARGEST.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});

test("[W14][U10] an upload whose connection is half open resumes on a new one", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  await using line = await Cutter.to(relay.url);
  const client = clientOf(line.port, token);
  const { packageId } = await client.send(
    { sounds: [{ source: LARGEST }] },
    halfWay(() => line.silence()),
  );
  expect(line.upBytes / LARGEST.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});
