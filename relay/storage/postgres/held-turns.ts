import type { PartialTurn, TurnOptions } from "../../domain/ports.ts";
import { turnLost } from "../records/turns.ts";
import type { Connections } from "./connections.ts";
import { RENEW_TURNS, type RenewedTurn, TURN_LAPSES_MS } from "./turn-statements.ts";

const RENEW_MS = 1_000;
/**
 * Time without renewal after which this process ends its call. It is shorter than the time after which others may
 * take the turn, because running writes take a moment to end.
 */
const GIVE_UP_MS = TURN_LAPSES_MS - RENEW_MS;

interface Held {
  readonly turn: PartialTurn;
  readonly onEnd: TurnOptions["onEnd"];
  /** Time of the last renewal by this process's clock, before the database was asked. */
  renewedAt: number;
  hasEnded: boolean;
}

/** The turns that this process has. Renews them, and ends the calls whose turns are wanted or could not be renewed. */
export class HeldTurns implements Disposable {
  readonly #connections: Connections;
  readonly #held = new Map<number, Held>();
  readonly #stopListening: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isRenewing = false;
  #isDue = false;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#stopListening = connections.outbox.turnsAsked.add(() => void this.#renewSoon());
  }

  /** Adds a turn. Returns a function that forgets it. @param renewedAt a time before the database gave it */
  add(turn: PartialTurn, onEnd: TurnOptions["onEnd"], renewedAt: number): () => void {
    this.#held.set(turn.number, { turn, onEnd, renewedAt, hasEnded: false });
    this.#timer ??= setInterval(() => this.#tick(), RENEW_MS).unref();
    return () => {
      this.#held.delete(turn.number);
      if (this.#held.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Confirms that a turn is still this call's. @throws {TurnLostError} if it is another call's */
  async confirm(turn: PartialTurn): Promise<void> {
    const held = this.#held.get(turn.number);
    const [row] = held === undefined ? [] : await this.#renew([held]);
    if (row?.isHeld !== true) throw turnLost(turn);
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    clearInterval(this.#timer);
    this.#held.clear();
  }

  #tick(): void {
    const late = performance.now() - GIVE_UP_MS;
    for (const held of this.#held.values()) if (held.renewedAt < late) end(held, "lapsed");
    void this.#renewSoon();
  }

  /** Renews all turns soon, one statement at a time. */
  async #renewSoon(): Promise<void> {
    this.#isDue = true;
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    while (this.#isDue) {
      this.#isDue = false;
      // The connections report failures, and a turn that isn't renewed lapses.
      await this.#renew([...this.#held.values()]).catch(() => undefined);
    }
    this.#isRenewing = false;
  }

  async #renew(all: readonly Held[]): Promise<readonly RenewedTurn[]> {
    if (all.length === 0) return [];
    const askedAt = performance.now();
    const turns = all.map(({ turn }) => turn);
    const rows = await this.#connections.write(
      RENEW_TURNS({
        packageIds: turns.map(({ packageId }) => packageId),
        files: turns.map(({ file }) => file),
        numbers: turns.map(({ number }) => number),
      }),
    );
    for (const row of rows) {
      const held = this.#held.get(row.number);
      if (held === undefined) continue;
      if (row.isRenewed) held.renewedAt = askedAt;
      if (row.isWanted || !row.isHeld) end(held, "replaced");
    }
    return rows;
  }
}

function end(held: Held, why: "replaced" | "lapsed"): void {
  if (held.hasEnded) return;
  held.hasEnded = true;
  held.onEnd(why);
}
