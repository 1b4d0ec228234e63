import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { type Haproxy, startHaproxy } from "./haproxy.ts";
import { type Pgbouncer, startPgbouncer } from "./pgbouncer.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { type Swift, startSwift } from "./swift.ts";
import { isReady, RelayProcess, type RelayProgram } from "./relay-process.ts";

/** Only for a haproxy that never sees a relay: a loaded machine is slow. */
const SERVED_MS = 60_000;
const LOOK_MS = 50;

/** The engines that relays share. */
export interface Engines {
  readonly postgres: Postgres;
  readonly swift: Swift;
}

export interface ClusterOptions {
  /** Default: 3. */
  readonly relays?: number;
  /** Settings of each relay, over those that the cluster needs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options that differ for one relay, by its number from 0. */
  readonly each?: (
    index: number,
  ) => Partial<Pick<RelayProgram, "settings" | "checkout" | "preload">>;
  /** Opens a way for the relays' listening connections to the database. Default: nothing. */
  readonly listenThrough?: (databaseUrl: string) => Promise<string>;
  /** Engines that the caller owns. Default: new ones, which end with the cluster. */
  readonly engines?: Engines;
  /** Called as parts come up, with what starts next. */
  readonly onProgress?: (words: string) => void;
}

/** Several relays behind haproxy, on PostgreSQL (through pgbouncer in transaction mode) and S3. */
export class Cluster implements AsyncDisposable {
  readonly engines: Engines;
  readonly pgbouncer: Pgbouncer;
  readonly haproxy: Haproxy;
  readonly relays: readonly RelayProcess[];
  /** The database without the pooler. */
  readonly databaseUrl: string;
  readonly bucket: string;
  readonly #parts: AsyncDisposable;

  constructor(
    parts: Pick<Cluster, "engines" | "pgbouncer" | "haproxy" | "relays" | "databaseUrl" | "bucket">,
    disposed: AsyncDisposable,
  ) {
    this.engines = parts.engines;
    this.pgbouncer = parts.pgbouncer;
    this.haproxy = parts.haproxy;
    this.relays = parts.relays;
    this.databaseUrl = parts.databaseUrl;
    this.bucket = parts.bucket;
    this.#parts = disposed;
  }

  /** The address for apps and importers. */
  get url(): string {
    return this.haproxy.url;
  }

  /** @param index from 0 @throws {RangeError} if there is no such relay */
  relay(index: number): RelayProcess {
    const relay = this.relays[index];
    if (relay === undefined) throw new RangeError(`There is no relay ${index}.`);
    return relay;
  }

  /** Stops one relay after the other, each only once the one before serves again. */
  async rollingRestart(): Promise<void> {
    for (const relay of this.relays) {
      await relay.stop();
      await relay.start();
    }
  }

  /** Ends relays and proxies, and the engines that are the cluster's own. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]();
  }
}

/** Starts engines, relays and proxies; the relays together, as a new database must allow. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { onProgress = () => undefined } = options;
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(
    join(process.env["SOUNDFERRY_ENGINES_FOLDER"] ?? tmpdir(), "soundferry-cluster-"),
  );
  starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  onProgress("PostgreSQL and the S3 server");
  const engines = options.engines ?? starting.use(await startEngines());
  onProgress("pgbouncer and haproxy");
  const pgbouncer = starting.use(await startPgbouncer(engines.postgres));
  const databaseUrl = await engines.postgres.createDatabase();
  const bucket = await engines.swift.createBucket();
  const ports = await freePorts(options.relays ?? 3);
  const haproxy = starting.use(await startHaproxy(ports));
  const shared = {
    ...settingsOf({ engines, pgbouncer, databaseUrl, bucket }),
    ...(options.listenThrough !== undefined && {
      SOUNDFERRY_DATABASE_LISTEN_URL: await options.listenThrough(databaseUrl),
    }),
    SOUNDFERRY_BASE_URL: haproxy.url,
    SOUNDFERRY_TRUST_PROXY: "127.0.0.1",
    // haproxy must see that it stops before it refuses.
    SOUNDFERRY_STOP_DELAY_S: "2",
    ...options.settings,
  };
  onProgress(`${ports.length} relays`);
  const relays: RelayProcess[] = [];
  for (const [index, port] of ports.entries()) {
    const own = options.each?.(index) ?? {};
    const settings = { ...shared, ...own.settings };
    relays.push(starting.use(await RelayProcess.in(folder, { ...own, port, settings })));
  }
  await Promise.all(relays.map((relay) => relay.start()));
  await untilServed(haproxy);
  const parts = { engines, pgbouncer, haproxy, relays, databaseUrl, bucket };
  return new Cluster(parts, starting.move());
}

/** Waits until haproxy has seen a relay that is ready: before, it answers 503 itself. */
async function untilServed({ url }: Haproxy): Promise<void> {
  const end = Date.now() + SERVED_MS;
  for (;;) {
    try {
      return await isReady(url);
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(LOOK_MS);
    }
  }
}

/** Starts new engines, at the same time. @param settings of PostgreSQL that differ */
export async function startEngines(
  settings: Readonly<Record<string, string>> = {},
): Promise<Engines & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const owned = async <Started extends AsyncDisposable>(start: Promise<Started>) =>
    stack.use(await start);
  const all = [owned(startPostgres({ settings })), owned(startSwift())] as const;
  // If one fails, the others must have started before they can be ended.
  await Promise.allSettled(all);
  const [postgres, swift] = await Promise.all(all);
  const started = stack.move();
  return {
    postgres,
    swift,
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** The settings of a relay that uses these. */
export function settingsOf({
  engines: { swift },
  pgbouncer,
  databaseUrl,
  bucket,
}: Pick<Cluster, "engines" | "pgbouncer" | "databaseUrl" | "bucket">): Record<string, string> {
  return {
    SOUNDFERRY_DATABASE_URL: pgbouncer.urlOf(databaseUrl),
    // LISTEN needs a connection of its own.
    SOUNDFERRY_DATABASE_LISTEN_URL: databaseUrl,
    ...swift.settingsOf(bucket),
  };
}
