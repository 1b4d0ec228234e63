import { randomUUID } from "node:crypto";
import type { Notice } from "../records/notices.ts";

/** This process's side of the table `outbox`. Each `Connections` has one. */
export class Outbox {
  /** Id of this process in its rows, so that it can skip its own. */
  readonly writer = randomUUID();
  /** False if no other process has been seen for a minute, so that nobody need be woken (rule SC8). */
  hasOthers = true;
  readonly #onTold = new Set<(notices: readonly Notice[]) => void>();
  readonly #onTurns = new Set<() => void>();

  /** Calls `listener` after each transaction of this process that wrote notices. Returns a function that stops it. */
  onTold(listener: (notices: readonly Notice[]) => void): () => void {
    return listenIn(this.#onTold, listener);
  }

  told(notices: readonly Notice[]): void {
    for (const listener of this.#onTold) listener(notices);
  }

  /** Calls `listener` when another process waits for the turn of a partial. Returns a function that stops it. */
  onTurns(listener: () => void): () => void {
    return listenIn(this.#onTurns, listener);
  }

  turnsAsked(): void {
    for (const listener of this.#onTurns) listener();
  }
}

function listenIn<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
