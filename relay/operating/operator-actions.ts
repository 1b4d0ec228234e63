import { parseAddressRange } from "../../core/quotas/address-range.ts";
import type { SwitchName } from "../domain/ports.ts";

/** What can be blocked, in the spelling of the records. */
export interface BlockSubject {
  readonly subject: string;
  readonly kind: "address" | "device";
}

/** @returns undefined if the text is neither an address, nor a network, nor looks like a device's id */
export function blockSubjectOf(text: string): BlockSubject | undefined {
  if (/^dev_[\w-]{22}$/.test(text)) return { subject: text, kind: "device" };
  const range = parseAddressRange(text);
  return range && { subject: range.text, kind: "address" };
}

/** What became of stored sounds. */
export interface Removed {
  /** Stored files that nobody can read any more. */
  readonly files: number;
  /** Those that are not deleted yet: a relay does that, such as after the end of a backup. */
  readonly waiting: number;
}

export interface Erased extends Removed {
  /**
   * False while another program reads the database: then its log of changes still has what was erased. Undefined where
   * that is up to the database.
   */
  readonly isOverwritten: boolean | undefined;
}

export interface Denied extends Removed {
  /** False if it was denied before. */
  readonly isNew: boolean;
  /** Packages that a stored copy was taken from. */
  readonly packages: readonly string[];
}

/**
 * What an operator does to a relay's records, beside relays that run or without one (rules AD1 to AD8). Each change is
 * durable and logged when its method answers, and every running relay heeds it within a second.
 */
export interface OperatorActions {
  /** Blocks or unblocks an address, a network or a device. Answers false if it was so before. */
  block(subject: BlockSubject, isBlocked: boolean): boolean | Promise<boolean>;
  /** Switches something off, with an own sentence, or on again. Answers false if it was so before. */
  turn(name: SwitchName, isOff: boolean, sentence?: string): boolean | Promise<boolean>;
  /** Denies a sound and deletes its stored copies. */
  deny(sha256: string): Promise<Denied>;
  /** Answers false if it wasn't denied. */
  allow(sha256: string): boolean | Promise<boolean>;
  /** Revokes a device's token and its apps', or one pairing; undefined if there is no such thing. */
  revoke(id: string): Promise<Removed | undefined>;
  /** Deletes a package, or all packages of a device; undefined if there is no such thing. */
  purge(id: string): Promise<Removed | undefined>;
  /** Deletes a device with all that is stored about it; undefined if there is no such device. */
  erase(id: string): Promise<Erased | undefined>;
  /** Logs that something was handed out. */
  noteExport(id: string): void | Promise<void>;
}

export interface ActingOptions {
  /** Who does it, for the log. */
  readonly who: string;
  /** The machine's clock, in milliseconds since 1970. */
  readonly wall?: () => number;
}
