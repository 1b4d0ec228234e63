import { fork } from "node:child_process";
import { once } from "node:events";
import { PostgresNotifier } from "../../relay/notify/postgres-notifier.ts";
import { Connections } from "../../relay/storage/postgres/connections.ts";
import { PROCESSES_SCHEMA } from "../../relay/storage/postgres/processes-schema.ts";
import { sendNotices } from "../../relay/storage/postgres/notices.ts";
import { startPostgres } from "../engines/postgres.ts";

// How long a notification takes from one process to another on PostgreSQL (rule SC8):
//   node scripts/node.cjs test/bench/notify-delay.ts [notices a second] [seconds] [rows | transactions]

const TICK_MS = 10;

async function open(url: string) {
  const connections = await Connections.open({ url, max: 10, onTrouble: fail });
  const notifier = new PostgresNotifier(connections, { onError: fail });
  await notifier.start();
  return { connections, notifier };
}

function fail(error: unknown): void {
  console.error(error);
}

async function makeOutbox(url: string): Promise<void> {
  await using connections = await Connections.open({ url, onTrouble: fail });
  await connections.transaction((tx) => tx.run(PROCESSES_SCHEMA));
}

/** The other process: collects how long each notification took. */
async function listen(url: string): Promise<void> {
  const { connections, notifier } = await open(url);
  const delays: number[] = [];
  notifier.listen("device:1", (heard) => {
    if (heard.type === "code.used")
      delays.push(performance.timeOrigin + performance.now() - Number(heard.app_name));
  });
  process.send?.("ready");
  await once(process, "message");
  process.send?.(delays);
  process.disconnect?.();
  await notifier[Symbol.asyncDispose]();
  await connections[Symbol.asyncDispose]();
}

async function send(perSecond: number, seconds: number, way: string): Promise<void> {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await makeOutbox(url);
  const { connections, notifier } = await open(url);
  const child = fork(import.meta.filename, ["listen", url]);
  await once(child, "message");
  const began = performance.now();
  const sending: Promise<unknown>[] = [];
  let sent = 0;
  while (performance.now() - began < seconds * 1000) {
    for (const due = ((performance.now() - began) / 1000) * perSecond; sent < due; sent += 1) {
      const at = String(performance.timeOrigin + performance.now());
      const notification = { type: "code.used", app_name: at } as const;
      sending.push(
        way === "rows"
          ? notifier.notify("device:1", notification)
          : connections.transaction(async (tx) =>
              sendNotices(tx, [{ topic: "device:1", notification }]),
            ),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const failed = (await Promise.allSettled(sending)).filter(({ status }) => status === "rejected");
  await new Promise((resolve) => setTimeout(resolve, 3000));
  child.send("end");
  const [delays] = (await once(child, "message")) as [number[]];
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (part: number) =>
    `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(0)} ms`;
  console.log(
    `${way}: ${sent} sent at ${perSecond}/s, ${failed.length} refused, ${sorted.length} heard; p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.9999)}`,
  );
  await notifier[Symbol.asyncDispose]();
  await connections[Symbol.asyncDispose]();
}

const [, , first = "1000", second = "10", way = "rows"] = process.argv;
await (first === "listen" ? listen(second) : send(Number(first), Number(second), way));
