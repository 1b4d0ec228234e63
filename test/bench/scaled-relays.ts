import { join } from "node:path";
import { startEngines } from "../engines/cluster.ts";
import { Child } from "./child.ts";
import type { RelayCalls } from "./processes/relay.ts";

/** Several relays on one PostgreSQL and one S3 server, which are this bench's own. */
export interface ScaledRelays extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  /** Processor time of the relays alone, in milliseconds. */
  cpuMs(): Promise<number>;
  peakMb(): Promise<number>;
}

/** A database and a bucket. */
export interface SharedStores {
  readonly databaseUrl: string;
  /** Settings of the relays that use them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The engines that relays share. */
export interface SharedEngines extends AsyncDisposable {
  /** Makes a new database and a new bucket. */
  createStores(): Promise<SharedStores>;
  /** Starts relays, on new stores unless others are given. */
  relays(count: number, stores?: SharedStores): Promise<ScaledRelays>;
}

export async function startSharedEngines(folder: string): Promise<SharedEngines> {
  const engines = await startEngines();
  const { postgres, swift } = engines;
  const createStores = async (): Promise<SharedStores> => {
    const databaseUrl = await postgres.createDatabase();
    const settings = {
      SOUNDFERRY_DATABASE_URL: databaseUrl,
      ...swift.settingsOf(await swift.createBucket()),
    };
    return { databaseUrl, settings };
  };
  return {
    createStores,
    relays: async (count, stores) =>
      startRelays(count, { folder, ...(stores ?? (await createStores())) }),
    [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose](),
  };
}

async function startRelays(
  count: number,
  given: SharedStores & { readonly folder: string },
): Promise<ScaledRelays> {
  await using starting = new AsyncDisposableStack();
  const relays: Child<RelayCalls>[] = [];
  const urls: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const relay = starting.use(
      new Child<RelayCalls>("relay", { logPath: join(given.folder, "relay.log") }),
    );
    const start = { dataFolder: join(given.folder, "none"), settings: given.settings };
    relays.push(relay);
    urls.push((await relay.call("start", start)).url);
  }
  const started = starting.move();
  const usages = () => Promise.all(relays.map((relay) => relay.usage()));
  return {
    urls,
    databaseUrl: given.databaseUrl,
    cpuMs: async () => (await usages()).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    peakMb: async () => (await usages()).reduce((sum, { peakMb }) => sum + peakMb, 0),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
