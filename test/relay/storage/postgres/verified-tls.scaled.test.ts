import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Connections } from "../../../../relay/storage/postgres/connections.ts";
import { withSslMode } from "../../../../relay/store-tls.ts";
import { startPostgres } from "../../../engines/postgres.ts";
import { soon } from "../../../sim/soon.ts";
import { plainStatement } from "../records/plain-statement.ts";

const FOLDER = join(import.meta.dirname, "../../tls");
const IS_ENCRYPTED = plainStatement<{ readonly ssl: boolean }>(
  "is_encrypted",
  "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
);
const CA = join(FOLDER, "cert.pem");

test("[SEC3] a real PostgreSQL is used only over TLS with a certificate that was checked, unless the address says otherwise", async () => {
  await using postgres = await startPostgres();
  for (const [from, to] of [
    ["cert.pem", "server.crt"],
    ["key.pem", "server.key"],
  ] as const) {
    const base64 = readFileSync(join(FOLDER, from)).toString("base64");
    await postgres.run(`COPY (SELECT '${base64}') TO PROGRAM 'umask 077; base64 -d > ${to}'`);
  }
  const connect = (search: string) =>
    Connections.open({
      url: withSslMode(`postgres://postgres@localhost:${postgres.port}/postgres?${search}`),
      onTrouble: () => {},
    });
  await expect(connect("sslmode=verify-full")).rejects.toThrow("does not support SSL");
  await postgres.run("ALTER SYSTEM SET ssl = on");
  await postgres.run("SELECT pg_reload_conf()");
  const withRequire = () => connect("sslmode=require").catch(String);
  await soon(withRequire).toContain("self-signed");
  for (const [search, isEncrypted] of [
    [`sslrootcert=${CA}`, true],
    [`sslmode=verify-full&sslrootcert=${CA}`, true],
    ["sslmode=no-verify", true],
    ["sslmode=disable", false],
  ] as const) {
    await using connections = await connect(search);
    const rows = await connections.read(IS_ENCRYPTED());
    expect(rows, search).toEqual([{ ssl: isEncrypted }]);
  }
});
