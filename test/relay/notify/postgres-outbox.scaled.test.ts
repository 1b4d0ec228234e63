import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import type { Notification, Topic } from "../../../relay/domain/ports.ts";
import { runIn as runInside } from "../../../relay/storage/postgres/transaction.ts";
import { notify } from "../../../relay/storage/records/statement.ts";
import { startPgbouncer } from "../../engines/pgbouncer.ts";
import { startPostgres } from "../../engines/postgres.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";
import { soon } from "../../sim/soon.ts";
import { plainStatement } from "../storage/records/plain-statement.ts";
import { makeOutbox, openProcess, type PostgresProcess, runIn } from "./notifying-postgres.ts";

const CHANGED: Notification = { type: "packages.changed" };

/** Collects the notifications of a topic in a process, including `missed`. */
function hear({ notifier }: PostgresProcess, topic: Topic): string[] {
  const heard: string[] = [];
  notifier.listen(topic, ({ type }) => void heard.push(type));
  return heard;
}

function write({ connections }: PostgresProcess, topic: Topic | "store"): Promise<void> {
  const notice = topic === "store" ? { topic } : { topic, notification: CHANGED };
  return connections.transaction((tx) => runInside(tx, notify(notice)));
}

const isListening = ({ notifier }: PostgresProcess) => soon(() => notifier.isListening).toBe(true);

test("[SC7] a transaction that stays open delays no later one, and is heard itself", async () => {
  const url = await makeOutbox();
  await using own = await openProcess({ url });
  await using other = await openProcess({ url });
  const early = hear(other, "package:early");
  const late = hear(other, "package:late");
  const committing = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const held = own.connections.transaction(async (tx) => {
    await runInside(tx, notify({ topic: "package:early", notification: CHANGED }));
    // Its answer comes after the row is written.
    await tx.query(plainStatement("written", "SELECT 1")());
    told.resolve();
    await committing.promise;
  });
  await told.promise;
  for (const count of [1, 2, 3]) {
    await write(own, "package:late");
    await soon(() => late).toHaveLength(count);
  }
  expect(early).toEqual([]);
  committing.resolve();
  await held;
  await soon(() => early).toEqual(["packages.changed"]);
  expect(late).toHaveLength(3);
});

test("[SC7] what is rolled back is never heard, and what this process told it doesn't tell twice", async () => {
  const url = await makeOutbox();
  await using own = await openProcess({ url });
  await using other = await openProcess({ url });
  const heard = hear(other, "package:1");
  const here = hear(own, "package:1");
  const failing = own.connections.transaction(async (tx) => {
    await runInside(tx, notify({ topic: "package:1", notification: CHANGED }));
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  await write(own, "package:1");
  await own.notifier.notify("package:1", CHANGED);
  expect(here).toEqual(["packages.changed"]);
  await soon(() => heard).toEqual(["packages.changed"]);
  await own.notifier.notify("package:1", CHANGED);
  await soon(() => heard).toHaveLength(2);
  expect(await runIn(url, "SELECT count(*)::int AS rows FROM outbox")).toEqual([{ rows: 2 }]);
  expect(here).toHaveLength(2);
});

test("[SC7] a change is heard although its process was killed right after it", async () => {
  const url = await makeOutbox();
  await using other = await openProcess({ url });
  await isListening(other);
  const heard = hear(other, "package:1");
  const child = fork(join(import.meta.dirname, "killed-writer.ts"), [url]);
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
  await soon(() => heard).toEqual(["packages.changed"]);
});

test("[SC8] many writes share one NOTIFY", async () => {
  const url = await makeOutbox();
  await using own = await openProcess({ url, timing: { batchMs: 20 } });
  await using other = await openProcess({ url });
  const listening = new Client({ connectionString: url });
  await listening.connect();
  let notified = 0;
  listening.on("notification", ({ payload }) => {
    if (payload === own.connections.outbox.writer) notified += 1;
  });
  await listening.query("LISTEN soundferry");
  const heard = hear(other, "package:399");
  for (let index = 0; index < 400; index += 1) {
    await own.notifier.notify(`package:${index}`, CHANGED);
  }
  await soon(() => heard).toEqual(["packages.changed"]);
  expect(notified).toBeLessThan(40);
  await listening.end();
});

test("[SC9] a listener that is cut says so, misses nothing, and comes back", async () => {
  const url = await makeOutbox();
  await using own = await openProcess({ url });
  await using other = await openProcess({ url, timing: { retryMs: [1500, 1500] } });
  await isListening(own);
  await isListening(other);
  const heard = hear(other, "package:1");
  await cutListeners(url);
  await soon(() => heard).toContain("missed");
  expect(other.storeChanges).not.toEqual([]);
  expect(other.troubles.at(-1)).toMatch(
    /^The connection for notifications is lost \(.+\)\. Trying again\./,
  );
  await write(own, "package:1");
  await soon(() => heard).toContain("packages.changed");
  await soon(() => other.troubles.at(-1)).toBe(undefined);
  await soon(() => listeners(url)).toBe(2);
});

test("[SC9] where a pooler passes nothing on, a process polls and says so", async () => {
  const postgres = sharedPostgres();
  await using pooler = await startPgbouncer(postgres);
  const url = await makeOutbox();
  const pooled = pooler.urlOf(url);
  await using own = await openProcess({ url });
  await using other = await openProcess({ url: pooled, listenUrl: pooled });
  await soon(() => other.notifier.trouble).toMatch(/SOUNDFERRY_DATABASE_LISTEN_URL/);
  const heard = hear(other, "package:1");
  await write(own, "package:1");
  await soon(() => heard).toContain("packages.changed");
  expect(own.notifier.trouble).toBe(undefined);
  await using direct = await openProcess({ url: pooled, listenUrl: url });
  const heardThere = hear(direct, "package:2");
  await write(own, "package:2");
  await soon(() => heardThere).toEqual(["packages.changed"]);
  expect(direct.troubles).toEqual([]);
});

test("[SC9] what everyone must see at once reaches the others, and not its own process", async () => {
  const url = await makeOutbox();
  await using own = await openProcess({ url });
  await using other = await openProcess({ url });
  await write(own, "store");
  await soon(() => other.storeChanges).toEqual(["changed"]);
  expect(own.storeChanges).toEqual([]);
});

test("[SC9] a process whose server was killed and started again says that it missed something", async () => {
  await using postgres = await startPostgres();
  const url = await makeOutbox(postgres);
  await using other = await openProcess({ url });
  await isListening(other);
  await using own = await openProcess({ url });
  const heard = hear(other, "package:1");
  await postgres.kill();
  await postgres.start();
  // Once for the lost connection, once for the new server, which may have lost what was written before.
  await soon(() => heard).toEqual(["missed", "missed"]);
  await soon(() => write(own, "package:1").then(() => "written")).toBe("written");
  await soon(() => heard).toContain("packages.changed");
  await soon(() => [own.notifier.trouble, other.notifier.trouble]).toEqual([undefined, undefined]);
});

async function listeners(url: string): Promise<number> {
  const [row] = await runIn<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'soundferry listening' AND datname = current_database()`,
  );
  return row?.count ?? 0;
}

async function cutListeners(url: string): Promise<void> {
  await runIn(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'soundferry listening' AND datname = current_database()`,
  );
}
