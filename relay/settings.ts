import { homedir } from "node:os";
import { join } from "node:path";
import type { Policy } from "./domain/context.ts";
import {
  oneOf,
  plainText,
  readSettings,
  type Setting,
  SettingsError,
  type SettingsOf,
  type SettingsSource,
  wholeNumber,
} from "../core/settings.ts";
import { userDataFolder } from "../core/user-data-folder.ts";

import { addresses, baseUrl, fileContent, optionalPort } from "./setting-kinds.ts";

const GIB = 1024 ** 3;

/** The relay's settings (rule K3): the source of `.env.example` and of the command line's flags. */
export const RELAY_SETTINGS = {
  host: plainText("SOUNDFERRY_HOST", "127.0.0.1", "Address to listen on."),
  port: wholeNumber("SOUNDFERRY_PORT", 4700, "Port to listen on; 0 takes a free one.", {
    min: 0,
    max: 65_535,
  }),
  baseUrl: baseUrl("SOUNDFERRY_BASE_URL", "Address by which apps reach the relay, for printing."),
  dataFolder: plainText(
    "SOUNDFERRY_DATA",
    defaultDataFolder(),
    "Folder of the database and the sounds.",
    "soundferry/relay in the user's data folder",
  ),
  trustProxy: addresses("SOUNDFERRY_TRUST_PROXY", "Proxies whose X-Forwarded-For counts."),
  tlsCert: fileContent("SOUNDFERRY_TLS_CERT", "Certificate file (PEM) for https."),
  tlsKey: fileContent("SOUNDFERRY_TLS_KEY", "Key file (PEM) for https."),
  metricsPort: optionalPort("SOUNDFERRY_METRICS_PORT", "Port of the metrics' own listener."),
  logLevel: oneOf("SOUNDFERRY_LOG_LEVEL", "info", "How much is logged.", [
    "silent",
    "fatal",
    "error",
    "warn",
    "info",
    "debug",
    "trace",
  ]),
  registration: oneOf("SOUNDFERRY_REGISTRATION", "open", "Who may register an importer.", [
    "open",
    "key",
  ]),
  registrationKey: plainText(
    "SOUNDFERRY_REGISTRATION_KEY",
    undefined,
    "The key importers need where registration is by key.",
  ),
  callsPerMinute: wholeNumber("SOUNDFERRY_CALLS_PER_MINUTE", 600, "Calls per token."),
  packagesPerHour: wholeNumber("SOUNDFERRY_PACKAGES_PER_HOUR", 30, "New packages per app."),
  pairingTriesPerMinute: wholeNumber(
    "SOUNDFERRY_PAIRING_TRIES_PER_MINUTE",
    10,
    "Pairing tries, and registrations, per client address.",
  ),
  pairingCodeTtlSeconds: wholeNumber("SOUNDFERRY_PAIRING_CODE_TTL_S", 600, "Life of a code."),
  uploadWindowSeconds: wholeNumber(
    "SOUNDFERRY_UPLOAD_WINDOW_S",
    3600,
    "From announcing a package to its commit.",
  ),
  waitWindowSeconds: wholeNumber(
    "SOUNDFERRY_WAIT_WINDOW_S",
    86_400,
    "How long a package waits for Import.",
  ),
  statusWindowSeconds: wholeNumber(
    "SOUNDFERRY_STATUS_WINDOW_S",
    604_800,
    "How long the status is readable after the files went.",
  ),
  leaseSeconds: wholeNumber("SOUNDFERRY_LEASE_S", 300, "How long an import holds a package."),
  uploadIdleSeconds: wholeNumber(
    "SOUNDFERRY_UPLOAD_IDLE_S",
    60,
    "A sender silent for so long is cut off.",
  ),
  waitingPackagesPerDevice: wholeNumber(
    "SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE",
    200,
    "Packages that may wait for one computer.",
  ),
  bytesPerDevice: wholeNumber(
    "SOUNDFERRY_BYTES_PER_DEVICE",
    2 * GIB,
    "Bytes that may be kept for one computer.",
  ),
  bytesPerAddressPerDay: wholeNumber(
    "SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY",
    4 * GIB,
    "Bytes that one client address may announce a day.",
  ),
  uploadsPerDevice: wholeNumber(
    "SOUNDFERRY_UPLOADS_PER_DEVICE",
    4,
    "Uploads that may run at once for one computer.",
  ),
  minFreeBytes: wholeNumber("SOUNDFERRY_MIN_FREE_BYTES", GIB, "Disk that stays free.", { min: 0 }),
} as const satisfies Record<string, Setting<unknown>>;

export type RelaySettings = SettingsOf<typeof RELAY_SETTINGS>;

/** Stores for a relay on several machines; this version runs on one. */
const NOT_YET = [
  "SOUNDFERRY_REDIS_URL",
  "SOUNDFERRY_S3_BUCKET",
  "SOUNDFERRY_S3_ENDPOINT",
  "SOUNDFERRY_S3_REGION",
  "SOUNDFERRY_S3_ACCESS_KEY_ID",
  "SOUNDFERRY_S3_SECRET_ACCESS_KEY",
  "SOUNDFERRY_S3_SECRET_ACCESS_KEY_FILE",
  "SOUNDFERRY_DATABASE_URL",
] as const;

/**
 * Reads and validates the relay's settings. Flags override the environment.
 * @throws {SettingsError} with every problem at once
 */
export function readRelaySettings(sources: {
  readonly flags?: SettingsSource;
  readonly environment: SettingsSource;
}): RelaySettings {
  const texts = [sources.flags ?? {}, sources.environment];
  const problems = NOT_YET.filter((variable) => texts.some((source) => source[variable])).map(
    (variable) =>
      `${variable} is not supported by this version: it keeps its database and its sounds in SOUNDFERRY_DATA.`,
  );
  let settings: RelaySettings | undefined;
  try {
    settings = readSettings(RELAY_SETTINGS, texts);
    problems.push(...disagreements(settings));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
  }
  if (settings === undefined || problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** The limits and windows of the settings, in the units the use cases need. */
export function policyOf(settings: RelaySettings): Policy {
  return {
    callsPerMinute: settings.callsPerMinute,
    packagesPerHour: settings.packagesPerHour,
    pairingTriesPerMinute: settings.pairingTriesPerMinute,
    waitingPerDevice: settings.waitingPackagesPerDevice,
    bytesPerDevice: settings.bytesPerDevice,
    bytesPerAddressPerDay: settings.bytesPerAddressPerDay,
    minFreeBytes: settings.minFreeBytes,
    pairingCodeTtlMs: settings.pairingCodeTtlSeconds * 1000,
    uploadWindowMs: settings.uploadWindowSeconds * 1000,
    waitWindowMs: settings.waitWindowSeconds * 1000,
    statusWindowMs: settings.statusWindowSeconds * 1000,
    leaseMs: settings.leaseSeconds * 1000,
    registrationKey: settings.registration === "key" ? settings.registrationKey : undefined,
  };
}

/** Certificate and key; undefined for plain http. */
export function tlsOf(
  settings: RelaySettings,
): { readonly cert: string; readonly key: string } | undefined {
  const { tlsCert: cert, tlsKey: key } = settings;
  return cert !== undefined && key !== undefined ? { cert, key } : undefined;
}

function disagreements(settings: RelaySettings): string[] {
  const problems: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    problems.push("SOUNDFERRY_TLS_CERT and SOUNDFERRY_TLS_KEY are needed together.");
  }
  if (settings.registration === "key" && settings.registrationKey === undefined) {
    problems.push("SOUNDFERRY_REGISTRATION=key needs SOUNDFERRY_REGISTRATION_KEY.");
  }
  return problems;
}

function defaultDataFolder(): string {
  const { platform, env: environment } = process;
  return join(
    userDataFolder({ platform, home: homedir(), environment }, join),
    "soundferry",
    "relay",
  );
}
