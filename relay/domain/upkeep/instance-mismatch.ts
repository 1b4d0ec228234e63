import type { MismatchReason } from "./judge-instance.ts";

/**
 * The error of a relay that refuses to start because database and sounds don't belong together (rule Z1). Nothing was
 * changed. The message names the problem and the remedy.
 */
export class InstanceMismatch extends Error {
  override readonly name = "InstanceMismatch";
  readonly code = "INSTANCE_MISMATCH";
  /** `moved`: the relay has moved to other stores. */
  readonly reason: MismatchReason | "moved";

  /** Makes a mismatch with the usual sentences for an operator, or with another message. */
  constructor(reason: MismatchReason);
  constructor(reason: MismatchReason | "moved", message: string);
  constructor(reason: MismatchReason | "moved", message?: string) {
    super(message ?? (reason === "moved" ? "The relay has moved." : formatMismatch(reason)));
    this.reason = reason;
  }

  /** Returns the same error for a musician whose own computer runs the relay. */
  atHome(folder: string, adoptCommand: string): InstanceMismatch {
    if (this.reason === "moved") return this;
    return new InstanceMismatch(this.reason, formatMismatchAtHome(folder, adoptCommand));
  }
}

/** A sentence for each reason. */
export const FOUND: Readonly<Record<MismatchReason, string>> = {
  "database-missing": "There are sounds, but no database: relay.sqlite is missing or empty.",
  "database-new": "The database is new, but there are sounds that it doesn't know.",
  "database-unmarked": "The sounds belong to another database, or to a newer copy of this one.",
  "sounds-unmarked": "The database's sounds are missing: their folder was emptied or replaced.",
  "ids-differ": "The database and the sounds belong to two different relays.",
};

function formatMismatch(reason: MismatchReason): string {
  return [
    `${FOUND[reason]} The relay didn't start, and nothing was changed.`,
    "Put back what is missing if you can. To see what is there, run: soundferry relay check",
    "To start with what is there, run: soundferry relay adopt",
  ].join("\n");
}

function formatMismatchAtHome(folder: string, adoptCommand: string): string {
  return [
    "Soundferry didn't start: its database and the sounds that it keeps don't belong together.",
    "Nothing was deleted. Was something moved, restored or deleted in this folder?",
    `  ${folder}`,
    "If you can undo that, do so and start again. To start with what is there, run:",
    `  ${adoptCommand}`,
  ].join("\n");
}
