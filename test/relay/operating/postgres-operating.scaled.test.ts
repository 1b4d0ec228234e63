import { expect, onTestFinished, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { adoptRelay } from "../../../relay/operating/adopt.ts";
import { checkRelay } from "../../../relay/operating/check.ts";
import { openRecords, openSounds } from "../../../relay/operating/open-operated.ts";
import { sharedPostgres, sharedSwift } from "../../engines/shared-engines.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { neverSent } from "../storage/records/every-statement.ts";
import { noteStatements } from "../storage/records/noted-statements.ts";
import { relayWithSounds } from "./backed-up-relay.ts";
import { SUM } from "./operate.ts";
import { operatingCases } from "./operating-cases.ts";

/** A relay on an empty database and an empty bucket. */
async function relayOnPostgres() {
  const swift = sharedSwift();
  const environment = {
    SOUNDFERRY_DATABASE_URL: await sharedPostgres().createDatabase(),
    ...swift.settingsOf(await swift.createBucket()),
  };
  return { ...(await relayWithSounds(environment)), environment };
}

const sent = noteStatements();

for (const { title, run } of operatingCases(relayOnPostgres)) test(`[SC21]${title}`, run);

test("an operator's cases send every statement of operating to PostgreSQL", async () => {
  sent[Symbol.dispose]();
  expect(await neverSent("operating", sent.postgres)).toEqual([]);
});

async function start(environment: Record<string, string>): Promise<RunningRelay> {
  const relay = await RunningRelay.start(environment, { hasOwnClock: true });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

test("[Z9] a repair on PostgreSQL and S3 quarantines the unknown, and says what is lost", async () => {
  const { relay, settings, environment, token, importer, packages } = await relayOnPostgres();
  await relay.stop();
  const [waiting = ""] = packages;
  const sounds = await openSounds(settings);
  onTestFinished(() => sounds[Symbol.asyncDispose]());
  const unknown = "pkg_foreign/snd_1";
  const writer = await sounds.create(unknown, { bytes: smallWav().length, sha256: SUM });
  await writer.write(smallWav());
  await writer.finish();
  {
    await using records = await openRecords(settings, { mayWrite: false });
    const { uploaded } = (await records.packages.find(waiting)) ?? {};
    await sounds.delete([uploaded?.get("kick.wav") ?? ""]);
  }

  const found = await checkRelay(settings, {});
  expect(found.unknown.map(({ key }) => key)).toEqual([unknown]);
  expect(found.lost.map(({ packageId }) => packageId)).toEqual([waiting]);
  const { repairs } = await checkRelay(settings, { isRepairing: true });
  expect(repairs?.markedLost.map(({ packageId }) => packageId)).toEqual([waiting]);
  const after = await checkRelay(settings, {});
  expect(after).toMatchObject({ unknown: [], lost: [] });
  expect(after.quarantined.map(({ key }) => key)).toEqual([unknown]);

  const again = await start(environment);
  expect((await again.status(token, waiting)).files).toMatchObject({ "kick.wav": "missing" });
  const of = (file: string) => `/importer/packages/${waiting}/files/${file}`;
  expect((await again.call("GET", of("kick.wav"), importer)).json.code).toBe("SOUND_LOST");
  expect((await again.call("GET", of("pad.wav"), importer)).status).toBe(200);
});

test("[Z1] a relay on PostgreSQL whose bucket was exchanged starts again once it is adopted", async () => {
  const { relay, settings, environment, token, packages } = await relayOnPostgres();
  await relay.stop();
  const [waiting = ""] = packages;
  const bucket = await sharedSwift().createBucket();
  const exchanged = { ...environment, SOUNDFERRY_S3_BUCKET: bucket };
  await expect(RunningRelay.start(exchanged)).rejects.toThrow(InstanceMismatch);
  const adoption = await adoptRelay({ ...settings, s3Bucket: bucket });
  expect(adoption?.lost.map(({ packageId }) => packageId)).toContain(waiting);
  const again = await start(exchanged);
  const { files } = await again.status(token, waiting);
  expect(Object.values(files)).toEqual(["missing", "missing"]);
  expect(await adoptRelay({ ...settings, s3Bucket: bucket })).toBeUndefined();
});
