import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import { openS3SoundStore } from "../../../relay/storage/s3/s3-sound-store.ts";
import { openDatabase, type OperatedSounds } from "../../../relay/operating/open-operated.ts";
import { migrate, type MigrateOptions } from "../../../relay/operating/moving/migrate.ts";
import type { PostgresDatabase } from "../../../relay/storage/postgres/postgres-database.ts";
import { sharedPostgres, sharedSwift } from "../../engines/shared-engines.ts";
import { smallWav } from "../../wav-bytes.ts";
import { partHeaders } from "../http/partial-calls.ts";
import { type Importer, RunningRelay } from "../running-relay.ts";
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

/** An empty database and an empty bucket. */
export async function emptyTarget() {
  const [postgres, swift] = [sharedPostgres(), sharedSwift()];
  const databaseUrl = await postgres.createDatabase();
  const bucket = await swift.createBucket();
  const { endpoint, region, accessKeyId, secretAccessKey } = swift;
  const environment = {
    SOUNDFERRY_DATABASE_URL: databaseUrl,
    ...swift.settingsOf(bucket),
  };
  const settings = {
    dataFolder: "/nowhere",
    databaseUrl,
    s3Bucket: bucket,
    s3Endpoint: endpoint,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  };
  const database: PostgresDatabase = await openDatabase(settings);
  onTestFinished(() => database[Symbol.asyncDispose]());
  const sounds = await openS3SoundStore({
    bucket,
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    onTrouble: () => {},
  });
  onTestFinished(() => sounds[Symbol.asyncDispose]());
  const target: { database: PostgresDatabase; sounds: OperatedSounds } = { database, sounds };
  const move = (dataFolder: string, options: Partial<MigrateOptions> = {}) =>
    migrate({ dataFolder, target, to: "the test's database", ...options });
  return { target, environment, settings, move };
}

export function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
