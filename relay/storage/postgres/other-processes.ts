import { setTimeout as sleep } from "node:timers/promises";
import { statement } from "../records/statement.ts";
import type { Connections } from "./connections.ts";
import { BEAT_MS } from "./heartbeat.ts";

/** Time without a heartbeat after which a process is taken for ended. */
const SILENT_MS = 3 * BEAT_MS;
const LOOK_MS = 1000;

const OTHERS = statement<{ readonly id: string; readonly seen: number }>(
  "other_processes",
  `SELECT id::text AS id, (extract(epoch FROM seen_at) * 1000000)::bigint AS seen FROM processes
   WHERE id <> :own::uuid AND seen_at > clock_timestamp() - interval '${SILENT_MS} milliseconds'`,
  "postgres",
);

/** What to do while others may still use a database. */
export interface Waiting {
  /** Called once if somebody has used the database lately. */
  readonly onWait: () => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when no other process uses the database. One that has ended can't be told from one that is about to report,
 * so this waits until each has missed its reports for half a minute.
 * @throws {Error} a sentence as soon as one reports
 */
export async function requireAlone(
  connections: Connections,
  { onWait, signal }: Waiting,
): Promise<void> {
  const find = async () => {
    const rows = await connections.read(OTHERS({ own: connections.outbox.writer }));
    return new Map(rows.map(({ id, seen }) => [id, seen]));
  };
  const first = await find();
  if (first.size > 0) onWait();
  for (let others = first; others.size > 0; others = await find()) {
    if ([...others].some(([id, seen]) => first.get(id) !== seen)) {
      throw new Error(`A relay or another program uses ${connections.where}. Stop it first.`);
    }
    await sleep(LOOK_MS);
    signal?.throwIfAborted();
  }
}
