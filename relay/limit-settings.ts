import { RELAY_DEFAULTS } from "../core/limits.ts";
import { type Setting, type SettingGroup, wholeNumber } from "../core/settings.ts";

type LimitName = keyof typeof RELAY_DEFAULTS;

interface Limit {
  readonly group: SettingGroup;
  readonly words: LimitWords;
}
type LimitWords = readonly [variable: string, meaning: string];

/** Variable and meaning of each limit and span, by its name in `RELAY_DEFAULTS`. */
const LIMITS: Readonly<Record<LimitName, Limit>> = {
  ...limitsOf("Limits", {
    callsPerMinute: ["SOUNDFERRY_CALLS_PER_MINUTE", "Calls per minute and token."],
    packagesPerHour: ["SOUNDFERRY_PACKAGES_PER_HOUR", "Packages per hour and app."],
    pairingTriesPerMinute: [
      "SOUNDFERRY_PAIRING_TRIES_PER_MINUTE",
      "Wrong pairing tries, and registrations, per minute and client address.",
    ],
    pairingTriesPerHour: [
      "SOUNDFERRY_PAIRING_TRIES_PER_HOUR",
      "Wrong pairing tries per hour and client address.",
    ],
    pairingTriesPer56: [
      "SOUNDFERRY_PAIRING_TRIES_PER_56",
      "Wrong pairing tries per hour and IPv6 network of 56 bits.",
    ],
    pairingTriesPerNetwork: [
      "SOUNDFERRY_PAIRING_TRIES_PER_NETWORK",
      "Wrong pairing tries per hour and network of 24 bits (IPv4) or 48 bits (IPv6).",
    ],
    pairingTriesOfAll: [
      "SOUNDFERRY_PAIRING_TRIES_OF_ALL",
      "Wrong pairing tries per hour of all addresses, half for newcomers; then pairing needs a yes in the panel.",
    ],
    registrationsPerAddressPerDay: [
      "SOUNDFERRY_REGISTRATIONS_PER_ADDRESS_PER_DAY",
      "Computers that one client address can register a day.",
    ],
    registrationsPerDay: [
      "SOUNDFERRY_REGISTRATIONS_PER_DAY",
      "Computers that can be registered a day, half of them from networks that registered few.",
    ],
    waitingPackagesPerDevice: [
      "SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE",
      "Packages that can wait for one computer.",
    ],
    bytesPerDevice: ["SOUNDFERRY_BYTES_PER_DEVICE", "Bytes that can be stored for one computer."],
    bytesPerAddressPerDay: [
      "SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY",
      "Bytes that one client address can send a day.",
    ],
    uploadsPerPairing: [
      "SOUNDFERRY_UPLOADS_PER_PAIRING",
      "Uploads that one app can run at once on one computer.",
    ],
    uploadsPerDevice: [
      "SOUNDFERRY_UPLOADS_PER_DEVICE",
      "Uploads that can run at once for one computer.",
    ],
    uploads: ["SOUNDFERRY_UPLOADS", "Uploads that can run at once."],
    connections: [
      "SOUNDFERRY_MAX_CONNECTIONS",
      "Connections at once; fewer where the system allows fewer files.",
    ],
    sockets: ["SOUNDFERRY_MAX_SOCKETS", "WebSockets of importers at once."],
    bufferBytes: [
      "SOUNDFERRY_MAX_BUFFER_BYTES",
      "Memory for bodies that are arriving, and as much for unread answers.",
    ],
  }),
  ...limitsOf("Lifetimes", {
    pairingCodeTtlSeconds: ["SOUNDFERRY_PAIRING_CODE_TTL_S", "Lifetime of a code."],
    uploadWindowSeconds: [
      "SOUNDFERRY_UPLOAD_WINDOW_S",
      "Time from announcing a package to its commit.",
    ],
    roomHoldSeconds: [
      "SOUNDFERRY_ROOM_HOLD_S",
      "How long announced sounds hold room after the announcement or their last byte.",
    ],
    waitWindowSeconds: ["SOUNDFERRY_WAIT_WINDOW_S", "How long a package waits for Import."],
    statusWindowSeconds: [
      "SOUNDFERRY_STATUS_WINDOW_S",
      "How long the status is readable after the files are deleted.",
    ],
    leaseSeconds: ["SOUNDFERRY_LEASE_S", "How long an import holds a package."],
    uploadIdleSeconds: ["SOUNDFERRY_UPLOAD_IDLE_S", "A sender silent for this long is cut off."],
    clockProofSeconds: [
      "SOUNDFERRY_CLOCK_PROOF_S",
      "How long the clock must run evenly after a jump before anything expires.",
    ],
  }),
  ...limitsOf("Disk", {
    minFreeBytes: ["SOUNDFERRY_MIN_FREE_BYTES", "Disk to keep free."],
    ballastBytes: [
      "SOUNDFERRY_BALLAST_BYTES",
      "Space kept aside so that deleting still works on a full disk.",
    ],
    quarantineSeconds: [
      "SOUNDFERRY_QUARANTINE_S",
      "How long sounds that no record knows are kept before they are deleted.",
    ],
  }),
  ...limitsOf("Starting and stopping", {
    stopDelaySeconds: [
      "SOUNDFERRY_STOP_DELAY_S",
      "Minimum time that the relay serves after the signal to stop.",
    ],
    stopGraceSeconds: [
      "SOUNDFERRY_STOP_GRACE_S",
      "Maximum time that running uploads and imports get after the signal to stop.",
    ],
    waitForLockSeconds: [
      "SOUNDFERRY_WAIT_FOR_LOCK_S",
      "How long a start waits for another relay to leave the data folder.",
    ],
  }),
};

const MAY_BE_ZERO: ReadonlySet<string> = new Set([
  "minFreeBytes",
  "ballastBytes",
  "quarantineSeconds",
  "clockProofSeconds",
  "stopDelaySeconds",
  "stopGraceSeconds",
  "waitForLockSeconds",
]);

/** A setting for each of `RELAY_DEFAULTS`. */
export function limitSettings(): Record<LimitName, Setting<number>> {
  const settings = Object.entries(RELAY_DEFAULTS).map(([name, fallback]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries forgets which names the table has
    const { group, words } = LIMITS[name as LimitName];
    const [variable, meaning] = words;
    const bounds = { min: MAY_BE_ZERO.has(name) ? 0 : 1, max: largestOf(name) };
    return [name, { ...wholeNumber(variable, fallback, meaning, bounds), group }];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the table's
  return Object.fromEntries(settings) as ReturnType<typeof limitSettings>;
}

function limitsOf<Name extends LimitName>(
  group: SettingGroup,
  limits: Readonly<Record<Name, LimitWords>>,
): Readonly<Record<Name, Limit>> {
  const entries = Object.entries<LimitWords>(limits).map(([name, words]) => [
    name,
    { group, words },
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the table's
  return Object.fromEntries(entries) as Record<Name, Limit>;
}

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const YEAR_SECONDS = 366 * DAY_SECONDS;

/** Nine petabytes: more than any disk holds. */
const MOST_BYTES = 9_000_000_000_000_000;
/** A maximum that is as good as no limit, for tests of speed. */
const MOST_EVENTS = 1_000_000_000;

/** Maxima of settings whose unit allows more than makes sense. */
const LARGEST: Readonly<Record<string, number>> = {
  pairingCodeTtlSeconds: DAY_SECONDS,
  uploadIdleSeconds: DAY_SECONDS,
  clockProofSeconds: DAY_SECONDS,
};

/** The largest value that a setting of `RELAY_DEFAULTS` takes, by its name, which ends with its unit (rule K12). */
function largestOf(name: string): number {
  const ofUnit = name.endsWith("Seconds")
    ? YEAR_SECONDS
    : /bytes/i.test(name)
      ? MOST_BYTES
      : MOST_EVENTS;
  return LARGEST[name] ?? ofUnit;
}
