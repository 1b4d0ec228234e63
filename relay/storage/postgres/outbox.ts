import { randomUUID } from "node:crypto";
import { Listeners } from "../listeners.ts";
import type { Notice } from "../records/notices.ts";

/** This process's side of the table `outbox`. Each `Connections` has one. */
export class Outbox {
  /** Id of this process in its rows, so that it can skip its own. */
  readonly writer = randomUUID();
  /** False if no other process has been seen for a minute, so that nobody need be woken (rule SC8). */
  hasOthers = true;
  /** Called after each transaction of this process that wrote notices. */
  readonly told = new Listeners<[notices: readonly Notice[]]>();
  /** Called when a call, in any process, waits for the turn of a partial. */
  readonly turnsAsked = new Listeners();
}
