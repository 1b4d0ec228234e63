import { setImmediate } from "node:timers";

interface Turn {
  readonly kind: "happens" | "answers";
  readonly take: () => void;
}

/** Lets what is under way happen and answer, one of it in each later turn of the event loop. */
export class LiveTurns {
  readonly #pick: (count: number) => number;
  #waiting: Turn[] = [];
  #isAwake = false;
  #isHeld = false;
  #hasStopped = false;

  /** @param pick which of so many comes next, from 0 */
  constructor(pick: (count: number) => number) {
    this.#pick = pick;
  }

  add(kind: Turn["kind"], take: () => void): void {
    if (kind === "answers" && this.#hasStopped) return;
    this.#waiting.push({ kind, take });
    this.#wake();
  }

  /** Keeps everything waiting, as a dialog does, until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#wake();
  }

  /** Nothing answers any more; of what is under way some happens, as the order's own chance decides. */
  stop(): void {
    this.#hasStopped = true;
    const underWay = this.#waiting.filter(({ kind }) => kind === "happens");
    this.#waiting = [];
    for (const { take } of underWay) if (this.#pick(2) === 1) take();
  }

  #wake(): void {
    if (this.#isAwake || this.#isHeld || this.#waiting.length === 0) return;
    this.#isAwake = true;
    setImmediate(() => {
      this.#isAwake = false;
      if (this.#isHeld) return;
      const [turn] = this.#waiting.splice(this.#pick(this.#waiting.length), 1);
      turn?.take();
      this.#wake();
    });
  }
}
