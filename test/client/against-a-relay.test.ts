import { expect, test } from "vitest";
import { isJsonObject } from "../../core/text/json-object.ts";
import { streamingUpload } from "../../client/node/in-node.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { manifestOf } from "../manifest-of.ts";

const FILES = ["kick drum.wav", "snare.wav", "hat.wav", "clap.wav"];

async function pairedClient(relay: RunningRelay, streams = false): Promise<SoundferryClient> {
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const client = new SoundferryClient({
    relayUrl: relay.url,
    tokenStore: new MemoryTokenStore(),
    ...(streams && { upload: streamingUpload(fetch) }),
  });
  await client.pair(json.code, { name: "Looper", id: "app-1" });
  return client;
}

function kit() {
  const bytes = new Uint8Array(smallWav());
  const manifest: object = manifestOf(FILES);
  if (!isJsonObject(manifest)) throw new Error("A manifest is an object.");
  return { manifest, sounds: new Map(FILES.map((file) => [file, new Blob([bytes])])) };
}

/** Counts the uploads that a relay has answered. */
function uploadsAt(relay: RunningRelay): number {
  return relay.logLines.filter((line) => line.includes('"method":"PUT"')).length;
}

test.each([false, true])(
  "[S1][S8] pairs, sends and follows with a real relay; streamed: %s",
  async (streams) => {
    await using relay = await RunningRelay.start();
    const client = await pairedClient(relay, streams);
    expect(await client.me()).toMatchObject({ device_name: "Studio", app_name: "Looper" });

    const outgoing = kit();
    const first = await client.sendManifest(outgoing, { idempotencyKey: "take-1" });
    const second = await client.sendManifest(outgoing, { idempotencyKey: "take-2" });
    expect(second.packageId).not.toBe(first.packageId);

    const statuses = client.follow(first.packageId);
    expect((await statuses.next()).value).toMatchObject({ status: "waiting" });
    const end = expect(statuses.next()).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
    await client.withdraw(first.packageId);
    await end;
  },
);

test("[W4][M9] a send that failed half-way resumes the same package with the same key", async () => {
  await using relay = await RunningRelay.start();
  const client = await pairedClient(relay);
  const idempotencyKey = "take-1";
  const whole = kit();
  const half = { ...whole, sounds: new Map([...whole.sounds, ["hat.wav", new Blob(["no WAV"])]]) };
  let announcedId = "";
  const failing = client.sendManifest(half, {
    idempotencyKey,
    onAnnounced: ({ package_id }) => {
      announcedId = package_id;
    },
  });
  await expect(failing).rejects.toMatchObject({ status: 422 });
  const { packageId } = await client.sendManifest(whole, { idempotencyKey });
  expect(packageId).toBe(announcedId);
  expect((await client.status(packageId)).status).toBe("waiting");
});

test("[W4] with the app's own key, only missing files are uploaded", async () => {
  await using relay = await RunningRelay.start();
  const client = await pairedClient(relay);
  const idempotencyKey = "take-1";
  const { manifest, sounds } = kit();
  const { upload, package_id: id } = await client.announce(manifest, { idempotencyKey });
  for (const file of FILES.slice(0, 3)) {
    await client.upload(upload[file] ?? "", sounds.get(file) ?? new Blob([]));
  }
  const progress: number[] = [];
  const { packageId } = await client.sendManifest(
    { manifest, sounds },
    { idempotencyKey, onProgress: ({ doneBytes }) => progress.push(doneBytes) },
  );
  expect(packageId).toBe(id);
  expect(progress.at(-1)).toBe(4 * smallWav().length);
  expect(uploadsAt(relay)).toBe(4);

  // The answer to a commit may be lost on the way; sending again must still succeed.
  await client.sendManifest({ manifest, sounds }, { idempotencyKey });
  expect(uploadsAt(relay)).toBe(4);
});
