import { expect, test } from "vitest";
import { Heartbeat } from "../../../../relay/storage/postgres/heartbeat.ts";
import type { PostgresDatabase } from "../../../../relay/storage/postgres/postgres-database.ts";
import { insert, packageOf, register } from "../../../contracts/relay/records/sample-records.ts";
import { plainStatement } from "../records/plain-statement.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";

const HOUR = 3_600_000;
const AGE_ALL = plainStatement(
  "age_processes",
  `UPDATE processes SET seen_at = seen_at - interval '90 seconds', missed_at = missed_at - interval '90 seconds'`,
);
const ENDS = plainStatement<{ readonly key: string; readonly ends_at: number }>(
  "ends_of_keys",
  "SELECT key, ends_at FROM sound_keys ORDER BY key",
);

/** Two processes on one database. Only the test has them beat, as it is over sooner than their timers. */
async function openTwo() {
  const stack = new AsyncDisposableStack();
  const { url } = stack.use(await migratedDatabase());
  const gone = await openPostgres(url);
  const alive = stack.use(await openPostgres(url));
  const endsAt = alive.clock.now() + HOUR;
  return {
    gone,
    alive,
    endsAt,
    heart: stack.use(await Heartbeat.start(alive.connections)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The keys that end sooner than they were to. */
async function endedOf({ connections }: PostgresDatabase, endsAt: number): Promise<string[]> {
  const rows = await connections.read(ENDS());
  return rows.filter(({ ends_at: end }) => end < endsAt).map(({ key }) => key);
}

/** All processes look as if they were last seen a while ago. */
function waitLong({ connections }: PostgresDatabase): Promise<unknown> {
  return connections.write(AGE_ALL());
}

test("[SC24] the pending keys of a process that is gone end, and no others", async () => {
  await using opened = await openTwo();
  const { gone, alive, heart, endsAt } = opened;
  await register(gone, "device-1");
  await insert(gone, packageOf("pkg_1"));
  await gone.soundKeys.addPending("pkg_1/whole", endsAt);
  await gone.soundKeys.addPending("pkg_1/part", endsAt);
  expect(await gone.soundKeys.beginPartial({ key: "pkg_1/part", file: "sound 1.wav" })).toBe(true);
  await alive.soundKeys.addPending("pkg_1/other", endsAt);
  await gone[Symbol.asyncDispose]();
  await heart.beat();
  expect(await endedOf(alive, endsAt), "It ended keys of a process just seen.").toEqual([]);
  await waitLong(alive);
  await heart.beat();
  expect(await endedOf(alive, endsAt), "A process that is only missed isn't gone.").toEqual([]);
  await waitLong(alive);
  const before = alive.clock.now();
  await heart.beat();
  expect(await endedOf(alive, endsAt)).toEqual(["pkg_1/whole"]);
  await alive.soundKeys.doom({ endedBy: before });
  expect(
    await alive.soundKeys.list({ state: "doomed", limit: 9 }),
    "A running sweep doomed it.",
  ).toEqual([]);
  await alive.soundKeys.doom({ endedBy: alive.clock.now() + 60_000 });
  expect(await alive.soundKeys.list({ state: "doomed", limit: 9 })).toEqual(["pkg_1/whole"]);
});

test("[SC24] after an outage of the database no process that comes back loses a key", async () => {
  await using opened = await openTwo();
  const { gone: late, alive, heart, endsAt } = opened;
  await using stack = new AsyncDisposableStack();
  stack.use(late);
  await late.soundKeys.addPending("pkg_1/late", endsAt);
  await alive.soundKeys.addPending("pkg_1/own", endsAt);
  await waitLong(alive);
  await heart.beat();
  using lateHeart = await Heartbeat.start(late.connections);
  await lateHeart.beat();
  await heart.beat();
  await heart.beat();
  expect(await endedOf(alive, endsAt)).toEqual([]);
});

test("[SC24] a process that is gone and has no keys left is forgotten", async () => {
  await using opened = await openTwo();
  const { gone, alive, heart } = opened;
  const id = gone.connections.outbox.writer;
  await gone[Symbol.asyncDispose]();
  const known = plainStatement("known_processes", "SELECT 1 FROM processes WHERE id = :id");
  await waitLong(alive);
  await heart.beat();
  expect(await alive.connections.read(known({ id }))).toHaveLength(1);
  // Longer than an hour.
  for (let times = 0; times < 41; times += 1) await waitLong(alive);
  await heart.beat();
  expect(await alive.connections.read(known({ id }))).toHaveLength(0);
});
