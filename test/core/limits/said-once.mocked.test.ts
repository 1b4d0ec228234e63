import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as limits from "../../../core/limits.ts";
import { readSaidTexts, type SaidText } from "./limits-said.ts";

const MODULE = "../../../core/limits.ts";

/** A new value for each limit that occurs nowhere else in the product. */
const CHANGED = {
  MAX_SOUNDS: 37,
  MAX_PACKAGE_BYTES: 433 * 1024 ** 2,
  MAX_PACKAGES_AT_ONCE: 41,
  MAX_JSON_BYTES: 23 * 1024 ** 2,
  MAX_TITLE_LENGTH: 67,
  MAX_NAME_LENGTH: 47,
  MAX_FILE_NAME_LENGTH: 113,
  MAX_ID_LENGTH: 127,
  MIN_BPM: 17,
  MAX_BPM: 1009,
  MAX_LENGTH_BEATS: 5003,
  MIN_GAIN_DB: -73,
  MAX_GAIN_DB: 29,
  MAX_SAMPLE_RATE_HZ: 383_000,
  MAX_WARNINGS: 131,
  MAX_PROBLEMS: 71,
  MAX_WARNING_UNITS: 223,
  MAX_IDEMPOTENCY_KEY_LENGTH: 227,
  MAX_APP_ID_LENGTH: 229,
  MAX_TOKENS_PER_PAIRING: 19,
  MAX_ERROR_UNITS: 89,
  MAX_CLIENT_LENGTH: 139,
  MAX_HEADER_BYTES: 47 * 1024,
  MAX_HEADERS_SECONDS: 43,
  MAX_WAIT_SECONDS: 41,
  MAX_RESULT_UNITS: 521,
  MAX_RESULT_ENTRIES: 149,
  MAX_RESULTS_BYTES: 67 * 1024,
  MAX_PAGE_PACKAGES: 173,
  MAX_HOLD_SECONDS: 59,
  PING_SECONDS: 53,
  RETRY_FULL_SECONDS: 109,
  RETRY_NOT_READY_SECONDS: 127,
  RETRY_SWITCHED_OFF_SECONDS: 137,
  RETRY_STOPPING_SECONDS: 167,
  STOP_HOLD_SECONDS: 173,
  CLAIM_REPEAT_SECONDS: 43,
  CONSENT_WAIT_SECONDS: 21,
  CONSENT_SECONDS: 11 * 60,
  PAIRING_CODE_SECONDS: 61 * 60,
  RELAY_DEFAULTS: {
    callsPerMinute: 601,
    packagesPerHour: 31,
    pairingTriesPerMinute: 13,
    pairingTriesPerHour: 167,
    pairingTriesPer56: 173,
    pairingTriesPerNetwork: 251,
    pairingTriesOfAll: 607,
    registrationsPerAddressPerDay: 23,
    registrationsPerDay: 5009,
    pairingCodeTtlSeconds: 61 * 60,
    uploadWindowSeconds: 71 * 3600,
    roomHoldSeconds: 73 * 60,
    waitWindowSeconds: 79 * 3600,
    statusWindowSeconds: 83 * 86_400,
    leaseSeconds: 97 * 60,
    uploadIdleSeconds: 101,
    waitingPackagesPerDevice: 199,
    bytesPerDevice: 3 * 1024 ** 3,
    bytesPerAddressPerDay: 5 * 1024 ** 3,
    uploadsPerPairing: 157,
    uploadsPerDevice: 103,
    uploads: 163,
    connections: 8191,
    sockets: 4999,
    bufferBytes: 67 * 1024 ** 2,
    minFreeBytes: 11 * 1024 ** 3,
    ballastBytes: 37 * 1024 ** 2,
    quarantineSeconds: 89 * 86_400,
    clockProofSeconds: 107,
    stopDelaySeconds: 179,
    stopGraceSeconds: 181,
    waitForLockSeconds: 191,
  },
} satisfies Record<keyof typeof limits, unknown>;

/** Limits that no text of the product names, and why. The documents do (test/docs/limits.test.ts). */
const UNSAID: readonly string[] = [
  // The oldest token is revoked silently.
  "MAX_TOKENS_PER_PAIRING",
  // The relay cuts what it logs.
  "MAX_CLIENT_LENGTH",
  // Such a lease ends like any other.
  "MAX_HOLD_SECONDS",
  // Only the header says it.
  "RETRY_SWITCHED_OFF_SECONDS",
];

/** Numbers that equal a limit by chance, by their context. */
const OTHER_NUMBERS: readonly RegExp[] = [
  /16, 24 (and|or) 32 bits/,
  /\b(20|32|64)-bit/,
  /64 hex characters|\{64\}/,
  /running\s+uploads then get\s+10 s/,
  // Networks, and the length of a page.
  /an IPv6 address means its \/64|at most 1000 \[50\]/i,
  /\b24 bits \(IPv4\)|\.0\/24\b/,
  // The digest, and its digits.
  /SHA-256|sha256|64 hex|\[0-9a-f\]\{64\}/i,
  /64-bit float/,
  // The bits of `soundferry send --bit-depth`.
  /as 16 bit, with dither|choices: "16"/,
  // Statuses of answers, and the tempo of an example.
  /\banswer(ed| of) (20[01]|400)\b|\b200 and 201 mean\b|^\/openapi.json#.*\/bpm: 120$/,
];

let before: readonly SaidText[];
let after: readonly SaidText[];

beforeAll(async () => {
  vi.resetModules();
  before = await readSaidTexts();
  vi.resetModules();
  vi.doMock(MODULE, () => CHANGED);
  after = await readSaidTexts();
});

afterAll(() => {
  vi.doUnmock(MODULE);
  vi.resetModules();
});

describe("when every limit changes", () => {
  test("texts change only in their numbers", () => {
    expect(after.map(shapeOf)).toEqual(before.map(shapeOf));
    expect(before.length).toBeGreaterThan(100);
  });

  test("no text keeps the number of an old limit", () => {
    const old = new Set(Object.values(flat(limits)).flatMap(spoken));
    const kept = pairs().filter(
      ({ was, is, context }) =>
        was === is && old.has(was) && !OTHER_NUMBERS.some((other) => other.test(context)),
    );
    expect(kept.map(({ was, context }) => `${was} in ${context}`)).toEqual([]);
  });

  test("every new number appears in a text", () => {
    const said = new Set(pairs().flatMap(({ was, is }) => (was === is ? [] : [is])));
    const unsaid = Object.entries(flat(CHANGED)).filter(
      ([, value]) => !spoken(value).some((number) => said.has(number)),
    );
    expect(unsaid.map(([name]) => name)).toEqual(UNSAID);
  });
});

const NUMBER = /(?<![\w.])\d+(?:\.\d+)?(?![\w])/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A text without the parts a new limit may change: numbers, times and plurals of units. */
function shapeOf({ where, text }: SaidText): string {
  const shape = text.replaceAll(TIME, "a time").replaceAll(NUMBER, "#");
  return `${where}: ${shape.replaceAll(/# (day|hour|minute|second)\b/g, "# $1s")}`;
}

/** The numbers of all texts before and after, side by side. */
function pairs() {
  return before.flatMap(({ where, text }, index) => {
    const now = [...(after[index]?.text ?? "").matchAll(NUMBER)];
    return [...text.matchAll(NUMBER)].map((match, at) => ({
      was: match[0],
      is: now[at]?.[0],
      context: `${where}: ${text.slice(Math.max(0, match.index - 30), match.index + 30)}`,
    }));
  });
}

/** Limits by the names that a person would look for. */
function flat(table: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) =>
      typeof value === "number" ? [[name, value]] : Object.entries<number>(value),
    ),
  );
}

/** Spellings of a number of this size: plain, in MB, in kHz, as a span. One-digit numbers are too common. */
function spoken(value: number): string[] {
  const units = [1, 1000, 60, 3600, 86_400, 1024, 1024 ** 2, 1024 ** 3];
  return units
    .map((unit) => Math.abs(value) / unit)
    .filter((count) => Number.isInteger(count) && count >= 10)
    .map(String);
}
