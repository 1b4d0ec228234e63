import { parseAddressRange } from "../../core/quotas/address-tiers.ts";
import type { SwitchName } from "../domain/ports.ts";
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

/**
 * The changes that an operator makes to a relay's records, with or without running relays (rules AD1 to AD8). Each
 * change is durable and logged when its method answers, and every running relay applies it within a second.
 */
export interface OperatorActions {
  /** Blocks or unblocks an address, a network or a device. Returns false if it was so before. */
  block(subject: BlockSubject, isBlocked: boolean): Promise<boolean>;
  /** Switches something off, with the operator's own sentence, or on again. Returns false if it was so before. */
  turn(name: SwitchName, isOff: boolean, sentence?: string): Promise<boolean>;
  /** Denies a sound and deletes its stored copies. */
  deny(sha256: string): Promise<Denied>;
  /** Allows a denied sound again. Returns false if it wasn't denied. */
  allow(sha256: string): Promise<boolean>;
  /** Revokes a device's token and its apps', or one pairing. Resolves with undefined if there is no such thing. */
  revoke(id: string): Promise<Removed | undefined>;
  /** Deletes a package, or all packages of a device. Resolves with undefined if there is no such thing. */
  purge(id: string): Promise<Removed | undefined>;
  /** Deletes a device with everything that is stored about it. Resolves with undefined if there is no such device. */
  erase(id: string): Promise<Erased | undefined>;
  /** Logs that an export was handed out. */
  noteExport(id: string): Promise<void>;
}

export interface ActingOptions {
  /** Name of the operator, for the log. */
  readonly who: string;
  /** The machine's clock, in milliseconds since 1970. */
  readonly wall?: () => number;
}
