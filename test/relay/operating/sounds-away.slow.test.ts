import { onTestFinished, expect, test } from "vitest";
import { openActions } from "../../../relay/operating/administer.ts";
import { openS3SoundStore } from "../../../relay/storage/s3/s3-sound-store.ts";
import { manifestOf } from "../../manifest-of.ts";
import { within } from "../../sim/real-time.ts";
import { TinyS3 } from "../../sim/tiny-s3.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { subject } from "./operate.ts";

/** Far less than the patience with a silent service, which is half a minute for each of several calls. */
const SOON_MS = 20_000;

/** A relay whose sounds are in a bucket, an app, and packages that wait. */
async function relayOnBucket() {
  const s3 = await TinyS3.start();
  onTestFinished(() => s3[Symbol.asyncDispose]());
  const sounds = await openS3SoundStore({ ...s3.address, onTrouble: () => {} });
  onTestFinished(() => sounds[Symbol.asyncDispose]());
  const relay = await RunningRelay.start({}, { ports: { sounds } });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { token, importer } = await relay.paired();
  const send = () => relay.send(token, ["kick.wav", "pad.wav"]);
  const stored = () => [...s3.objects.keys()].filter((name) => name.includes("pkg_"));
  return { s3, relay, token, importer, send, stored };
}

test.for(["away", "silent"] as const)(
  "[Z14] while the sounds' service is %s, withdrawing, unpairing and removing a computer are answered at once",
  async (state) => {
    const { s3, relay, token, importer, send, stored } = await relayOnBucket();
    const withdrawn = await send();
    const kept = await send();
    const { token: other } = await relay.paired();
    await relay.announce(other, manifestOf(["kick.wav"]));
    s3.state = state;
    const calls = async () => {
      const withdraw = await relay.call("DELETE", `/packages/${withdrawn}`, { token });
      const unpair = await relay.call("POST", "/app/unpair", { token: other });
      const apps = await relay.call("GET", "/importer/apps", importer);
      const path = `/importer/apps/${apps.json.apps[0].pairing_id}`;
      const byPerson = await relay.call("DELETE", path, importer);
      const remove = await relay.call("DELETE", "/importer/me", importer);
      return [withdraw, unpair, byPerson, remove].map(({ status }) => status);
    };
    expect(await within(SOON_MS, calls())).toEqual([200, 200, 200, 200]);
    expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
    expect(stored().filter((name) => name.includes(kept))).toHaveLength(2);
    s3.state = "well";
    await relay.sweep();
    expect(stored()).toEqual([]);
  },
);

test("[Z14] a commit of several files is 503 with Retry-After while their service is away", async () => {
  const { s3, relay, token } = await relayOnBucket();
  const files = ["kick.wav", "pad.wav", "bass.wav"];
  const { upload, package_id: id } = await relay.announce(token, manifestOf(files));
  for (const file of files) {
    await relay.call("PUT", upload[file] ?? "", { token, body: smallWav() });
  }
  s3.state = "away";
  const commit = () => relay.call("POST", `/packages/${id}/commit`, { token });
  const { status, headers } = await commit();
  expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  s3.state = "well";
  expect((await commit()).status).toBe(200);
});

test.for(["away", "silent"] as const)(
  "[Z14][AD1] while the sounds' service is %s, an operator's commands are done, and say what is left",
  async (state) => {
    const { s3, relay, importer, send, stored } = await relayOnBucket();
    const purged = await send();
    await send();
    s3.state = state;
    const { bucket: s3Bucket, endpoint: s3Endpoint, ...keys } = s3.address;
    const s3Keys = { s3AccessKeyId: keys.accessKeyId, s3SecretAccessKey: keys.secretAccessKey };
    const settings = { dataFolder: relay.folder, s3Bucket, s3Endpoint, ...s3Keys };
    const commands = async () => {
      await using admin = await openActions(settings, { who: "anna" });
      expect(await admin.block(subject("192.0.2.0/24"), true)).toBe(true);
      expect(await admin.purge(purged)).toEqual({ files: 2, waiting: 2 });
      expect(await admin.erase(importer.deviceId)).toMatchObject({ files: 2, waiting: 2 });
    };
    await within(SOON_MS, commands());
    s3.state = "well";
    await relay.sweep();
    expect(stored()).toEqual([]);
  },
);
