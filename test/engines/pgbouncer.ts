import { join } from "node:path";
import { Client } from "pg";
import { makeEngineFolder, writeEngineFile } from "./engine-folder.ts";
import { Engine, startOnFreePorts } from "./engine.ts";
import { freePort } from "./free-port.ts";
import type { Postgres } from "./postgres.ts";

/** pgbouncer in transaction mode: a connection is the caller's own for one transaction only. */
export class Pgbouncer extends Engine {
  readonly port: number;

  constructor(folder: string, port: number) {
    super({
      name: "pgbouncer",
      command: ["pgbouncer", join(folder, "pgbouncer.ini")],
      folder,
      // "Immediate": it holds nothing that could be lost.
      stopSignal: "SIGTERM",
      isReady: () => askItself(port),
    });
    this.port = port;
  }

  /** The URL of a database through this pooler, from the one that `createDatabase` gave. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String(this.port);
    return url.href;
  }
}

/** A pooler in front of a PostgreSQL server. @param options how many connections it has for each database */
export async function startPgbouncer(
  postgres: Pick<Postgres, "port">,
  options: { readonly poolSize?: number } = {},
): Promise<Pgbouncer> {
  return startOnFreePorts(async () => {
    const folder = await makeEngineFolder("pgbouncer");
    const port = await freePort();
    await writeEngineFile(join(folder, "users.txt"), '"postgres" ""\n');
    await writeEngineFile(
      join(folder, "pgbouncer.ini"),
      [
        "[databases]",
        `* = host=127.0.0.1 port=${postgres.port} user=postgres`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = trust",
        `auth_file = ${join(folder, "users.txt")}`,
        "admin_users = postgres",
        "pool_mode = transaction",
        `default_pool_size = ${options.poolSize ?? 40}`,
        "max_client_conn = 1000",
        // A server that comes back is asked again soon; 15 s otherwise.
        "server_login_retry = 1",
        "ignore_startup_parameters = extra_float_digits",
        "",
      ].join("\n"),
    );
    return new Pgbouncer(folder, port);
  });
}

/** Its own console answers without a database. */
async function askItself(port: number): Promise<void> {
  const client = new Client({
    connectionString: `postgres://postgres@127.0.0.1:${port}/pgbouncer`,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("show version");
  } finally {
    await client.end().catch(() => undefined);
  }
}
