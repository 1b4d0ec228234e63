import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Connections } from "../../../../relay/storage/postgres/connections.ts";
import { MIGRATIONS } from "../../../../relay/storage/postgres/migrations.ts";
import { register } from "../../../contracts/relay/records/sample-records.ts";
import { startPostgres } from "../../../engines/postgres.ts";
import { sharedPostgres } from "../../../engines/shared-engines.ts";
import { WHOLE_FORMS } from "../../../whole-forms.ts";
import { runIn } from "../../notify/notifying-postgres.ts";
import { plainStatement } from "../records/plain-statement.ts";
import { migratedDatabase, openPostgres, throughPooler } from "./open-postgres.ts";

const PROCESSES = WHOLE_FORMS ? 10 : 4;

test("[SC2] many processes open an empty database at once, and it is migrated once", async () => {
  const url = await sharedPostgres().createDatabase();
  const child = join(import.meta.dirname, "opening-child.ts");
  const answers = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [child, url]);
      return stdout;
    }),
  );
  expect(answers).toEqual(Array(PROCESSES).fill("opened"));
  const applied = await runIn<object>(
    url,
    "SELECT version FROM soundferry_migrations ORDER BY version",
  );
  expect(applied.map((row) => Object.values(row))).toEqual(
    MIGRATIONS.map((_, index) => [String(index + 1)]),
  );
});

test("[SC1] a database that may lose what it confirmed is refused, and each reason named", async () => {
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  await using unsafe = await startPostgres({ settings });
  const url = await unsafe.createDatabase();
  for (const name of Object.keys(settings)) {
    await expect(openPostgres(url)).rejects.toThrow(`${name} is off`);
  }
  await expect(openPostgres(url)).rejects.toThrow("SOUNDFERRY_ALLOW_UNSAFE_DATABASE=1");
  await using allowed = await openPostgres(url, { allowUnsafe: true });
  expect((await allowed.upkeep.read()).hasServed).toBe(false);
});

test("[SC1] a database that can't hold every character is refused", async () => {
  const postgres = sharedPostgres();
  await postgres.run(
    "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
  );
  const url = new URL(postgres.url);
  url.pathname = "/latin";
  await expect(openPostgres(url.href)).rejects.toThrow("has the encoding LATIN1");
});

test("[SC6] a pooler is noticed, and no statement has a name there", async () => {
  await using database = await migratedDatabase();
  await using direct = await Connections.open({ url: database.url, onTrouble: () => {} });
  await using pooled = await Connections.open({
    url: await throughPooler(database.url),
    onTrouble: () => {},
  });
  const named = plainStatement("named", "SELECT name FROM pg_prepared_statements")();
  expect([direct.isPooled, pooled.isPooled]).toEqual([false, true]);
  expect(await direct.readSlowly(named)).toEqual([{ name: "named" }]);
  expect(await pooled.readSlowly(named)).toEqual([]);
});

test("[SC6] texts with U+0000 are kept as they are", async () => {
  await using database = await migratedDatabase();
  await using records = await openPostgres(database.url);
  await register(records, "device-1");
  for (const name of ["a\u0000b", "\u001b", "\u001b0\u0000\u001b1"]) {
    await records.pairings.changeDevice("device-1", { deviceName: name });
    const found = await records.pairings.findDevice("device-1-token");
    expect(found?.deviceName).toBe(name);
  }
  expect(await records.packages.find("pkg\u0000_1")).toBeUndefined();
});
