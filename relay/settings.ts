import { join } from "node:path";
import { DAY_MS, type Policy } from "./domain/context.ts";
import { LOGGED_ADDRESSES } from "./http/call-log.ts";
import { CONSENT_WAIT_SECONDS, PING_SECONDS } from "../core/limits.ts";
import {
  oneOf,
  plainText,
  readSettings,
  registrationKey,
  secret,
  type Setting,
  SettingsError,
  type SettingsOf,
  type SettingsSource,
  wholeNumber,
  inGroup,
} from "../core/settings.ts";
import type { RelayOperator } from "../core/messages/operator-strip.ts";
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
  readTextFile,
  shownLink,
  shownName,
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
    ...secret(
      "registrationKey",
      registrationKey(
        "A key for importers when registration is by key, beside those of admin keys.",
      ),
      readTextFile,
    ),
    tokenIdleDays: wholeNumber(
      "SOUNDFERRY_TOKEN_IDLE_DAYS",
      0,
      "Days after which an app that nobody uses is unpaired; 0 is never.",
      { min: 0, max: 3660 },
    ),
    pairingConsent: oneOf(
      "SOUNDFERRY_PAIRING_CONSENT",
      "when-attacked",
      "When a right pairing code also needs a yes in the panel.",
      ["when-attacked", "always"],
    ),
  }),
  ...inGroup("Operator", {
    operatorName: shownName("SOUNDFERRY_OPERATOR_NAME", "Who runs the relay, for its page."),
    operatorContact: shownLink(
      "SOUNDFERRY_OPERATOR_CONTACT",
      "How to reach them: a mail address, or an https link.",
    ),
    operatorPrivacy: shownLink(
      "SOUNDFERRY_OPERATOR_PRIVACY_URL",
      "What they do with people's data: an https link, or a mail address.",
    ),
    operatorAbuse: shownLink(
      "SOUNDFERRY_OPERATOR_ABUSE_URL",
      "Where to report abuse: an https link, or a mail address.",
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
  ...inGroup("Disk", {
    scrubPercent: wholeNumber(
      "SOUNDFERRY_SCRUB_PERCENT",
      0,
      "Percent of the time in which stored sounds are read and compared with what was sent; 0 is off.",
      { min: 0, max: 50 },
    ),
  }),
  ...inGroup("Several relays", scalingSettings()),
} as const satisfies Record<string, Setting<unknown>>;

/** The relay's settings as they are used. */
export type RelaySettings = SettingsOf<typeof RELAY_SETTINGS>;

/**
 * Reads and validates the relay's settings. Flags override the environment.
 * @throws {SettingsError} with every problem at once
 */
export function readRelaySettings(sources: {
  readonly flags?: SettingsSource;
  readonly environment: SettingsSource;
}): RelaySettings {
  const settings = readSettings(RELAY_SETTINGS, [sources.flags ?? {}, sources.environment]);
  const problems = [...disagreements(settings), ...scalingDisagreements(settings)];
  if (problems.length > 0) throw new SettingsError(problems);
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
    tokenIdleMs: settings.tokenIdleDays === 0 ? undefined : settings.tokenIdleDays * DAY_MS,
    registersByKey: settings.registration === "key",
    registrationKey: settings.registrationKey,
  };
}

/** Returns who runs the relay, as its page shows it. */
export function operatorOf(settings: RelaySettings): RelayOperator {
  return {
    name: settings.operatorName,
    contact: settings.operatorContact,
    privacy: settings.operatorPrivacy,
    abuse: settings.operatorAbuse,
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

function disagreements(settings: RelaySettings): string[] {
  const problems: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    problems.push("SOUNDFERRY_TLS_CERT and SOUNDFERRY_TLS_KEY must be set together.");
  }
  return problems;
}
