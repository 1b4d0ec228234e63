import { isJsonObject } from "../../core/text/json-object.ts";

/** This importer's identity at one relay. */
export interface Identity {
  readonly deviceId: string;
  /** Secret token, which must never reach a log line, an error or a page. */
  readonly importerToken: string;
  /** The name that this relay knows. */
  readonly deviceName: string;
}

/** An identity with the one address that its token may be sent to (rule P9). */
export interface IdentityEntry extends Identity {
  /** The relay's address, normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  /** The relay's instance; absent until a relay that names one has accepted the token. */
  readonly instance?: string;
  /** Set while the relay's last answer to the token was a 401. */
  readonly isRefused?: true;
  /** Reason why it was made although others existed at this address; absent once an app was paired with it. */
  readonly madeBecause?: NewIdentityReason;
  /** Address at which it was registered, if a person has said that the relay moved from there. */
  readonly registeredAt?: string;
}

/**
 * `forgotten`: the relay no longer knew the earlier identity; `other-relay`: another relay answers at the
 * address; `insecure`: the relay was known over https, and the address has http.
 */
export type NewIdentityReason = (typeof REASONS)[number];
const REASONS = ["forgotten", "other-relay", "insecure"] as const;

/** The identities of `config.json`. */
export interface IdentityFile {
  /** Identity in use at each address. */
  readonly identities: Readonly<Record<string, unknown>>;
  /** Other identities, each with its address. */
  readonly setAside: readonly unknown[];
}

/** Reads the entries of a file that `findProblem` accepts; at each address, the one in use comes first. */
export function readEntries(file: Partial<IdentityFile>): readonly IdentityEntry[] {
  const used = Object.entries(file.identities ?? {});
  return [
    ...used.map(([relayUrl, value]) => readEntry(value, relayUrl)),
    ...(file.setAside ?? []).map((value) => readEntry(value)),
  ].filter((entry) => entry !== undefined);
}

/** Writes entries such that `readEntries` returns them. */
export function formatEntries(entries: readonly IdentityEntry[]): IdentityFile {
  const identities: Record<string, unknown> = {};
  const setAside: unknown[] = [];
  for (const { relayUrl, ...entry } of entries) {
    if (Object.hasOwn(identities, relayUrl)) setAside.push({ relay: relayUrl, ...entry });
    else identities[relayUrl] = entry;
  }
  return { identities, setAside };
}

/** Returns what is wrong with a parsed `config.json`, as the end of a sentence; undefined if nothing is. */
export function findProblem(config: unknown): string | undefined {
  if (!isJsonObject(config)) return "it must be an object.";
  const { settings = {}, identities = {}, setAside = [] } = config;
  if (!isJsonObject(settings)) return '"settings" must be an object.';
  const setting = Object.keys(settings).find((name) => !isText(settings[name]));
  if (setting !== undefined) return `the setting "${setting}" must be a string.`;
  if (!isJsonObject(identities)) return '"identities" must be an object.';
  const address = Object.keys(identities).find(
    (url) => readEntry(identities[url], url) === undefined,
  );
  if (address !== undefined) return `the identity at "${address}" is incomplete.`;
  if (!Array.isArray(setAside)) return '"setAside" must be a list.';
  const isComplete = setAside.every((value: unknown) => readEntry(value) !== undefined);
  return isComplete ? undefined : 'an identity in "setAside" is incomplete.';
}

/** Reads one entry; undefined for a value of another shape. */
function readEntry(value: unknown, address?: string): IdentityEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { deviceId, importerToken, deviceName, instance, isRefused, registeredAt } = value;
  const relayUrl = address ?? value["relay"];
  const madeBecause = REASONS.find((reason) => reason === value["madeBecause"]);
  if (!isText(relayUrl) || !isText(deviceId) || !isText(importerToken) || !isText(deviceName)) {
    return undefined;
  }
  if (instance !== undefined && !isText(instance)) return undefined;
  return {
    relayUrl,
    deviceId,
    importerToken,
    deviceName,
    ...(instance !== undefined && { instance }),
    ...(isRefused === true && { isRefused }),
    ...(madeBecause !== undefined && { madeBecause }),
    ...(isText(registeredAt) && { registeredAt }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
