import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Records } from "../../../../relay/domain/ports.ts";
import { register } from "../../../contracts/relay/records/sample-records.ts";
import { emptyInMemory, recordsIn } from "../../domain/sqlite-in-memory.ts";
import { everyStatement } from "../records/every-statement.ts";
import { announceAndUpload } from "../records/noted-calls.ts";
import { noteStatements } from "../records/noted-statements.ts";

/** A database in memory, and the SQL of what calls send to it, by the statements' names. */
async function noting(call: (records: Records) => Promise<void>) {
  const database = emptyInMemory();
  const records = recordsIn(database);
  await register(records, "device-1");
  using noted = noteStatements();
  await call(records);
  return { database, noted: noted.sqlite, [Symbol.dispose]: () => database.close() };
}

function planOf(database: DatabaseSync, sql: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps.map(({ detail }) => String(detail));
}

test("[I5] every statement of a page reaches its rows by an index, and none sorts what it doesn't return", async () => {
  using calls = await noting(async ({ packages }) => {
    for (const after of [undefined, "w-1-2-3"]) {
      await packages.list({ deviceId: "device-1", now: 0 }, { after, limit: 10 });
    }
  });
  const steps = [...calls.noted.values()].flatMap(({ text }) => planOf(calls.database, text));
  expect(steps.filter((step) => /^SEARCH|^SCAN (?!waiting$|reported$)/u.test(step))).toEqual([
    // The first page, of one statement.
    expect.stringMatching(/^SEARCH packages USING INDEX packages_waiting \(device_id=\? .*>\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .*_of_device \(device_id=\?\)$/),
    expect.stringMatching(/^SEARCH packages USING INDEX packages_reported \(device_id=\? .*>\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .*_of_device \(device_id=\?\)$/),
    // Any other page.
    expect.stringMatching(/^SEARCH packages USING INDEX packages_waiting \(device_id=\? .*<\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .*_of_device \(device_id=\? AND seq>\?\)$/),
    expect.stringMatching(/^SEARCH packages USING INDEX sqlite_autoindex_.* \(package_id=\?\)$/),
    expect.stringMatching(/^SEARCH packages USING INDEX packages_reported \(device_id=\? .*<\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .* \(package_id=\?\)$/),
  ]);
});

test("[I5] no statement is compiled again for the limit that it gets", async () => {
  const statements = (await everyStatement()).map((one) => one.compiled("sqlite").text);
  expect(statements.filter((sql) => sql.includes("LIMIT 0 +"))).not.toEqual([]);
  expect(statements.filter((sql) => /LIMIT\s*[?:]/u.test(sql))).toEqual([]);
});

/**
 * A step that finds rows by an index, or reads no table: one row of values, or a list, such as the address and the networks
 * of a package.
 */
const REACHED =
  /^(?:SEARCH \w+ USING .*\(.+\)(?: LEFT-JOIN)?|SCAN (?:CONSTANT ROW|one|json_each .*)|CO-ROUTINE one|(?:CORRELATED )?(?:SCALAR|LIST) SUBQUERY.*)$/u;
/** They sort such a list. */
const SORTED = new Set(["add_room_counts"]);
/** The relay's whole room is a sum of as many rows as PostgreSQL needs for it: one in SQLite. */
const ALL_ROOM = /sum\(bytes\), 0\) AS bigint\) FROM room_counts WHERE tier >= '~'/u;

test("[J4] every statement of an announcement reaches its rows by an index, and none adds up or sorts", async () => {
  using calls = await noting(announceAndUpload);
  const { database, noted } = calls;
  expect(noted.size).toBeGreaterThan(25);
  for (const [name, { text }] of noted) {
    for (const step of planOf(database, text)) {
      if (step === "USE TEMP B-TREE FOR ORDER BY" && SORTED.has(name)) continue;
      expect(step, `${name}: ${text}`).toMatch(REACHED);
    }
    expect(text.replace(ALL_ROOM, "")).not.toMatch(
      /\b(?:count|sum|total|avg|min|max|group_concat)\s*\(|\bGROUP BY\b/iu,
    );
  }
});

test.each([
  { name: "stop_counting", range: "(device_id=? AND files_end_at<?)" },
  { name: "count_again", range: "(device_id=? AND files_end_at>?)" },
  { name: "find_lapsed_past", range: "(room_held_until>? AND room_held_until<?)" },
  { name: "find_lapsed_ahead", range: "(room_held_until>?)" },
  { name: "raise_received", range: "(address=? AND at>?)" },
  { name: "received_reaching", range: "(address=? AND total>?)" },
])("[J4] the statement $name reads only the rows of its range", async ({ name, range }) => {
  using calls = await noting(announceAndUpload);
  const sql = calls.noted.get(name)?.text ?? expect.fail(`${name} didn't run.`);
  expect(planOf(calls.database, sql)).toEqual([expect.stringContaining(range)]);
});
