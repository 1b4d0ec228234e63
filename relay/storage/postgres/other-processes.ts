import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../records/engine.ts";
import { ask, statement, type Work } from "../records/statement.ts";

/** Time without a report (rule SC24) after which a process is taken for ended. It reports three times as often. */
const SILENT_MS = 30_000;
const LOOK_MS = 250;

const OTHERS = statement<{ readonly id: string; readonly seen: number }>(
  "other_processes",
  `SELECT id::text AS id, (extract(epoch FROM seen_at) * 1000000)::bigint AS seen FROM processes
   WHERE id <> :own::uuid AND seen_at > clock_timestamp() - interval '${SILENT_MS} milliseconds'`,
  "postgres",
);

/** Finds the other processes that reported lately, with the time of that. */
function* findOthers(own: string | null): Work<ReadonlyMap<string, number>> {
  return new Map((yield* ask(OTHERS({ own }))).map(({ id, seen }) => [id, seen]));
}

interface Waiting {
  /** Called once if somebody has used the database lately. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when no other process uses a database that several can share. A process that has ended can't be told from
 * one that is about to report, so this waits until each has missed its reports for half a minute.
 * @throws {Error} a sentence as soon as one reports
 */
export async function requireAlone(
  engine: Engine,
  { onWait = () => {}, signal }: Waiting,
): Promise<void> {
  const first = await engine.read(findOthers(engine.process));
  if (first.size > 0) onWait();
  let others = first;
  while (others.size > 0) {
    if ([...others].some(([id, seen]) => first.get(id) !== seen)) {
      throw new Error(`A relay or another program uses ${engine.where}. Stop it first.`);
    }
    await sleep(LOOK_MS);
    signal?.throwIfAborted();
    others = await engine.read(findOthers(engine.process));
  }
}
