import { RELAY_DEFAULTS } from "../core/limits.ts";
import { type Setting, wholeNumber } from "../core/settings.ts";
import { largestOf } from "./limit-bounds.ts";

/** Limits and spans by the name that `RELAY_DEFAULTS` has for each: its variable and its meaning. */
const LIMITS: Readonly<Record<keyof typeof RELAY_DEFAULTS, readonly [string, string]>> = {
  callsPerMinute: ["SOUNDFERRY_CALLS_PER_MINUTE", "Calls per minute and token."],
  packagesPerHour: ["SOUNDFERRY_PACKAGES_PER_HOUR", "Packages per hour and app."],
  pairingTriesPerMinute: [
    "SOUNDFERRY_PAIRING_TRIES_PER_MINUTE",
    "Pairing tries, and registrations, per minute and client address.",
  ],
  pairingCodeTtlSeconds: ["SOUNDFERRY_PAIRING_CODE_TTL_S", "Lifetime of a code."],
  uploadWindowSeconds: [
    "SOUNDFERRY_UPLOAD_WINDOW_S",
    "Time from announcing a package to its commit.",
  ],
  waitWindowSeconds: ["SOUNDFERRY_WAIT_WINDOW_S", "How long a package waits for Import."],
  statusWindowSeconds: [
    "SOUNDFERRY_STATUS_WINDOW_S",
    "How long the status is readable after the files are deleted.",
  ],
  leaseSeconds: ["SOUNDFERRY_LEASE_S", "How long an import holds a package."],
  uploadIdleSeconds: ["SOUNDFERRY_UPLOAD_IDLE_S", "A sender silent for this long is cut off."],
  waitingPackagesPerDevice: [
    "SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE",
    "Packages that can wait for one computer.",
  ],
  bytesPerDevice: ["SOUNDFERRY_BYTES_PER_DEVICE", "Bytes that can be stored for one computer."],
  bytesPerAddressPerDay: [
    "SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY",
    "Bytes that one client address can announce a day.",
  ],
  uploadsPerDevice: [
    "SOUNDFERRY_UPLOADS_PER_DEVICE",
    "Uploads that can run at once for one computer.",
  ],
  uploadsPerPairing: [
    "SOUNDFERRY_UPLOADS_PER_PAIRING",
    "Uploads that one app can run at once on one computer.",
  ],
  uploads: ["SOUNDFERRY_UPLOADS", "Uploads that can run at once."],
  minFreeBytes: ["SOUNDFERRY_MIN_FREE_BYTES", "Disk to keep free."],
  ballastBytes: [
    "SOUNDFERRY_BALLAST_BYTES",
    "Space kept aside so that deleting still works on a full disk.",
  ],
  quarantineSeconds: [
    "SOUNDFERRY_QUARANTINE_S",
    "How long sounds that no record knows are kept before they are deleted.",
  ],
  clockProofSeconds: [
    "SOUNDFERRY_CLOCK_PROOF_S",
    "How long the clock must run evenly after a jump before anything expires.",
  ],
};

const MAY_BE_ZERO: ReadonlySet<string> = new Set([
  "minFreeBytes",
  "ballastBytes",
  "quarantineSeconds",
  "clockProofSeconds",
]);

/** A setting for each of `RELAY_DEFAULTS`. */
export function limitSettings(): Record<keyof typeof RELAY_DEFAULTS, Setting<number>> {
  const settings = Object.entries(RELAY_DEFAULTS).map(([name, fallback]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries forgets which names the table has
    const [variable, meaning] = LIMITS[name as keyof typeof RELAY_DEFAULTS];
    const bounds = { min: MAY_BE_ZERO.has(name) ? 0 : 1, max: largestOf(name) };
    return [name, wholeNumber(variable, fallback, meaning, bounds)];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the table's
  return Object.fromEntries(settings) as ReturnType<typeof limitSettings>;
}
