import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Cluster, startCluster } from "./cluster.ts";
import { askToStop, openControlSocket } from "./control-socket.ts";
import { describeMissingEngines } from "./programs.ts";

// `npm run dev:scaled [-- --relays 3 | --stop]`: rule SC19.

const { values: flags } = parseArgs({
  options: {
    relays: { type: "string", default: "3" },
    stop: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const relays = Number(flags.relays);
const missing = describeMissingEngines();
const trouble =
  missing ??
  (Number.isInteger(relays) && relays >= 1 && relays <= 16
    ? undefined
    : "--relays is a whole number from 1 to 16.");
if (flags.stop) {
  const hasStopped = await askToStop();
  process.stdout.write(hasStopped ? "It has stopped.\n" : "Nothing runs.\n");
} else if (trouble === undefined) {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
  await run(stop.signal).catch((error: unknown) => {
    // Ctrl-C reaches what is starting, too.
    if (stop.signal.aborted) return;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
} else {
  process.stderr.write(`${trouble}\n`);
  process.exitCode = 1;
}

async function run(signal: AbortSignal): Promise<void> {
  await using control = await openControlSocket();
  await using folder = await makeFolder();
  process.env["SOUNDFERRY_ENGINES_FOLDER"] = folder.path;
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[0].startsWith("SOUNDFERRY_") && entry[1] !== undefined,
  );
  await using cluster = await startCluster({
    relays,
    settings: Object.fromEntries(own.filter(([name]) => name !== "SOUNDFERRY_ENGINES_FOLDER")),
    onProgress: (words) => process.stderr.write(`Starting ${words} …\n`),
  });
  process.stdout.write(flags.json ? `${JSON.stringify(factsOf(cluster))}\n` : describe(cluster));
  await untilAborted(AbortSignal.any([signal, control.stopAsked]));
  process.stderr.write("Stopping the relays, the proxies and the engines.\n");
}

/** One for all, which engines of another user may enter. */
async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "soundferry-scaled-"));
  await chmod(path, 0o711);
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function factsOf({ engines, pgbouncer, databaseUrl, bucket, ...cluster }: Cluster) {
  const { swift } = engines;
  return {
    url: cluster.haproxy.url,
    relays: cluster.relays.map(({ url, logPath }) => ({ url, log: logPath })),
    database: databaseUrl,
    pooled_database: pgbouncer.urlOf(databaseUrl),
    s3: {
      endpoint: swift.endpoint,
      bucket,
      access_key_id: swift.accessKeyId,
      secret_access_key: swift.secretAccessKey,
    },
  };
}

function describe(cluster: Cluster): string {
  const { url, relays: each, ...facts } = factsOf(cluster);
  const lines: readonly (readonly [string, string])[] = [
    ["Address", `${url} (haproxy)`],
    ...each.map(
      (relay, index) => [`Relay ${index + 1}`, `${relay.url}, log ${relay.log}`] as const,
    ),
    ["PostgreSQL", facts.database],
    ["pgbouncer", facts.pooled_database],
    ["S3", `${facts.s3.endpoint}, bucket ${facts.s3.bucket}`],
    ["S3 keys", `${facts.s3.access_key_id} ${facts.s3.secret_access_key}`],
  ];
  return [
    "",
    ...lines.map(([name, value]) => `${name.padEnd(12)}${value}`),
    "",
    "Ctrl-C stops and deletes everything, and so does npm run dev:scaled -- --stop",
    "",
  ].join("\n");
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
}
