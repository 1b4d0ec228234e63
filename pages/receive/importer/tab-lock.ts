const LOCK_NAME = "soundferry-receive";

interface TabLockListener {
  /** Called when this tab is the one that receives. */
  readonly onHeld: () => void;
  /** Called when another tab is, at the start or because it took over. */
  readonly onElsewhere: () => void;
}

/**
 * Makes one tab of this browser the importer (rule RC3), by a lock of the browser, which ends with the tab however that
 * ends. The others wait: the first of them gets the lock when it is free, or when its person takes over.
 */
export class TabLock {
  readonly #listener: TabLockListener;
  #release: () => void = () => undefined;
  #waiting = new AbortController();
  #isWanted = true;

  constructor(listener: TabLockListener) {
    this.#listener = listener;
  }

  /** Asks for the lock, and waits for it in the background. */
  ask(): void {
    this.#isWanted = true;
    void this.#request({ ifAvailable: true });
  }

  /** Takes the lock from the tab that has it. */
  takeOver(): void {
    this.#isWanted = true;
    this.#waiting.abort();
    void this.#request({ steal: true });
  }

  /** Gives the lock back, until it is asked for again. */
  release(): void {
    this.#isWanted = false;
    this.#waiting.abort();
    this.#release();
  }

  async #request(options: LockOptions): Promise<void> {
    try {
      await navigator.locks.request(LOCK_NAME, options, (lock) => {
        if (lock === null) return undefined;
        this.#listener.onHeld();
        return new Promise<void>((resolve) => (this.#release = resolve));
      });
    } catch {
      // Another tab took over, or this one stopped waiting because it did.
      if (options.signal?.aborted === true) return;
    }
    if (!this.#isWanted) return;
    this.#listener.onElsewhere();
    this.#waiting = new AbortController();
    void this.#request({ signal: this.#waiting.signal });
  }
}
