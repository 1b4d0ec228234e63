import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { engineUser, makeEngineFolder } from "./engine-folder.ts";
import { Engine, startOnFreePorts } from "./engine.ts";
import { freePort } from "./free-port.ts";
import { findProgram } from "./programs.ts";

const USER = "postgres";

/** A PostgreSQL server of its own, as durable as it comes: `fsync` and the rest stay on. */
export class Postgres extends Engine {
  readonly port: number;

  constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    const all = {
      listen_addresses: "127.0.0.1",
      port: String(port),
      unix_socket_directories: "",
      max_connections: "200",
      ...settings,
    };
    const words = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    super({
      name: "PostgreSQL",
      command: ["postgres", "-D", join(folder, "data"), ...words],
      folder,
      // "Fast": ends connections, keeps everything committed.
      stopSignal: "SIGINT",
      isReady: () => run(urlOf(port, "postgres"), "select 1"),
    });
    this.port = port;
  }

  /** URL of the database `postgres`, as its superuser. */
  get url(): string {
    return urlOf(this.port, "postgres");
  }

  /** The URL of a new, empty database. */
  async createDatabase(): Promise<string> {
    const name = `test_${randomBytes(6).toString("hex")}`;
    await run(this.url, `create database ${name}`);
    return urlOf(this.port, name);
  }

  /** One statement without parameters on a connection of its own. */
  async run(statement: string): Promise<void> {
    await run(this.url, statement);
  }

  /**
   * Starts it again. After `kill`, a new server refuses while the processes of the last one end.
   * @throws with what it printed
   */
  override async start(): Promise<void> {
    const end = Date.now() + 30_000;
    for (;;) {
      try {
        return await super.start();
      } catch (error) {
        const isEnding = /pre-existing shared memory|lock file .* already exists/.test(
          String(error),
        );
        if (!isEnding || Date.now() > end) throw error;
      }
    }
  }
}

/**
 * A PostgreSQL server with an empty cluster in a temporary folder.
 * @param options settings of `postgresql.conf` that differ
 */
export async function startPostgres(
  options: { readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<Postgres> {
  return startOnFreePorts(async () => {
    const folder = await makeEngineFolder("postgres");
    await initialize(join(folder, "data"));
    return new Postgres(folder, await freePort(), options.settings ?? {});
  });
}

async function initialize(folder: string): Promise<void> {
  const words = ["-D", folder, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"];
  await promisify(execFile)(findProgram("initdb"), [...words, "--no-sync"], {
    ...engineUser(),
    cwd: "/",
    env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" },
  });
}

function urlOf(port: number, database: string): string {
  return `postgres://${USER}@127.0.0.1:${port}/${database}`;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that ends while nobody asks is the caller's next error.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
