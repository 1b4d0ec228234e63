import { isJsonObject } from "../text/json-object.ts";
import type { AnnouncedManifest } from "../manifest/manifest.ts";
import { MAX_SOUNDS } from "../limits.ts";
import { isRelayPackageId } from "../protocol/package-id.ts";
import { PACKAGE_STATUSES, type PackageStatus } from "../protocol/package-status.ts";
import { parsePairingCode } from "../protocol/pairing-code.ts";
import { isSoundResult } from "../protocol/schemas/validate.generated.js";
import type {
  AppsAnswer,
  HelloAnswer,
  ImportablePackage,
  PairedApp,
  PairingCodeAnswer,
  PairingRequestAnswer,
  RegisterAnswer,
  ReportAnswer,
  SocketMessage,
  TakeAnswer,
} from "../protocol/importer-api.ts";
import { parseJson } from "../text/parse-json.ts";

// Validators of a relay's answers: each checks the members that the importer uses, and allows others. A relay may be
// broken or hostile (rule I7): no text, number or list is longer than a real relay's.

/** Longest title, name or time. */
const MAX_TEXT_UNITS = 200;
/** Number of apps; a person has a few. */
const MAX_APPS = 1000;
const MAX_PATH_UNITS = 2000;
const MAX_CURSOR_UNITS = 1000;
const MAX_VERSIONS = 100;
/** Longest span of time: ten years. */
const MAX_SECONDS = 10 * 366 * 24 * 3600;
/** The characters of an id or a token, which are sent in a header. */
const CREDENTIAL = /^[\x21-\x7e]{1,500}$/;
/** A path that leads nowhere but to the relay: without a host, a backslash or a character that HTTP can't send. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

export function isHello(body: unknown): body is HelloAnswer {
  return (
    isJsonObject(body) &&
    body["service"] === "soundferry" &&
    isListOf(body["importer_api"], MAX_VERSIONS, Number.isSafeInteger) &&
    (body["instance"] === undefined || isText(body["instance"]))
  );
}

export function isRegistered(body: unknown): body is RegisterAnswer {
  return (
    hasTexts(body, "device_id", "importer_token") &&
    CREDENTIAL.test(String(body["device_id"])) &&
    CREDENTIAL.test(String(body["importer_token"]))
  );
}

export function isRenamed(body: unknown): body is { readonly device_name: string } {
  return hasShortTexts(body, "device_name");
}

export function isPairingCode(body: unknown): body is PairingCodeAnswer {
  return (
    hasShortTexts(body, "code", "expires_at") &&
    parsePairingCode(String(body["code"])) === body["code"] &&
    isSpan(body["expires_in"])
  );
}

export function isPairingRequest(body: unknown): body is PairingRequestAnswer {
  if (!isJsonObject(body)) return false;
  const { request, ended } = body;
  const isKnown = ended === undefined || ended === "second-address";
  const isRequest =
    hasShortTexts(request, "request_id", "app_name", "network") && isSpan(request["expires_in"]);
  return isKnown && (request === null || isRequest);
}

export function isApps(body: unknown): body is AppsAnswer {
  return isJsonObject(body) && isListOf(body["apps"], MAX_APPS, isPairedApp);
}

/** A page of a relay's packages, of which any can be unusable. */
export interface PackagesPage {
  readonly packages: readonly unknown[];
  readonly next?: string | null | undefined;
}

export function isPackagesPage(body: unknown): body is PackagesPage {
  if (!isJsonObject(body) || !Array.isArray(body["packages"])) return false;
  const { next } = body;
  return next === undefined || next === null || isText(next, MAX_CURSOR_UNITS);
}

export function isTaken(body: unknown): body is TakeAnswer {
  return hasShortTexts(body, "expires_at") && isSpan(body["expires_in"]);
}

export function isReported(body: unknown): body is ReportAnswer {
  return isJsonObject(body) && isStatus(body["status"]);
}

/** Parses a socket message; returns undefined for an unknown one. */
export function parseSocketMessage(text: string): SocketMessage | undefined {
  const message = parseJson(text);
  if (!isJsonObject(message)) return undefined;
  const { type, app_name } = message;
  if (type === "packages.changed" || type === "apps.changed" || type === "pairing.asked") {
    return { type };
  }
  if (type === "code.used" && isText(app_name)) return { type, app_name };
  return undefined;
}

function isPairedApp(value: unknown): value is PairedApp {
  return (
    hasShortTexts(value, "pairing_id", "app_name", "paired_at", "last_seen_at") &&
    typeof value["waiting_packages"] === "number"
  );
}

export function isImportable(value: unknown): value is ImportablePackage {
  return (
    isRelayPackageId(isJsonObject(value) ? value["package_id"] : undefined) &&
    hasShortTexts(value, "app_name", "created_at", "committed_at", "expires_at") &&
    isStatus(value["status"]) &&
    typeof value["taken"] === "boolean" &&
    ["number", "undefined"].includes(typeof value["version"]) &&
    isSpan(value["expires_in"]) &&
    isManifest(value["manifest"]) &&
    isJsonObject(value["files"]) &&
    Object.values(value["files"]).every(isOwnPath) &&
    (value["results"] === undefined || isResults(value["results"]))
  );
}

function isManifest(value: unknown): value is AnnouncedManifest {
  return (
    hasShortTexts(value, "schema", "package_id", "title") &&
    hasShortTexts(value["source"], "app") &&
    isListOf(value["items"], MAX_SOUNDS, (sound) =>
      hasShortTexts(sound, "file", "id", "name", "kind", "sha256"),
    )
  );
}

function isStatus(value: unknown): value is PackageStatus {
  return PACKAGE_STATUSES.some((status) => status === value);
}

/** Checks that a value is an object whose named members are all strings. */
export function hasTexts(
  value: unknown,
  ...names: string[]
): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && names.every((name) => typeof value[name] === "string");
}

function hasShortTexts(
  value: unknown,
  ...names: string[]
): value is Readonly<Record<string, unknown>> {
  return hasTexts(value, ...names) && names.every((name) => isText(value[name]));
}

function isText(value: unknown, maxUnits = MAX_TEXT_UNITS): value is string {
  return typeof value === "string" && value.length <= maxUnits;
}

/** Checks a number of seconds: a timer or a clock is set by it. */
function isSpan(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= MAX_SECONDS;
}

function isResults(value: unknown): boolean {
  const results = isJsonObject(value) ? Object.values(value) : undefined;
  return results !== undefined && results.length <= MAX_SOUNDS && results.every(isSoundResult);
}

function isOwnPath(value: unknown): boolean {
  return isText(value, MAX_PATH_UNITS) && OWN_PATH.test(value);
}

function isListOf(
  value: unknown,
  maxLength: number,
  isEntry: (entry: unknown) => boolean,
): boolean {
  return (
    Array.isArray(value) &&
    value.length <= maxLength &&
    value.every((entry: unknown) => isEntry(entry))
  );
}
