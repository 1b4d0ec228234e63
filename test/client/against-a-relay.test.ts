import { expect, test } from "vitest";
import { isJsonObject } from "../../core/json-object.ts";
import { streamingUpload } from "../../client/node/streaming-upload.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/token-store.ts";
import { manifestOf, RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";

const FILES = ["kick drum.wav", "snare.wav", "hat.wav", "clap.wav"];

async function pairedClient(relay: RunningRelay, streams = false): Promise<SoundferryClient> {
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const client = new SoundferryClient({
    relayUrl: relay.url,
    tokenStore: new MemoryTokenStore(),
    ...(streams && { upload: streamingUpload(fetch) }),
  });
  await client.pair(json.code, { appName: "Looper", appId: "app-1" });
  return client;
}

function kit() {
  const bytes = new Uint8Array(smallWav());
  const manifest: object = manifestOf(FILES);
  if (!isJsonObject(manifest)) throw new Error("A manifest is an object.");
  return { manifest, sounds: new Map(FILES.map((file) => [file, new Blob([bytes])])) };
}

test.each([false, true])(
  "[S1][S8] pairs, sends and follows at a real relay; streamed: %s",
  async (streams) => {
    await using relay = await RunningRelay.start();
    const client = await pairedClient(relay, streams);
    expect(await client.me()).toMatchObject({ device_name: "Studio", app_name: "Looper" });

    const outgoing = kit();
    const first = await client.send(outgoing, { idempotencyKey: "take-1" });
    const second = await client.send(outgoing, { idempotencyKey: "take-2" });
    expect(second.package_id).not.toBe(first.package_id);

    const statuses = client.follow(first.package_id);
    expect((await statuses.next()).value).toMatchObject({ status: "waiting" });
    const end = expect(statuses.next()).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
    await client.takeBack(first.package_id);
    await end;
  },
);

test("[M9] a send that failed half-way goes on with the same package under the same key", async () => {
  await using relay = await RunningRelay.start();
  const client = await pairedClient(relay);
  const idempotencyKey = "take-1";
  const whole = kit();
  const half = { ...whole, sounds: new Map([...whole.sounds, ["hat.wav", new Blob(["no WAV"])]]) };
  let announcedId = "";
  const failing = client.send(half, {
    idempotencyKey,
    onAnnounced: ({ package_id }) => {
      announcedId = package_id;
    },
  });
  await expect(failing).rejects.toMatchObject({ status: 422 });
  const { package_id: packageId } = await client.send(whole, { idempotencyKey });
  expect(packageId).toBe(announcedId);
  expect((await client.status(packageId)).status).toBe("waiting");
});

test("[P5] after unpairing nothing more can be called", async () => {
  await using relay = await RunningRelay.start();
  const client = await pairedClient(relay);
  await client.unpair();
  await expect(client.me()).rejects.toMatchObject({ status: 401, code: "NOT_PAIRED" });
});
