import * as limits from "../../../core/limits.ts";
import { formatLimitSpan, JSON_SIZE, PACKAGE_SIZE } from "../../../core/text/format-limit.ts";

const { RELAY_DEFAULTS: relay } = limits;

/** Phrases for a limit: a number with its unit, so that nothing else is meant. */
export const LIMIT_WORDS: readonly string[] = [
  `${limits.MAX_SOUNDS} sounds`,
  PACKAGE_SIZE,
  String(limits.MAX_PACKAGE_BYTES),
  limits.MAX_PACKAGE_BYTES.toLocaleString("en-US"),
  JSON_SIZE,
  ...[
    limits.MAX_TITLE_LENGTH,
    limits.MAX_NAME_LENGTH,
    limits.MAX_ID_LENGTH,
    limits.MAX_WARNING_UNITS,
    limits.MAX_IDEMPOTENCY_KEY_LENGTH,
    limits.MAX_APP_ID_LENGTH,
    limits.MAX_ERROR_UNITS,
    limits.MAX_CLIENT_LENGTH,
    limits.MAX_RESULT_UNITS,
  ].flatMap((length) => [
    `${length} characters`,
    `${length} code points`,
    `${length} UTF-16 units`,
    `${length} of the characters`,
    `${length} letters`,
  ]),
  `${limits.MIN_BPM} to ${limits.MAX_BPM}`,
  `${limits.MAX_BPM} BPM`,
  `up to ${limits.MAX_LENGTH_BEATS}`,
  `${limits.MAX_LENGTH_BEATS} beats`,
  `${limits.MIN_GAIN_DB} to`,
  `−${-limits.MIN_GAIN_DB} to`,
  `${limits.MAX_SAMPLE_RATE_HZ / 1000} kHz`,
  `${limits.MAX_SAMPLE_RATE_HZ} Hz`,
  `${limits.MAX_WARNINGS} warnings`,
  `${limits.MAX_PROBLEMS} problems`,
  `${limits.MAX_WAIT_SECONDS} seconds`,
  `${limits.MAX_HEADERS_SECONDS} seconds`,
  `pings every ${limits.PING_SECONDS}`,
  `${relay.callsPerMinute} calls`,
  `${relay.packagesPerHour} packages`,
  `${relay.pairingTriesPerMinute} claims`,
  `${relay.pairingTriesPerMinute} a minute`,
  `${relay.waitingPackagesPerDevice} packages`,
  `${relay.waitingPackagesPerDevice} waiting`,
  `${relay.uploadsPerDevice} uploads`,
  ...[relay.bytesPerDevice, relay.bytesPerAddressPerDay, relay.minFreeBytes].map(
    (bytes) => `${bytes / 1024 ** 3} GiB`,
  ),
  ...[
    relay.pairingCodeTtlSeconds,
    relay.uploadWindowSeconds,
    relay.waitWindowSeconds,
    relay.statusWindowSeconds,
    relay.leaseSeconds,
    relay.uploadIdleSeconds,
  ].map(formatLimitSpan),
  // The same in words, which nothing can derive.
  "an hour of",
  "one hour",
  "ten minutes",
  "five minutes",
  "seven days",
  "four uploads",
];

/** A place at which a text says a limit: the words and their context. */
export function findLimitWords(text: string): readonly string[] {
  const line = text.replaceAll(/\s+/g, " ");
  return [...line.matchAll(LIMIT_WORD)].map(({ index }) =>
    line.slice(Math.max(0, index - 40), index + 50),
  );
}

const LIMIT_WORD = new RegExp(
  LIMIT_WORDS.map((words) => `(?<![\\w.,])${words.replaceAll(".", "\\.")}\\b`).join("|"),
  "gi",
);
