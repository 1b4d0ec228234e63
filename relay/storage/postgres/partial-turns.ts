import { setTimeout as sleep } from "node:timers/promises";
import {
  type HeldTurn,
  type PartialFile,
  type PartialTurn,
  type PartialTurns,
  StoreBusyError,
  type TurnOptions,
} from "../../domain/ports.ts";
import type { Connections } from "./connections.ts";
import { HeldTurns } from "./held-turns.ts";
import { noticesOf } from "./transaction.ts";
import { AWAIT_TURN, END_TURN, RELEASE_TURN, TAKE_TURN, TURN_IS_HELD } from "./turn-statements.ts";

/** Longest wait for another call. A call that ends stores what it received before it gives up its turn. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 30;

/** The turns of partials, in PostgreSQL (rule SC10). */
export class PostgresPartialTurns implements PartialTurns, Disposable {
  readonly #connections: Connections;
  readonly #held: HeldTurns;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#held = new HeldTurns(connections);
  }

  async take(
    { packageId, file }: PartialFile,
    options: TurnOptions,
  ): Promise<HeldTurn | undefined> {
    const askedAt = performance.now();
    const [asked] = await this.#connections.write(TAKE_TURN({ packageId, file }));
    if (asked === undefined) throw new Error(`PostgreSQL gave no turn of ${packageId}/${file}.`);
    const turn = { packageId, file, number: asked.number };
    if (asked.isHeld) return this.#hold(turn, options, askedAt);
    return asked.isLast ? this.#await(turn, options) : undefined;
  }

  async end({ packageId, file }: PartialFile): Promise<void> {
    const [held] = await this.#connections.write(END_TURN({ packageId, file }));
    if (held === undefined) return;
    const turn = { packageId, file, number: held.number };
    await this.#ask();
    await this.#patiently(turn, async () => {
      const holders = await this.#connections.read(TURN_IS_HELD(turn));
      return holders.length === 0;
    });
  }

  /** Stops renewing turns. Ends no call; the database forgets the turns of a process that ends. */
  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]();
  }

  /** Waits until the earlier call has ended. */
  async #await(turn: PartialTurn, options: TurnOptions): Promise<HeldTurn | undefined> {
    await this.#ask();
    let held: HeldTurn | undefined;
    await this.#patiently(turn, async () => {
      if (options.givenUp.aborted) return true;
      const askedAt = performance.now();
      const [state] = await this.#connections.write(AWAIT_TURN({ ...turn }));
      if (state?.isHeld === true) held = this.#hold(turn, options, askedAt);
      return state?.isLast !== true || held !== undefined;
    });
    return held;
  }

  /** Makes every process check whether one of its turns is wanted. */
  async #ask(): Promise<void> {
    const { outbox } = this.#connections;
    await this.#connections.write(noticesOf(outbox.writer, [{ topic: "turns" }]));
    outbox.told.call([]);
    // The other call may be in this process, too.
    outbox.turnsAsked.call();
  }

  /** Waits until a condition is true. @throws {StoreBusyError} if that takes too long */
  async #patiently(file: PartialFile, isTrue: () => Promise<boolean>): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS;
    while (!(await isTrue())) {
      if (performance.now() > endsAt) {
        throw new StoreBusyError(
          `Another process still stores a part of ${file.packageId}/${file.file}.`,
        );
      }
      await sleep(LOOK_MS);
    }
  }

  #hold(turn: PartialTurn, { onEnd }: TurnOptions, askedAt: number): HeldTurn {
    const forget = this.#held.add(turn, onEnd, askedAt);
    return {
      turn,
      confirm: () => this.#held.confirm(turn),
      [Symbol.asyncDispose]: async () => {
        forget();
        // If that fails, the turn lapses.
        await this.#connections.write(RELEASE_TURN({ ...turn })).catch(() => undefined);
      },
    };
  }
}
