import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type BenchOptions, type BenchResult, timed } from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairApp, sendPackage } from "../paired-app.ts";
import type { ImporterCalls } from "../processes/importer.ts";
import type { SenderCalls } from "../processes/sender.ts";
import { startSharedEngines } from "../scaled-relays.ts";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { urlOf } from "../processes/url-of.ts";

const SOUNDS = 4;
/** PostgreSQL's processes count at most once a second. */
const COUNTED_AFTER_MS = 2500;
/** Nothing is deleted any more after so long without a call. */
const CALM_MS = 20_000;

/** The work that the engines had done at a moment. */
interface Work {
  readonly transactions: number;
  /** Transactions that wrote. */
  readonly changes: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly requests: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/**
 * Measures the cost of a package for the engines: requests and bytes of S3, transactions, rows and log of PostgreSQL.
 * First packages are sent and imported, then others are sent, and only their deletion is counted.
 */
export async function benchPackageCost({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const count = isShort ? 3 : 40;
  const soundBytes = isShort ? 300_000 : 3_000_000;
  await using engines = await startSharedEngines(folder);
  const stores = await engines.createStores();
  await using s3 = await startCountedS3(stores.settings["SOUNDFERRY_S3_ENDPOINT"] ?? "");
  const settings = { ...stores.settings, SOUNDFERRY_S3_ENDPOINT: s3.url };
  await using relays = await engines.relays(1, { ...stores, settings });
  await using importer = new Child<ImporterCalls>("importer", {
    logPath: join(folder, "importer.log"),
  });
  await using sender = new Child<SenderCalls>("sender");
  const [url = ""] = relays.urls;
  const { code } = await importer.call("start", { relayUrl: url, folder });
  const app = await pairApp(url, code);
  const database = new Client({ connectionString: stores.databaseUrl });
  await database.connect();
  const look = async (): Promise<Work> => {
    await sleep(COUNTED_AFTER_MS);
    return { ...(await readWork(database)), ...s3.counts() };
  };
  const manifest = bigManifest(SOUNDS, soundBytes);
  const send = () => sendPackage(app, sender, { url, manifest, sizeBytes: soundBytes });
  const sendAndImport = async () => {
    const packageId = await send();
    await importer.call("import", { packageId });
    await app.client.status(packageId);
  };
  try {
    await sendAndImport();
    const before = await look();
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) times.push(await timed(sendAndImport));
    const imported = since(await look(), before);
    const toDelete: string[] = [];
    for (let index = 0; index < count; index += 1) toDelete.push(await send());
    const kept = await look();
    for (const packageId of toDelete) await app.client.withdraw(packageId);
    await untilCalm(() => deletionsOf(s3.counts()));
    const deleted = since(await look(), kept);
    return {
      name: "package-cost",
      task: `${count} packages of ${SOUNDS} sounds of ${soundBytes.toLocaleString("en")} bytes, sent, imported and deleted.`,
      sides: [
        { name: "sent and imported", unit: "ms", values: times, peakMb: await relays.peakMb() },
      ],
      figures: [],
      notes: [
        `For one package until it is imported: ${describe(imported, count)}.`,
        `For its deletion: ${describe(deleted, count)}.`,
        "What the relay does meanwhile anyway, such as its sweeps and heartbeat, is counted along.",
      ],
    };
  } finally {
    await database.end();
  }
}

/** Counts of the whole database, and of the server's log. */
async function readWork(database: Client) {
  const { rows } = await database.query<
    Record<"transactions" | "changes" | "rows" | "wal", string>
  >(`
    SELECT xact_commit AS transactions, tup_inserted + tup_updated + tup_deleted AS rows,
      pg_snapshot_xmax(pg_current_snapshot()) AS changes,
      pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal
    FROM pg_stat_database WHERE datname = current_database()`);
  const [row] = rows;
  return {
    transactions: Number(row?.transactions),
    changes: Number(row?.changes),
    rows: Number(row?.rows),
    walBytes: Number(row?.wal),
  };
}

function since(after: Work, before: Work): Work {
  const methods = Object.keys(after.requests);
  return {
    transactions: after.transactions - before.transactions,
    changes: after.changes - before.changes,
    rows: after.rows - before.rows,
    walBytes: after.walBytes - before.walBytes,
    requests: Object.fromEntries(
      methods.map((name) => [name, (after.requests[name] ?? 0) - (before.requests[name] ?? 0)]),
    ),
    bytesIn: after.bytesIn - before.bytesIn,
    bytesOut: after.bytesOut - before.bytesOut,
  };
}

/** One by one, and many in one call. */
function deletionsOf({ requests }: S3Counts): number {
  return (requests["DELETE"] ?? 0) + (requests["POST"] ?? 0);
}

/** Resolves once the count has stayed the same. */
async function untilCalm(counted: () => number): Promise<void> {
  for (let last = -1; last !== counted();) {
    last = counted();
    await sleep(CALM_MS);
  }
}

function describe(work: Work, count: number): string {
  const each = (total: number, digits = 1) => (total / count).toFixed(digits);
  const requests = Object.entries(work.requests)
    .filter(([, total]) => total > 0)
    .map(([name, total]) => `${each(total)} ${name}`);
  return [
    ...requests,
    `${each(work.bytesIn / 1e6, 2)} MB into S3`,
    `${each(work.bytesOut / 1e6, 2)} MB out of it`,
    `${each(work.transactions)} transactions, ${each(work.changes)} of them writing`,
    `${each(work.rows)} rows written`,
    `${each(work.walBytes / 1000)} kB of log`,
  ].join(", ");
}

/** Requests to an S3 server by method, with `LIST` for the GETs that list, and the bytes of their bodies. */
export interface S3Counts {
  readonly requests: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A proxy in front of an S3 server that counts what passes. */
export interface CountedS3 extends AsyncDisposable {
  readonly url: string;
  counts(): S3Counts;
}

export async function startCountedS3(endpoint: string): Promise<CountedS3> {
  const target = new URL(endpoint);
  const requests: Record<string, number> = {};
  let bytesIn = 0;
  let bytesOut = 0;
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "", url: path, headers } = incoming;
    const kind = method === "GET" && isList(path) ? "LIST" : method;
    requests[kind] = (requests[kind] ?? 0) + 1;
    incoming.on("data", (piece: Buffer) => (bytesIn += piece.length));
    const { hostname, port } = target;
    const onward = request({ hostname, port, method, path, headers, agent: false });
    const answered = once(onward, "response") as Promise<[IncomingMessage]>;
    const [[got]] = await Promise.all([answered, pipeline(incoming, onward)]);
    got.on("data", (piece: Buffer) => (bytesOut += piece.length));
    answer.writeHead(got.statusCode ?? 502, got.headers);
    await pipeline(got, answer);
  };
  const server = createServer((incoming, answer) => {
    // The caller of a call that broke sees it break, and tries again.
    pass(incoming, answer).catch(() => answer.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server),
    counts: () => ({ requests: { ...requests }, bytesIn, bytesOut }),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Objects, or unfinished uploads. */
function isList(path = ""): boolean {
  return /[?&](list-type=|uploads\b)/.test(path);
}
