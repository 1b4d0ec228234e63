import { randomFrom } from "../../../../sim/random.ts";
import type { LiveCall, LiveFaults, LiveHabits } from "./live-habits.ts";
import { LiveTurns } from "./live-turns.ts";
import { UndoSteps } from "./undo-steps.ts";

/** The extension's process has crashed: thrown where a synchronous call can't hang. */
export class LiveStoppedError extends Error {
  override readonly name = "LiveStoppedError";
}

/** Counts every call, lets it happen on a later turn, and makes it fail or stop where it shall. */
export class LiveCalls {
  readonly made: LiveCall[] = [];
  readonly undo = new UndoSteps();
  readonly turns: LiveTurns;
  /** Called at the start of every call. */
  onCall: (call: LiveCall) => void = () => undefined;
  readonly #habits: LiveHabits;
  readonly #faults: LiveFaults;
  #hasFailed = false;
  #hasStopped = false;

  constructor(habits: LiveHabits, faults: LiveFaults) {
    const random = randomFrom(habits.seed);
    this.#habits = habits;
    this.#faults = faults;
    this.turns = new LiveTurns((count) => (habits.shuffles ? Math.floor(random() * count) : 0));
  }

  /** A call that makes or deletes. What it does happens on a later turn, all of it or nothing. */
  promise<Outcome>(label: string, act: () => Outcome): Promise<Outcome> {
    const call = this.#begin(label);
    if (this.#hasStopped) return new Promise(() => undefined);
    const step = this.undo.begin();
    return this.#later(() => this.#perform(call, act, step));
  }

  /** A call that copies a file: no undo step. */
  copying(label: string, act: () => string): Promise<string> {
    const call = this.#begin(label);
    if (this.#hasStopped) return new Promise(() => undefined);
    return this.#later(() => this.#perform(call, act));
  }

  /** A read that answers later; not counted. */
  reading<Outcome>(label: string, read: () => Outcome): Promise<Outcome> {
    return this.#later(() => {
      this.#failIfAsked({ number: 0, label });
      return read();
    });
  }

  /** A setter: done when it returns. */
  setting(label: string, act: () => void): void {
    const call = this.#begin(label);
    this.#throwIfStopped();
    const isIgnored = this.#faults.ignores?.test(label) === true;
    this.#perform(call, isIgnored ? () => undefined : act, this.undo.begin());
    this.#throwIfStopped();
  }

  withDeadline<Outcome>(act: () => Outcome): Outcome {
    const call = this.#begin("withinTransaction");
    this.#throwIfStopped();
    const outcome = this.#perform(call, () => this.undo.withDeadline(act));
    this.#throwIfStopped();
    return outcome;
  }

  #begin(label: string): LiveCall {
    const call = { number: this.made.length + 1, label };
    if (this.#hasStopped) return call;
    this.made.push(call);
    this.onCall(call);
    this.#stopIf(call.number === this.#faults.stopBeforeCall);
    return call;
  }

  #perform<Outcome>(call: LiveCall, act: () => Outcome, step?: string[]): Outcome {
    try {
      this.#failIfAsked(call);
      const outcome = act();
      step?.push(call.label);
      return outcome;
    } finally {
      this.#stopIf(call.number === this.#faults.stopAfterCall);
    }
  }

  #later<Outcome>(act: () => Outcome): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.turns.add("happens", () => {
        const answer = answerOf(act, resolve, (error) =>
          reject(this.#habits.losesReasons ? undefined : error),
        );
        this.turns.add("answers", answer);
      });
    });
  }

  #failIfAsked({ number, label }: LiveCall): void {
    const { failsOnce, failsAlways } = this.#faults;
    const isIt = typeof failsOnce === "number" ? failsOnce === number : failsOnce?.test(label);
    const failsNow = isIt === true && !this.#hasFailed;
    this.#hasFailed ||= failsNow;
    if (failsNow || failsAlways?.test(label) === true) throw new Error(`No ${label}`);
  }

  #stopIf(isMoment: boolean): void {
    if (!isMoment || this.#hasStopped) return;
    this.#hasStopped = true;
    this.turns.stop();
    this.#faults.onStop?.();
  }

  #throwIfStopped(): void {
    if (this.#hasStopped) throw new LiveStoppedError("The extension's process has crashed.");
  }
}

function answerOf<Outcome>(
  act: () => Outcome,
  resolve: (outcome: Outcome) => void,
  reject: (error: unknown) => void,
): () => void {
  try {
    const outcome = act();
    return () => resolve(outcome);
  } catch (error) {
    return () => reject(error);
  }
}
