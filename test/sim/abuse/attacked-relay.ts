import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child, type ChildOptions } from "../../bench/child.ts";
import type { Usage } from "../../bench/processes/answer-calls.ts";
import { type Engines, settingsOf } from "../../engines/cluster.ts";
import { startHaproxy } from "../../engines/haproxy.ts";
import { startPgbouncer } from "../../engines/pgbouncer.ts";
import { letPass } from "../real-time.ts";

/** The size of a relay's database. */
export interface StoredRows {
  /** Rows of bytes that addresses sent. */
  readonly received: number;
  /** Bytes of all tables. */
  readonly bytes: number;
}

/** The functions of `processes/relay.ts`, and of what is tried in its place. */
export interface ServerCalls {
  start(options: {
    readonly flags: Readonly<Record<string, string>>;
    readonly diskBytes?: number | undefined;
  }): Promise<{ readonly url: string; readonly metricsUrl?: string | undefined }>;
  hashedCodes(argument: undefined): number;
  storedRows(argument: undefined): StoredRows;
  /** Counts keys that are pending or doomed, and sounds that are stored. With `sweeps`, it sweeps first. */
  left(options: { readonly sweeps: boolean }): Promise<number> | number;
  /** Has the sounds' service answer nothing, or again. */
  interruptSounds(options: { readonly isSilent: boolean }): void;
}

/** The folder of the processes that attacks start. */
export const PROCESSES = join(import.meta.dirname, "processes");

/** Memory that grows no more between two looks has settled; a slow machine gets so many of them. */
const LOOK_MS = 1000;
const LOOKS = 20;
const RELAYS = 3;

export interface OpenOptions extends Pick<ChildOptions, "core" | "descriptors"> {
  /** The process that serves. Default: the relay. */
  readonly file?: string;
  /** Settings by their variables, over those of every attack. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The room on a disk that never changes. Default: that of the real one. */
  readonly diskBytes?: number;
  /** True if 127.0.0.1 is a trusted proxy that names the strangers' addresses. Default: true. */
  readonly isBehindProxy?: boolean;
}

type Parts = Pick<Attacked, "url" | "metricsUrl"> & {
  readonly servers: readonly Child<ServerCalls>[];
  readonly logPaths: readonly string[];
};

/**
 * The target of an attack: one relay, or several as if they were one. Disposing it ends them and removes what they
 * left.
 */
export class Attacked implements AsyncDisposable {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  readonly #servers: readonly Child<ServerCalls>[];
  readonly #logPaths: readonly string[];
  readonly #owned: AsyncDisposable;

  private constructor({ url, metricsUrl, servers, logPaths }: Parts, owned: AsyncDisposable) {
    this.url = url;
    this.metricsUrl = metricsUrl;
    this.#servers = servers;
    this.#logPaths = logPaths;
    this.#owned = owned;
  }

  /** @param engines the caller's: then it is three relays behind haproxy, on PostgreSQL and S3 */
  static async open(options: OpenOptions = {}, engines?: Engines): Promise<Attacked> {
    const { file = "relay", isBehindProxy = true, core, descriptors, diskBytes } = options;
    await using starting = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "soundferry-abuse-"));
    starting.defer(() => rm(folder, { recursive: true, force: true }));
    const stores =
      engines === undefined
        ? { SOUNDFERRY_DATA: join(folder, "data"), SOUNDFERRY_MIN_FREE_BYTES: "0" }
        : settingsOf({
            engines,
            pgbouncer: starting.use(await startPgbouncer(engines.postgres)),
            databaseUrl: await engines.postgres.createDatabase(),
            bucket: await engines.swift.createBucket(),
          });
    const flags = {
      ...stores,
      SOUNDFERRY_PORT: "0",
      ...(isBehindProxy && { SOUNDFERRY_TRUST_PROXY: "127.0.0.1" }),
      ...options.settings,
    };
    const logPaths = Array.from({ length: engines === undefined ? 1 : RELAYS }, (_, index) =>
      join(folder, `relay-${index}.log`),
    );
    const servers = logPaths.map((logPath) => {
      const child = { folder: PROCESSES, core, descriptors, logPath };
      return starting.use(new Child<ServerCalls>(file, child));
    });
    const served = await Promise.all(
      servers.map((server) => server.call("start", { flags, diskBytes })),
    );
    const [first] = served as [(typeof served)[number]];
    const ports = served.map(({ url }) => Number(new URL(url).port));
    // The attacks say themselves where their strangers are.
    const front =
      engines === undefined
        ? first
        : starting.use(await startHaproxy(ports, { keepsForwardedFor: true }));
    const parts = { url: front.url, metricsUrl: first.metricsUrl, servers, logPaths };
    return new Attacked(parts, starting.move());
  }

  /** Number of relays in the target. */
  get relays(): number {
    return this.#servers.length;
  }

  /** The processor time of all, and the memory of the one that needs the most: what is promised of memory is of one. */
  async usage(): Promise<Usage> {
    const usages = await Promise.all(this.#servers.map((server) => server.usage()));
    return {
      cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      residentMb: Math.max(...usages.map(({ residentMb }) => residentMb)),
      peakMb: Math.max(...usages.map(({ peakMb }) => peakMb)),
    };
  }

  /** The same after that time, once its memory has settled. */
  async settledUsage(afterMs: number): Promise<Usage> {
    await letPass(afterMs);
    let usage = await this.usage();
    for (let count = 0; count < LOOKS; count += 1) {
      await letPass(LOOK_MS);
      const { peakMb } = usage;
      usage = await this.usage();
      if (usage.peakMb <= peakMb) break;
    }
    return usage;
  }

  /** Acts so often; returns what came, and the processor time of one act, of all its threads. */
  async costOf<Result>(acts: () => Promise<readonly Result[]>) {
    const before = await this.usage();
    const results = await acts();
    return { results, cpuMs: ((await this.usage()).cpuMs - before.cpuMs) / results.length };
  }

  /** Reads the logs of all relays. */
  async readLog(): Promise<string> {
    return (await Promise.all(this.#logPaths.map((path) => readFile(path, "utf8")))).join("");
  }

  /** Pairing codes made and looked up so far. */
  async hashedCodes(): Promise<number> {
    const calls = this.#servers.map((server) => server.call("hashedCodes", undefined));
    return (await Promise.all(calls)).reduce((sum, count) => sum + count, 0);
  }

  /** The rows of the first relay's own database. */
  async storedRows(): Promise<StoredRows> {
    const [first] = this.#servers;
    if (first === undefined) throw new Error("The attack has no relay.");
    return first.call("storedRows", undefined);
  }

  /** Keys and sounds that are left. @param sweeps whether it sweeps first */
  async left(sweeps: boolean): Promise<number> {
    const calls = this.#servers.map((server) => server.call("left", { sweeps }));
    return Math.max(...(await Promise.all(calls)));
  }

  /** The sounds' service answers nothing, or again. */
  async interruptSounds(isSilent: boolean): Promise<void> {
    for (const server of this.#servers) await server.call("interruptSounds", { isSilent });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }
}
