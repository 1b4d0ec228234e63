import { parseAddressRange } from "../../core/quotas/address-tiers.ts";
import type { BlockSubject } from "../storage/records/decisions.ts";

export type { BlockSubject };

/**
 * Parses the subject of a block.
 * @returns undefined if the text is neither an address, nor a network, nor looks like a device's id
 */
export function blockSubjectOf(text: string): BlockSubject | undefined {
  if (/^dev_[\w-]{22}$/.test(text)) return { subject: text, kind: "device" };
  const range = parseAddressRange(text);
  return range && { subject: range.text, kind: "address" };
}

/** The outcome of a removal for stored sounds. */
export interface Removed {
  /** Number of stored files that nobody can read any more. */
  readonly files: number;
  /** Number of these files that a relay deletes later, for example after the end of a backup. */
  readonly waiting: number;
}

export interface Erased extends Removed {
  /**
   * True if nothing erased stays in the database's files. False while another program reads the database, because its
   * log of changes then still has it. Undefined if the database decides.
   */
  readonly isOverwritten: boolean | undefined;
}

export interface Denied extends Removed {
  /** True unless it was denied before. */
  readonly isNew: boolean;
  /** Packages that a stored copy was taken from. */
  readonly packages: readonly string[];
}

export interface ActingOptions {
  /** Name of the operator, for the log. */
  readonly who: string;
  /** The machine's clock, in milliseconds since 1970. */
  readonly wall?: () => number;
}
