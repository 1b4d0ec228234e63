import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import {
  migrate,
  type MigrateOptions,
  type MigrateResult,
} from "../../../relay/operating/moving/migrate.ts";
import { openSource, openTarget } from "../../../relay/operating/moving/move-stores.ts";
import type { StoreSettings } from "../../../relay/operating/open-operated.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { sharedPostgres, sharedSwift } from "../../engines/shared-engines.ts";
import { smallWav } from "../../wav-bytes.ts";
import { partHeaders } from "../http/partial-calls.ts";
import { type Importer, RunningRelay } from "../running-relay.ts";
import { plainStatement } from "../storage/records/plain-statement.ts";
import { manifestOf } from "../../manifest-of.ts";

/** A stopped relay on SQLite and disk that has one of everything, and what its callers know. */
export async function relayToMove() {
  const relay = await RunningRelay.start();
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { token, importer } = await relay.paired();
  const other = await relay.paired();
  const lonely = await relay.register("Never paired");
  const waiting = await relay.send(token, ["kick.wav", "pad.wav"]);
  const imported = await relay.send(token, ["bass.wav"]);
  await report(relay, importer, imported, "imported");
  const failed = await relay.send(other.token, ["snare.wav"]);
  await report(relay, other.importer, failed, "failed");
  const withdrawn = await relay.send(token, ["gone.wav"]);
  await relay.call("DELETE", `/packages/${withdrawn}`, { token });
  const begun = await relay.announce(token, manifestOf(["late.wav", "half.wav"]));
  await sendHalf(relay, token, begun.upload["half.wav"] ?? "");
  const once = { "idempotency-key": "once" };
  const repeatable = { token, body: manifestOf(["again.wav"]), headers: once };
  const { json: repeated } = await relay.call("POST", "/packages", repeatable);
  await relay.stop();
  return {
    relay,
    folder: relay.folder,
    token,
    importer,
    other,
    lonely,
    waiting,
    imported,
    failed,
    withdrawn,
    begun,
    repeatable,
    repeatedId: String(repeated.package_id),
  };
}

/** Number of received bytes of `half.wav`. */
export const HALF = Math.floor(smallWav().length / 2);

async function report(
  relay: RunningRelay,
  { token }: Importer,
  id: string,
  status: "imported" | "failed",
): Promise<void> {
  const path = `/importer/packages/${id}`;
  await relay.call("POST", `${path}/take`, { token, body: { run_id: "one" } });
  const result = status === "failed" ? { status, error: "It is broken." } : { status };
  await relay.call("POST", `${path}/results`, { token, body: { results: { 1: result } } });
}

/** The first half of a file that is sent in several calls. */
async function sendHalf(relay: RunningRelay, token: string, path: string): Promise<void> {
  await relay.call("PATCH", path, {
    token,
    body: smallWav().subarray(0, HALF),
    headers: partHeaders(0, "?0"),
  });
}

/** An empty database and an empty bucket, as settings. */
export async function emptyPlace() {
  const [postgres, swift] = [sharedPostgres(), sharedSwift()];
  const databaseUrl = await postgres.createDatabase();
  const bucket = await swift.createBucket();
  const { endpoint, region, accessKeyId, secretAccessKey } = swift;
  const settings = {
    dataFolder: "/nowhere",
    databaseUrl,
    s3Bucket: bucket,
    s3Endpoint: endpoint,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  };
  const environment = { SOUNDFERRY_DATABASE_URL: databaseUrl, ...swift.settingsOf(bucket) };
  return { environment, settings };
}

/** An empty database and an empty bucket, opened. */
export async function emptyTarget() {
  const { environment, settings } = await emptyPlace();
  const target = await openTarget(settings, "the test's database");
  onTestFinished(() => target[Symbol.asyncDispose]());
  const move = async (dataFolder: string, options: Partial<MigrateOptions> = {}) => {
    await using source = await openSource({ dataFolder }, dataFolder);
    return await migrate({ source, target, ...options });
  };
  return { target, environment, settings, move };
}

/** Opens both places, moves the relay, and closes them. */
export async function moveBetween(
  from: StoreSettings,
  to: StoreSettings,
  options: Partial<MigrateOptions> = {},
): Promise<MigrateResult> {
  await using source = await openSource(from, placeOf(from));
  await using target = await openTarget(to, placeOf(to));
  const { databaseUrl } = from;
  const onWait = databaseUrl === undefined ? undefined : () => void ageProcesses(databaseUrl);
  return await migrate({ source, target, ...(onWait && { onWait }), ...options });
}

function placeOf({ dataFolder, databaseUrl }: StoreSettings): string {
  return databaseUrl === undefined ? dataFolder : "the test's database";
}

/** Lets every process look as if it had reported last a minute ago, or right now. */
export async function ageProcesses(url: string, minutes = 1): Promise<void> {
  await using connections = await Connections.open({ url, onTrouble: () => {} });
  await connections.write(AGE({ minutes }));
}

const AGE = plainStatement(
  "test_age",
  "UPDATE processes SET seen_at = clock_timestamp() - interval '1 minute' * CAST(:minutes AS integer)",
  "postgres",
);

export function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
