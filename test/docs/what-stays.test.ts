import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import * as objects from "../../relay/storage/s3/object-names.ts";
import { LIMITS_SCHEMA } from "../../relay/storage/postgres/limits-schema.ts";
import { PROCESSES_SCHEMA } from "../../relay/storage/postgres/processes-schema.ts";
import { allTables } from "../../relay/storage/records/tables.ts";
import { applyMigrations } from "../../relay/storage/sqlite/migrations.ts";
import { manifestOf } from "../manifest-of.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { partHeaders } from "../relay/http/partial-calls.ts";
import { soon } from "../sim/soon.ts";
import { smallWav } from "../wav-bytes.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/rules/limits.md"), "utf8");
const [, TABLE = ""] = PAGE.split(
  "| Where | What | Added by | Share | End |\n|---|---|---|---|---|\n",
);

/** The rows of the rule's table. */
const ROWS = (TABLE.split("\n\n", 1)[0] ?? "")
  .trim()
  .split("\n")
  .map((line) => {
    const [where = "", what = "", addedBy = "", share = "", end = ""] = line
      .slice(2, -2)
      .split(" | ");
    const names = [...what.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return { where, names, addedBy, share: share.trim(), end: end.trim() };
  });

function namedIn(place: string): readonly string[] {
  return ROWS.filter(({ where }) => where === place).flatMap(({ names }) => names);
}

test("[L14] every line names something, what adds it, and for what a call adds its share and its end", () => {
  const lacking = ROWS.filter(({ names, addedBy, share, end }) => {
    const isCalls = !addedBy.startsWith("no call") && !addedBy.startsWith("a fault");
    return names.length === 0 || addedBy === "" || (isCalls && (share === "" || end === ""));
  });
  expect(lacking).toEqual([]);
  expect(ROWS.length).toBeGreaterThan(20);
});

test("[L14] the table has every table of both databases, and no other", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const ofSqlite = database
    .prepare("SELECT name FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const created = [...(LIMITS_SCHEMA + PROCESSES_SCHEMA).matchAll(/CREATE TABLE (\w+)/g)];
  const ofPostgres = created.map(([, name = ""]) => name);
  const all = new Set([...allTables().map(([name]) => name), ...ofSqlite, ...ofPostgres]);
  expect(namedIn("database").toSorted()).toEqual([...all].toSorted());
});

test("[L14] the table has every prefix of the bucket, and no other", () => {
  const prefixes = [objects.SOUNDS, objects.UNFINISHED, objects.QUARANTINE];
  const named = [...prefixes.map((prefix) => `${prefix}…`), objects.INSTANCE_OBJECT];
  expect(namedIn("bucket").toSorted()).toEqual(named.toSorted());
});

describe("a relay at work", () => {
  /** Does a bit of everything; returns the kinds of files and of lines. */
  async function work(relay: RunningRelay) {
    const { token } = await relay.paired();
    await relay.send(token);
    const gone = await relay.send(token);
    await relay.call("DELETE", `/packages/${gone}`, { token });
    const begun = await relay.announce(token, manifestOf(["part.wav"]));
    const headers = partHeaders(0, "?0");
    const body = smallWav().subarray(0, 100);
    await relay.call("PATCH", begun.upload["part.wav"] ?? "", { token, body, headers });
    await relay.call("GET", "/app/me", { token: "sfa_wrong" });
    const socket = new WebSocket(`${relay.url.replace("http", "ws")}/importer/socket`);
    await new Promise((resolve) => socket.once("error", resolve));
    relay.relay.context.packages.find = () => Promise.reject(new Error("A fault."));
    await relay.call("GET", `/packages/${gone}/status`, { token });
  }

  test("[L14] leaves no file and no line of a kind that the table doesn't have", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_BALLAST_BYTES: "4096" });
    const started = relay.logLines.length;
    await work(relay);
    const messages = () =>
      relay.logLines.slice(started).map((line) => String(JSON.parse(line).msg));
    const kindsOfLines = async () => [...new Set(messages())].toSorted();
    await soon(kindsOfLines).toEqual(["call", "refused upgrade", "trouble"]);
    expect(namedIn("log")).toEqual(expect.arrayContaining(await kindsOfLines()));

    const patterns = namedIn("folder").map((name) => ({
      name,
      pattern: new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("…", "[\\w-]+")}$`),
    }));
    const files = readdirSync(relay.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(relay.folder.length + 1));
    const kinds = files.map((file) => patterns.find(({ pattern }) => pattern.test(file))?.name);
    expect(files.filter((_, index) => kinds[index] === undefined)).toEqual([]);
    const met = patterns.map(({ name }) => name).filter((name) => kinds.includes(name));
    expect(new Set(met)).toEqual(
      new Set(namedIn("folder").filter((name) => !name.includes(".quarantine"))),
    );
  });
});
