import type { Counted, LimitStatements } from "./limit-statements.ts";

const TICK_MS = 1000;
/** So many windows go back with one statement. */
const BATCH = 500;
/** Windows deleted with one statement, and statements in a row. */
const DELETE_BATCH = 1000;
const MAX_DELETES = 10;
/** Each process deletes what is over about once in as many ticks. */
const DELETE_EVERY = 60;

/**
 * Gives back each second what nobody uses, and deletes windows that are over, in small batches. If the database is away,
 * what should have gone back counts until it leaves its window, and deleting waits for the next time.
 * @param takeIdle takes out what must go back; all of it at the end
 */
export function tidyLimits(
  statements: LimitStatements,
  takeIdle: (isAll: boolean) => readonly Counted[],
): AsyncDisposable {
  let running = Promise.resolve();
  let isRunning = false;
  const tick = async () => {
    await giveBack(statements, takeIdle(false)).catch(ignore);
    // By chance, so that not all processes do it at once.
    if (Math.random() * DELETE_EVERY < 1) await deleteOld(statements).catch(ignore);
    isRunning = false;
  };
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = tick();
  }, TICK_MS);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
      await giveBack(statements, takeIdle(true)).catch(ignore);
    },
  };
}

async function giveBack(statements: LimitStatements, idle: readonly Counted[]): Promise<void> {
  for (let at = 0; at < idle.length; at += BATCH) {
    await statements.giveBack(idle.slice(at, at + BATCH));
  }
}

async function deleteOld(statements: LimitStatements): Promise<void> {
  for (let batch = 0; batch < MAX_DELETES; batch += 1) {
    if ((await statements.deleteOld(DELETE_BATCH)) < DELETE_BATCH) return;
  }
}

function ignore(): void {}
