import type { AddressTiers } from "../../../core/quotas/address-tiers.ts";
import type { RoomQuotas, SpareRoom } from "../../../core/quotas/judge-room.ts";

export type { RoomQuotas, SpareRoom };

/** Room for what a package still lacks, of the share of a client's address and networks (rule U6). */
export interface HeldRoom extends AddressTiers {
  /** Proven time (rule Z6). */
  readonly until: number;
}

/** An upload that asks for the room of its package, or keeps it. */
export interface HoldOptions {
  /** The time for the bytes of a day. */
  readonly now: number;
  /** The time for all that expires, above all reservations (rule Z6). */
  readonly confirmedNow: number;
  /** The same as in `InsertOptions`. */
  readonly latestEnd?: number;
  readonly room: HeldRoom;
  readonly quotas: RoomQuotas;
  /** Bytes of the file that it replaces; 0 if the package lacks the file. */
  readonly replacedBytes: number;
}

/** The app whose packages fill a device's room (rule L11). */
export interface FullOf {
  readonly appName: string;
  /** True if it is the app that asks. */
  readonly isCaller: boolean;
  /** The proven time at which the next of these packages ends. */
  readonly freeAt: number;
}

/** The reason for a lack of room; `freeAt` is the time at which trying again can help. */
export type RoomOutcome =
  | { readonly kind: "address-limit"; readonly freeAt: number }
  /** `freeAt` is the proven time at which the next reservation in the way lapses. */
  | ({ readonly kind: "uploads-unfinished"; readonly freeAt: number } & Freeable)
  /** `fullOf` is null if no app's packages fill it. */
  | ({ readonly kind: "device-full"; readonly fullOf: FullOf | null } & Freeable)
  | ({ readonly kind: "no-room" } & Freeable);

/** Set if `dropSpares` can make the room. */
interface Freeable {
  readonly frees?: SpareRoom;
}

/** Spare packages whose files may go: those of a device, or of any. */
export interface SparesAsked {
  readonly deviceId?: string | undefined;
  /** The room that is needed. */
  readonly bytes: number;
  /** Proven time: a lease that ends later is live. */
  readonly now: number;
}

/** `gone`: the package is removed, committed, or its upload window has ended. */
export type HoldOutcome = { readonly kind: "held" } | { readonly kind: "gone" } | RoomOutcome;
