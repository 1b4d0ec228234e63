import { createHook, executionAsyncId } from "node:async_hooks";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

/** Ends a hang: far beyond what a busy machine takes, and before the runner's own limit, which can't say what hangs. */
const HANG_MS = 50_000;
/** Between two looks at another process, a file or a page, which announce no change. */
const LOOK_AGAIN_MS = 20;

/**
 * Waits until `check` neither throws nor answers false; throws its last failure when it hangs.
 * It checks at the end of each turn of the event loop in which a callback ran, because nothing else changes what this
 * process holds. A check that returns a promise looks elsewhere: it is made again after a pause.
 */
export async function until(check: () => unknown): Promise<void> {
  const never = new Error(`Never came true: ${check.toString()}`);
  let isHanging = false;
  const deadline = setTimeout(() => {
    isHanging = true;
    turns.end();
  }, HANG_MS);
  turns.watch();
  try {
    for (;;) {
      let failure: unknown = never;
      let looksElsewhere = false;
      try {
        const answer = check();
        looksElsewhere = answer instanceof Promise;
        if ((await answer) !== false) return;
      } catch (error) {
        failure = error;
      }
      if (isHanging) throw at(never, failure);
      await (looksElsewhere ? pause() : turns.next());
    }
  } finally {
    clearTimeout(deadline);
    turns.unwatch();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, LOOK_AGAIN_MS));
}

/** The failure with the place where the wait began. */
function at({ stack }: Error, failure: unknown): unknown {
  return failure instanceof Error ? Object.assign(failure, { stack }) : failure;
}

/** Watches the turns of the event loop in which a callback ran. */
class Turns {
  readonly #hook = createHook({ after: (id) => this.#plan(id), trackPromises: false });
  readonly #waiting = new Set<() => void>();
  #watchers = 0;
  #isPlanned = false;
  #own = 0;

  watch(): void {
    this.#watchers += 1;
    this.#hook.enable();
    // What only promises change in this turn calls no hook.
    this.#plan();
  }

  unwatch(): void {
    this.#watchers -= 1;
    if (this.#watchers === 0) this.#hook.disable();
    else this.#plan();
  }

  /** Resolves at the end of the next such turn; of this one, if a callback is running. */
  next(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.add(resolve));
  }

  end(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  #plan(id?: number): void {
    if (this.#isPlanned || (id !== undefined && id === this.#own)) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#own = executionAsyncId();
      this.#isPlanned = false;
      this.end();
    });
  }
}

const turns = new Turns();
