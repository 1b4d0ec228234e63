import { MAX_PACKAGE_BYTES } from "../limits.ts";

/** The limits of one budget: for a pairing, for a device, for an address, and for all together (rule L6). */
export interface BudgetLimits {
  /** Infinity where pairings have no budget of their own. */
  readonly perPairing: number;
  readonly perDevice: number;
  readonly perAddress: number;
  readonly all: number;
  /** The share of all that is kept for the proven (rule L7); `PROVEN_SHARE` unless set. */
  readonly provenShare?: number;
  /** The least pace of a lease, which may be ended for others below it; undefined if leases need no pace. */
  readonly pace?: Pace;
}

/** The least progress: without `units` more within `ms`, something is stalled. */
export interface Pace {
  readonly units: number;
  readonly ms: number;
}

/** A wider network may have this many times what the next narrower tier has. */
export const NETWORK_FACTOR = 8;
/** Networks are held to their share only while more than this share of the whole budget is used. */
export const CROWDED_SHARE = 0.7;
/** The share of a whole budget that is kept for the proven (rule L7). */
export const PROVEN_SHARE = 0.25;

/** The share of a budget of events that is kept for networks that have used little of it (rule L13). */
export const NEWCOMERS_SHARE = 0.5;
/** The most that a network may have beyond the narrower ones' shares, of all events (rule L13). */
export const WIDEST_SHARE = 1 / NETWORK_FACTOR;
/** Events of a newcomer's widest network, where 1 % of all is less: a household, an office, a class. */
const LEAST_OF_NEWCOMERS = 10;

/**
 * Returns how many of `ofAll` events a widest network may have and still be a newcomer: 1 %, or 10 if that is at most a
 * tenth, and at least one (rule L13).
 */
export function newcomersShare(ofAll: number): number {
  const tenth = Math.floor(ofAll / 10);
  return Math.max(1, Math.ceil(ofAll / 100), Math.min(LEAST_OF_NEWCOMERS, tenth));
}

const MEBIBYTE = 1024 ** 2;
/** One event of any kind. */
const ANY = 1;

/** Running uploads of one client address, so that a studio behind one address has room for many apps. */
export const UPLOADS_PER_ADDRESS = 64;
/**
 * The least pace of an upload or a download while others need its place; any line that people send sounds over is
 * faster. `MIN_UPLOAD_BYTES` is the least while nobody does.
 */
export const UPLOAD_PACE: Pace = { units: 32_768, ms: 5000 };
/** Claims that wait for a yes in the panel, in all and of one client address (rule P12). */
export const WAITING_CLAIMS = 200;
export const WAITING_CLAIMS_PER_ADDRESS = 8;

/** Bytes that are announced and not sent yet, of one app on a device and of one client address (rule U9). */
export const UNFILLED_PER_APP = 2 * MAX_PACKAGE_BYTES;
export const UNFILLED_PER_ADDRESS = 4 * MAX_PACKAGE_BYTES;
/** The share of the free room that is kept for uploads that ask for room again (rule U9). */
export const RESUME_SHARE = 0.05;
/**
 * The tries that are still looked up while somebody guesses codes, as a multiple of those that need no yes, and the
 * share of one /24 or /48 of the latter; it has at least the tries of an address in a minute (rule P12).
 */
export const ATTACKED_TRIES_FACTOR = 3;
export const NETWORK_SHARE_OF_ATTACKED_TRIES = 0.04;
/** Connections of one client address: a household, an office, a few carriers' subscribers. */
export const CONNECTIONS_PER_ADDRESS = 512;
/** A connection without a call for this long can be ended for another one. Its client opens a new one. */
export const CONNECTION_PACE: Pace = { units: ANY, ms: 2000 };
/** Connections from the local network (rule LAN6). A browser has six. */
export const LAN_CONNECTIONS: BudgetLimits = {
  perPairing: Infinity,
  perDevice: Infinity,
  perAddress: 32,
  all: 128,
  pace: CONNECTION_PACE,
};
/** Descriptors for the database, the folders, the log and what a library opens for a moment. */
export const SPARE_DESCRIPTORS = 96;

/** Sockets of one client address. A computer's own are in `MAX_SOCKETS_PER_DEVICE`. */
export const SOCKETS_PER_ADDRESS = 256;

/** Budget limits without the one for all, which is a setting. */
type Shares = Omit<BudgetLimits, "all">;

/** Bytes of JSON bodies that are arriving. A body of `MAX_JSON_BYTES` always fits. */
export const BODY_BYTES: Shares = {
  perPairing: 4 * MEBIBYTE,
  perDevice: 8 * MEBIBYTE,
  perAddress: 16 * MEBIBYTE,
  pace: { units: 2048, ms: 2000 },
};
/** Bytes that a body counts before its first byte: the call itself takes memory. */
export const LEAST_BODY_BYTES = 4096;

/** Bytes of JSON answers that their readers have not taken yet. Smaller ones are in the connection's own buffer. */
export const ANSWER_BYTES: Shares = {
  perPairing: 4 * MEBIBYTE,
  perDevice: 8 * MEBIBYTE,
  perAddress: 16 * MEBIBYTE,
  pace: { units: ANY, ms: 5000 },
};
export const SMALL_ANSWER_BYTES = 16_384;
/** Bytes that a call counts, besides its answer, while that answer waits for an earlier one on its connection. */
export const QUEUED_CALL_BYTES = 4096;
/** Bytes of an answer that a connection takes before it waits for its reader. */
export const CONNECTION_BUFFER_BYTES = 65_536;

/** Longest time in one turn of the event loop for all readers of long lists, so that other calls wait no longer. */
export const SLICE_MS = 2;

/** Long-polls that wait. An app may wait for every package that it has sent. */
export const POLLS: BudgetLimits = { perPairing: 64, perDevice: 256, perAddress: 512, all: 4096 };

/** Running downloads. */
export const DOWNLOADS: BudgetLimits = {
  perPairing: Infinity,
  perDevice: 16,
  perAddress: 64,
  all: 256,
  pace: UPLOAD_PACE,
};

/** The cost that refused calls may have in a minute, in bytes (rule L9). */
export const REFUSED_BYTES: BudgetLimits = {
  perPairing: 16 * MEBIBYTE,
  perDevice: 32 * MEBIBYTE,
  perAddress: 64 * MEBIBYTE,
  all: 512 * MEBIBYTE,
};
/** The cost of a refused call besides its body. */
export const REFUSED_CALL_BYTES = 1024;

/**
 * Announcements in an hour, as multiples of those of one app: of a computer, of a client address, and of all together
 * (rule L10).
 */
export const ANNOUNCEMENT_SHARES = { perDevice: 32, perAddress: 128, ofAll: 4096 } as const;
/** Pairing codes in an hour (rule L10). A person needs one for each app. */
export const CODES_PER_HOUR = { perDevice: 300, perAddress: 2400, ofAll: 30_000 } as const;

/** Apps of a computer; a new one beyond that unpairs the one that called longest ago (rule P5). */
export const MAX_APPS_PER_DEVICE = 500;
/** Addresses from which an app sends bytes in a minute; the bytes of each are a row (rule L14). */
export const SENDING_ADDRESSES_PER_APP = 16;

/** The deepest nesting of a JSON body, and the most values and keys (rule L9). */
export const MAX_JSON_DEPTH = 32;
export const MAX_JSON_VALUES = 30_000;
/** A reader that takes nothing of an answer for this long is disconnected (rule L6). */
export const MAX_UNREAD_SECONDS = 30;
/** A sender of fewer bytes in the idle time is cut off (rule U5). */
export const MIN_UPLOAD_BYTES = 65_536;
/**
 * Partly sent files whose running checksum is kept in memory; that of others is computed again at their end (rule
 * U10).
 */
export const KEPT_JUDGES = 1000;
/** Sockets of one computer; a further one closes the oldest (rule L6). */
export const MAX_SOCKETS_PER_DEVICE = 8;

/** The days on which a device imported something. Days are whole days since 1970, UTC. */
export interface ImportHistory {
  /** Number of different days. */
  readonly days: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

const PROVEN_DAYS = 3;
const PROVEN_SPAN_DAYS = 7;

/**
 * Checks for imports on at least three days over a week: too slow for somebody who makes devices for an attack (rule
 * L7).
 */
export function isProven(history: ImportHistory | undefined): boolean {
  if (history === undefined) return false;
  const { days, firstDay, lastDay } = history;
  return days >= PROVEN_DAYS && lastDay - firstDay >= PROVEN_SPAN_DAYS;
}
