import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Policy } from "./domain/context.ts";
import { LOGGED_ADDRESSES } from "./http/call-log.ts";
import { CONSENT_WAIT_SECONDS, PING_SECONDS } from "../core/limits.ts";
import {
  KEY_AND_FILE,
  oneOf,
  parseRegistrationKey,
  plainText,
  readSettings,
  registrationKeyFile,
  type Setting,
  SettingsError,
  type SettingsOf,
  type SettingsSource,
  wholeNumber,
  inGroup,
} from "../core/settings.ts";
import { userDataFolder } from "../program/user-data-folder.ts";
import { limitSettings } from "./limit-settings.ts";
import { scalingDisagreements, scalingSettings } from "./scaling-settings.ts";
import {
  addresses,
  baseUrl,
  fileContent,
  hostNames,
  normalHostName,
  optionalPort,
} from "./setting-kinds.ts";

/** The relay's settings (rule K3): the source of `.env.example` and of the command line's flags. */
export const RELAY_SETTINGS = {
  ...inGroup("Address and files", {
    host: plainText("SOUNDFERRY_HOST", "127.0.0.1", "Address to listen on."),
    port: wholeNumber("SOUNDFERRY_PORT", 4700, "Port to listen on; 0 picks a free one.", {
      min: 0,
      max: 65_535,
    }),
    baseUrl: baseUrl("SOUNDFERRY_BASE_URL", "Address that apps use, for printing."),
    dataFolder: plainText(
      "SOUNDFERRY_DATA",
      join(userDataFolder(), "soundferry", "relay"),
      "Folder for the database and the sounds.",
      "soundferry/relay in the user's data folder",
    ),
    tlsCert: fileContent("SOUNDFERRY_TLS_CERT", "Certificate file (PEM) for https."),
    tlsKey: fileContent("SOUNDFERRY_TLS_KEY", "Key file (PEM) for https."),
  }),
  ...inGroup("Behind a proxy", {
    trustProxy: addresses("SOUNDFERRY_TRUST_PROXY", "Proxies whose X-Forwarded-For is trusted."),
    allowedHosts: hostNames(
      "SOUNDFERRY_ALLOWED_HOSTS",
      "More names that the relay answers to, such as relay.example.com or *.example.com.",
    ),
  }),
  ...inGroup("Registration and pairing", {
    registration: oneOf("SOUNDFERRY_REGISTRATION", "open", "Who may register an importer.", [
      "open",
      "key",
    ]),
    registrationKey: {
      variable: "SOUNDFERRY_REGISTRATION_KEY",
      meaning: "A key for importers when registration is by key, beside those of admin keys.",
      fallback: undefined,
      read: parseRegistrationKey,
    },
    registrationKeyFile: registrationKeyFile((path) => readFileSync(path, "utf8")),
    pairingConsent: oneOf(
      "SOUNDFERRY_PAIRING_CONSENT",
      "when-attacked",
      "When a right pairing code also needs a yes in the panel.",
      ["when-attacked", "always"],
    ),
  }),
  ...inGroup("Log and metrics", {
    logLevel: oneOf("SOUNDFERRY_LOG_LEVEL", "info", "How much is logged.", [
      "silent",
      "fatal",
      "error",
      "warn",
      "info",
      "debug",
      "trace",
    ]),
    logAddresses: oneOf(
      "SOUNDFERRY_LOG_ADDRESSES",
      "truncated",
      "How much of a client's address is logged; truncated is its network.",
      LOGGED_ADDRESSES,
    ),
    metricsPort: optionalPort("SOUNDFERRY_METRICS_PORT", "Port of the separate metrics listener."),
  }),
  ...limitSettings(),
  ...inGroup("Several relays", scalingSettings()),
} as const satisfies Record<string, Setting<unknown>>;

type GivenSettings = SettingsOf<typeof RELAY_SETTINGS>;
/**
 * The relay's settings as they are used. Key and secret are in `registrationKey` and `s3SecretAccessKey`, in whichever
 * way they were given.
 */
export type RelaySettings = Omit<GivenSettings, "registrationKeyFile" | "s3SecretAccessKeyFile">;

/**
 * Reads and validates the relay's settings. Flags override the environment.
 * @throws {SettingsError} with every problem at once
 */
export function readRelaySettings(sources: {
  readonly flags?: SettingsSource;
  readonly environment: SettingsSource;
}): RelaySettings {
  const texts = [sources.flags ?? {}, sources.environment];
  const problems: string[] = [];
  let settings: RelaySettings | undefined;
  try {
    const given = readSettings(RELAY_SETTINGS, texts);
    problems.push(...disagreements(given), ...scalingDisagreements(given));
    const { registrationKeyFile, s3SecretAccessKeyFile, ...others } = given;
    settings = {
      ...others,
      registrationKey: given.registrationKey ?? registrationKeyFile,
      s3SecretAccessKey: given.s3SecretAccessKey ?? s3SecretAccessKeyFile,
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
  }
  if (settings === undefined || problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Returns the limits and windows of the settings, in the units that the use cases need. */
export function policyOf(settings: RelaySettings): Policy {
  return {
    callsPerMinute: settings.callsPerMinute,
    packagesPerHour: settings.packagesPerHour,
    pairingTriesPerMinute: settings.pairingTriesPerMinute,
    pairingTries: {
      perAddress: settings.pairingTriesPerHour,
      per56: settings.pairingTriesPer56,
      perNetwork: settings.pairingTriesPerNetwork,
      ofAll: settings.pairingTriesOfAll,
    },
    asksForEachPairing: settings.pairingConsent === "always",
    consentWaitMs: CONSENT_WAIT_SECONDS * 1000,
    registrationsPerAddressPerDay: settings.registrationsPerAddressPerDay,
    registrationsPerDay: settings.registrationsPerDay,
    waitingPerDevice: settings.waitingPackagesPerDevice,
    bytesPerDevice: settings.bytesPerDevice,
    bytesPerAddressPerDay: settings.bytesPerAddressPerDay,
    minFreeBytes: settings.minFreeBytes,
    pairingCodeTtlMs: settings.pairingCodeTtlSeconds * 1000,
    uploadWindowMs: settings.uploadWindowSeconds * 1000,
    roomHoldMs: settings.roomHoldSeconds * 1000,
    waitWindowMs: settings.waitWindowSeconds * 1000,
    statusWindowMs: settings.statusWindowSeconds * 1000,
    leaseMs: settings.leaseSeconds * 1000,
    quarantineMs: settings.quarantineSeconds * 1000,
    lookAgainMs: PING_SECONDS * 1000,
    registersByKey: settings.registration === "key",
    registrationKey: settings.registrationKey,
  };
}

/** Returns the names that the relay answers to, besides those of the loopback (rule C4). */
export function hostNamesOf({ host, baseUrl: url, allowedHosts }: RelaySettings): string[] {
  const named = url === undefined ? [] : [new URL(url).hostname];
  const own = normalHostName(host);
  return [...(own === undefined ? [] : [own]), ...named, ...allowedHosts];
}

/** Returns certificate and key; undefined for plain http. */
export function tlsOf(
  settings: RelaySettings,
): { readonly cert: string; readonly key: string } | undefined {
  const { tlsCert: cert, tlsKey: key } = settings;
  return cert !== undefined && key !== undefined ? { cert, key } : undefined;
}

function disagreements(settings: GivenSettings): string[] {
  const problems: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    problems.push("SOUNDFERRY_TLS_CERT and SOUNDFERRY_TLS_KEY must be set together.");
  }
  const { registrationKey: key, registrationKeyFile: keyFile } = settings;
  if (key !== undefined && keyFile !== undefined) problems.push(KEY_AND_FILE);
  return problems;
}
