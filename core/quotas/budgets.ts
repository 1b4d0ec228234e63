import { MAX_PACKAGE_BYTES } from "../limits.ts";

/** What one budget allows at once: to a pairing, to a device, to an address, and to all together (rule L6). */
export interface BudgetLimits {
  /** Infinity where pairings have no budget of their own. */
  readonly perPairing: number;
  readonly perDevice: number;
  readonly perAddress: number;
  readonly all: number;
  /** Of all, this share is kept for the proven (rule L7); `PROVEN_SHARE` unless set. */
  readonly provenShare?: number;
  /** When what is held stands still, and may be ended for others; undefined where nothing ever stands still. */
  readonly pace?: Pace;
}

/** What doesn't go on by `units` within `ms` stands still. */
export interface Pace {
  readonly units: number;
  readonly ms: number;
}

/** A wider network may have this many times what the next narrower tier has. */
export const NETWORK_FACTOR = 8;
/** Networks are held to their share only while more than this share of the whole budget is used. */
export const CROWDED_SHARE = 0.7;
/** Of a whole budget, this share is kept for the proven (rule L7). */
export const PROVEN_SHARE = 0.25;

const MEBIBYTE = 1024 ** 2;
/** Any event at all. */
const ANY = 1;

/** Running uploads of one client address, so that a studio behind one address has room for many apps. */
export const UPLOADS_PER_ADDRESS = 64;
/**
 * While others need the place, an upload or a download below this is slower than any line that people send sounds over.
 * `MIN_UPLOAD_BYTES` is what it needs when nobody does.
 */
export const UPLOAD_PACE: Pace = { units: 32_768, ms: 5000 };
/** Claims that wait for a yes in the panel, in all and of one client address (rule P12). */
export const WAITING_CLAIMS = 200;
export const WAITING_CLAIMS_PER_ADDRESS = 8;

/** Bytes that are announced and not sent yet, of one device and of one client address (rule U9). */
export const UNFILLED_PER_DEVICE = 2 * MAX_PACKAGE_BYTES;
export const UNFILLED_PER_ADDRESS = 4 * MAX_PACKAGE_BYTES;
/** Of the free room, this share is kept for uploads that ask for room again (rule U9). */
export const RESUME_SHARE = 0.05;
/**
 * Of the tries that may still be looked up while somebody guesses codes, one /24 or /48 has this share, and at least what
 * an address may try in a minute (rule P12).
 */
export const NETWORK_SHARE_OF_ATTACKED_TRIES = 0.04;
/** Connections of one client address: a household, an office, a few carriers' subscribers. */
export const CONNECTIONS_PER_ADDRESS = 512;
/** A connection without a call for this long can be ended for another one. Its client opens a new one. */
export const CONNECTION_PACE: Pace = { units: ANY, ms: 2000 };
/** Descriptors for the database, the folders, the log and what a library opens for a moment. */
export const SPARE_DESCRIPTORS = 96;

/** Sockets of one client address. A computer's own are in `MAX_SOCKETS_PER_DEVICE`. */
export const SOCKETS_PER_ADDRESS = 256;

/** Without the budget for all, which is a setting. */
type Shares = Omit<BudgetLimits, "all">;

/** Bytes of JSON bodies that are arriving. A body of `MAX_JSON_BYTES` always fits. */
export const BODY_BYTES: Shares = {
  perPairing: 4 * MEBIBYTE,
  perDevice: 8 * MEBIBYTE,
  perAddress: 16 * MEBIBYTE,
  pace: { units: 2048, ms: 2000 },
};
/** What a body counts before its first byte: the call itself takes memory. */
export const LEAST_BODY_BYTES = 4096;

/** Bytes of JSON answers that their readers have not taken yet. Smaller ones are in the connection's own buffer. */
export const ANSWER_BYTES: Shares = {
  perPairing: 4 * MEBIBYTE,
  perDevice: 8 * MEBIBYTE,
  perAddress: 16 * MEBIBYTE,
  pace: { units: ANY, ms: 5000 },
};
export const SMALL_ANSWER_BYTES = 16_384;
/** What a call counts whose answer waits for an earlier one on its connection, besides that answer. */
export const QUEUED_CALL_BYTES = 4096;
/** What a connection takes of an answer before it waits for its reader. */
export const CONNECTION_BUFFER_BYTES = 65_536;

/** Of each turn of the event loop, so long at most for all who read long lists: others wait no longer for an answer. */
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

/** What refused calls may cost in a minute, in bytes (rule L9). */
export const REFUSED_BYTES: BudgetLimits = {
  perPairing: 16 * MEBIBYTE,
  perDevice: 32 * MEBIBYTE,
  perAddress: 64 * MEBIBYTE,
  all: 512 * MEBIBYTE,
};
/** What a refused call costs besides its body. */
export const REFUSED_CALL_BYTES = 1024;

/**
 * Announcements in an hour, in those that one app may make: of a computer, of a client address, and of all together
 * (rule L10).
 */
export const ANNOUNCEMENT_SHARES = { perDevice: 32, perAddress: 128, ofAll: 4096 } as const;
/** Pairing codes in an hour (rule L10). A person needs one for each app. */
export const CODES_PER_HOUR = { perDevice: 300, perAddress: 2400, ofAll: 30_000 } as const;

/** How deep a JSON body may nest, and how many values and keys it may have (rule L9). */
export const MAX_JSON_DEPTH = 32;
export const MAX_JSON_VALUES = 30_000;
/** A reader that takes nothing of an answer for so many seconds is disconnected (rule L6). */
export const MAX_UNREAD_SECONDS = 30;
/** A sender of fewer bytes in the idle time is cut off (rule U5). */
export const MIN_UPLOAD_BYTES = 65_536;
/** Partly sent files whose checksum so far is kept in memory; that of others is computed again at their end (rule U10). */
export const KEPT_JUDGES = 1000;
/** Sockets of one computer; a further one closes the oldest (rule L6). */
export const MAX_SOCKETS_PER_DEVICE = 8;

/** On which days a device imported something. Days are whole days since 1970, UTC. */
export interface ImportHistory {
  /** On how many different days. */
  readonly days: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

const PROVEN_DAYS = 3;
const PROVEN_SPAN_DAYS = 7;

/** Imports on at least three days over a week: too slow for somebody who makes devices for an attack (rule L7). */
export function isProven(history: ImportHistory | undefined): boolean {
  if (history === undefined) return false;
  const { days, firstDay, lastDay } = history;
  return days >= PROVEN_DAYS && lastDay - firstDay >= PROVEN_SPAN_DAYS;
}
