import { expect, test } from "vitest";
import { Connections } from "../../../../relay/storage/postgres/connections.ts";
import { migrate, MIGRATIONS } from "../../../../relay/storage/postgres/migrations.ts";
import { raiseNeededSchema } from "../../../../relay/storage/records/needed-schema.ts";
import { insert, packageOf, register } from "../../../contracts/relay/records/sample-records.ts";
import { runIn } from "../../notify/notifying-postgres.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";

/** A migration that older versions don't notice. */
const EXPAND = `
  ALTER TABLE devices ADD COLUMN of_the_future text NOT NULL DEFAULT 'old';
  ALTER TABLE packages ADD COLUMN of_the_future bigint;
  UPDATE packages SET of_the_future = announced_bytes;
  CREATE INDEX packages_of_the_future ON packages (of_the_future);
  CREATE TABLE futures (device_id text PRIMARY KEY REFERENCES devices ON DELETE CASCADE);
`;
const NEXT = [...MIGRATIONS, EXPAND];
/** Takes away what this version needs. */
const CONTRACT = [
  ...NEXT,
  `ALTER TABLE pairings DROP COLUMN last_seen_at; ${raiseNeededSchema(NEXT.length + 1)}`,
];

async function migrateTo(url: string, migrations: readonly string[]): Promise<void> {
  await using connections = await Connections.open({ url, max: 2, onTrouble: () => {} });
  await migrate(connections, migrations);
}

const versionsIn = (url: string) =>
  runIn<object>(url, "SELECT version::integer FROM soundferry_migrations ORDER BY version");

test("[SC2] many of the next version migrate a database at once, beside a relay of this one that goes on", async () => {
  await using database = await migratedDatabase();
  await using before = await openPostgres(database.url);
  await register(before, "device-1");
  await insert(before, packageOf("early", { sizes: [30] }));
  await Promise.all(Array.from({ length: 5 }, () => migrateTo(database.url, NEXT)));
  expect(await versionsIn(database.url)).toEqual(NEXT.map((_, index) => ({ version: index + 1 })));

  await using after = await openPostgres(database.url);
  for (const [records, id] of [
    [before, "late"],
    [after, "later"],
  ] as const) {
    expect((await records.packages.find("early"))?.packageId).toBe("early");
    expect(await insert(records, packageOf(id, { sizes: [20] }))).toEqual({ kind: "inserted" });
  }
  const added =
    "SELECT package_id, packages.of_the_future::integer AS bytes, devices.of_the_future";
  expect(
    await runIn<object>(
      database.url,
      `${added} FROM packages JOIN devices USING (device_id) ORDER BY place`,
    ),
  ).toEqual([
    { package_id: "early", bytes: 30, of_the_future: "old" },
    { package_id: "late", bytes: null, of_the_future: "old" },
    { package_id: "later", bytes: null, of_the_future: "old" },
  ]);
});

test("[SC2] a database from which a newer relay took what this one needs is refused and left as it is", async () => {
  await using database = await migratedDatabase();
  await migrateTo(database.url, CONTRACT);
  await expect(openPostgres(database.url)).rejects.toThrow(
    /A newer version of Soundferry has changed this database .* Install that version again\./u,
  );
  expect(await versionsIn(database.url)).toHaveLength(CONTRACT.length);
});
