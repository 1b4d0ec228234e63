// The limits of the public API. Sentences, schemas, settings and pages derive from them; see
// CONTRIBUTING.md for how to change one.

// One package (rules M1–M9).

/** Sounds per package. */
export const MAX_SOUNDS = 32;
/** Bytes of one file, and of all files of a package together. Displayed as `PACKAGE_SIZE`. */
export const MAX_PACKAGE_BYTES = 209_715_200;
/** Packages that senders make at once of sounds that one can't hold (rule G20); about what a computer stores of one app. */
export const MAX_PACKAGES_AT_ONCE = 4;
/** Bytes of a manifest or any other JSON body. Displayed as `JSON_SIZE`. */
export const MAX_JSON_BYTES = 1_048_576;
/** Code points; also limits a computer's name. */
export const MAX_TITLE_LENGTH = 60;
/** Code points, for a sound's name, an app's and each text of `source`. */
export const MAX_NAME_LENGTH = 40;
/** Characters of `file`. */
export const MAX_FILE_NAME_LENGTH = 100;
/** Characters of a sound's `id`, of `package_id` and of `run_id`. */
export const MAX_ID_LENGTH = 100;
export const MIN_BPM = 20;
export const MAX_BPM = 999;
export const MAX_LENGTH_BEATS = 4096;
export const MIN_GAIN_DB = -70;
export const MAX_GAIN_DB = 24;
/** Highest sample rate of a WAV (rule U4). */
export const MAX_SAMPLE_RATE_HZ = 192_000;
/** Warnings per package; on overflow the last one counts the omitted ones. */
export const MAX_WARNINGS = 100;
/** Problems of a refused manifest; on overflow the last one counts the omitted ones (rule E3). */
export const MAX_PROBLEMS = 64;
/** UTF-16 units of a warning's message. */
export const MAX_WARNING_UNITS = 200;
/** UTF-16 units of `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 200;

// Calls and answers.

/** UTF-16 units of `app_id` (rule P5). */
export const MAX_APP_ID_LENGTH = 200;
/** Seconds for which a claim whose answer was lost can be repeated (rule P13). */
export const CLAIM_REPEAT_SECONDS = 60;
/** Tokens per pairing; a new one beyond that revokes the oldest (rule P5). */
export const MAX_TOKENS_PER_PAIRING = 10;
/** The longest error text, in UTF-16 units (rule E1). */
export const MAX_ERROR_UNITS = 80;
/** UTF-16 units of `X-Service-Client` that are logged (rule E4). */
export const MAX_CLIENT_LENGTH = 120;
/** Bytes of a request's headers; cookies of other programs at the same host are among them (rule E7). */
export const MAX_HEADER_BYTES = 32_768;
/** Seconds for a request's headers to arrive (rule E1). */
export const MAX_HEADERS_SECONDS = 15;
/** Longest wait of a long-poll, in seconds (rule S8). */
export const MAX_WAIT_SECONDS = 30;
/** UTF-16 units of each text in a report; longer ones are shortened (rule S7). */
export const MAX_RESULT_UNITS = 500;
/** Notes and differences per sound in a report; the rest is dropped (rule S7). */
export const MAX_RESULT_ENTRIES = 100;
/** Bytes of a package's results as they are stored, in JSON; longer ones are shortened (rule S7). */
export const MAX_RESULTS_BYTES = 65_536;
/** Packages in one page of the importer's list (rule I5). */
export const MAX_PAGE_PACKAGES = 100;
/** The longest that a lease can keep a package past the end of its wait, in seconds (rule S4). */
export const MAX_HOLD_SECONDS = 3600;
/** Interval between pings of the importer's socket (rule I3). */
export const PING_SECONDS = 30;
/** `Retry-After` of a 507, and of a 503 (rule L2). */
export const RETRY_FULL_SECONDS = 60;
export const RETRY_NOT_READY_SECONDS = 5;
/** `Retry-After` of a call that the operator has switched off (rule AD6). */
export const RETRY_SWITCHED_OFF_SECONDS = 60;
/** `Retry-After` while a relay is being replaced (rule K11). */
export const RETRY_STOPPING_SECONDS = 2;
/**
 * Seconds in which a relay that is being replaced holds a long-poll, spreads the closing of sockets, and waits for the
 * next file of a package (rule K11).
 */
export const STOP_HOLD_SECONDS = 5;
/** Seconds that a claim waits for a yes in the panel (rule P12). */
export const CONSENT_WAIT_SECONDS = 25;
/** Seconds that a yes counts for the app's next try (rule P12). */
export const CONSENT_SECONDS = 120;

/** Lifetime of a pairing code in seconds, unless a relay has another setting. */
export const PAIRING_CODE_SECONDS = 600;

/** Defaults of the relay's settings (rules AD9, K11, L1, L2, L4, P2, P6, S2, S4, S5, U5, U6, Z4, Z6, Z7). */
export const RELAY_DEFAULTS = {
  /** Calls per token. */
  callsPerMinute: 600,
  /** New packages per app. */
  packagesPerHour: 30,
  /** Per client address; registrations count separately. */
  pairingTriesPerMinute: 10,
  /** Wrong tries per hour: of an address, of the networks around it, and of all together. */
  pairingTriesPerHour: 60,
  pairingTriesPer56: 120,
  pairingTriesPerNetwork: 240,
  pairingTriesOfAll: 600,
  /** Computers that one client address can register. */
  registrationsPerAddressPerDay: 50,
  /** Computers that all addresses together can register. */
  registrationsPerDay: 20_000,
  pairingCodeTtlSeconds: PAIRING_CODE_SECONDS,
  uploadWindowSeconds: 3600,
  roomHoldSeconds: 300,
  waitWindowSeconds: 86_400,
  statusWindowSeconds: 604_800,
  leaseSeconds: 300,
  uploadIdleSeconds: 60,
  waitingPackagesPerDevice: 200,
  bytesPerDevice: 2 * 1024 ** 3,
  bytesPerAddressPerDay: 4 * 1024 ** 3,
  uploadsPerPairing: 4,
  uploadsPerDevice: 16,
  /** Uploads of all devices together. */
  uploads: 512,
  /** Open connections; fewer if the machine allows the process fewer files. */
  connections: 8192,
  /** Sockets of all devices together. */
  sockets: 5000,
  /** Bytes of arriving bodies, and as many of answers that nobody has read yet. */
  bufferBytes: 64 * 1024 ** 2,
  minFreeBytes: 1024 ** 3,
  ballastBytes: 16 * 1024 ** 2,
  quarantineSeconds: 604_800,
  clockProofSeconds: 600,
  stopDelaySeconds: 0,
  stopGraceSeconds: 120,
  waitForLockSeconds: 0,
} as const;
