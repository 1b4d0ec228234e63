import { isJsonObject } from "../../core/text/json-object.ts";
import type { AnnouncedManifest } from "../../core/manifest/manifest.ts";
import { PACKAGE_STATUSES, type PackageStatus } from "../../core/protocol/package-status.ts";
import type {
  AppsAnswer,
  HelloAnswer,
  ImportablePackage,
  PackagesAnswer,
  PairedApp,
  PairingCodeAnswer,
  PairingRequestAnswer,
  RegisterAnswer,
  ReportAnswer,
  SocketMessage,
  TakeAnswer,
} from "../../core/protocol/importer-api.ts";
import { parseJson } from "../../core/text/parse-json.ts";

// Validators of a relay's answers: each checks the members that the importer uses, and allows others.

export function isHello(body: unknown): body is HelloAnswer {
  return (
    isJsonObject(body) &&
    body["service"] === "soundferry" &&
    isListOf(body["importer_api"], (version) => typeof version === "number") &&
    ["string", "undefined"].includes(typeof body["instance"])
  );
}

export function isRegistered(body: unknown): body is RegisterAnswer {
  return hasTexts(body, "device_id", "importer_token");
}

export function isRenamed(body: unknown): body is { readonly device_name: string } {
  return hasTexts(body, "device_name");
}

export function isPairingCode(body: unknown): body is PairingCodeAnswer {
  return hasTexts(body, "code", "expires_at") && typeof body["expires_in"] === "number";
}

export function isPairingRequest(body: unknown): body is PairingRequestAnswer {
  if (!isJsonObject(body)) return false;
  const { request, ended } = body;
  const isKnown = ended === undefined || ended === "second-address";
  const isRequest =
    hasTexts(request, "request_id", "app_name", "network") &&
    typeof request["expires_in"] === "number";
  return isKnown && (request === null || isRequest);
}

export function isApps(body: unknown): body is AppsAnswer {
  return isJsonObject(body) && isListOf(body["apps"], isPairedApp);
}

export function isPackages(body: unknown): body is PackagesAnswer {
  return (
    isJsonObject(body) &&
    isListOf(body["packages"], isImportable) &&
    (["string", "undefined"].includes(typeof body["next"]) || body["next"] === null)
  );
}

export function isTaken(body: unknown): body is TakeAnswer {
  return hasTexts(body, "expires_at") && typeof body["expires_in"] === "number";
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
  if (type === "code.used" && typeof app_name === "string") return { type, app_name };
  return undefined;
}

function isPairedApp(value: unknown): value is PairedApp {
  return (
    hasTexts(value, "pairing_id", "app_name", "paired_at", "last_seen_at") &&
    typeof value["waiting_packages"] === "number"
  );
}

export function isImportable(value: unknown): value is ImportablePackage {
  return (
    hasTexts(value, "package_id", "app_name", "created_at", "committed_at", "expires_at") &&
    isStatus(value["status"]) &&
    typeof value["taken"] === "boolean" &&
    ["number", "undefined"].includes(typeof value["version"]) &&
    typeof value["expires_in"] === "number" &&
    isManifest(value["manifest"]) &&
    isJsonObject(value["files"]) &&
    Object.values(value["files"]).every((path) => typeof path === "string" && path.startsWith("/"))
  );
}

function isManifest(value: unknown): value is AnnouncedManifest {
  return (
    hasTexts(value, "schema", "package_id", "title") &&
    hasTexts(value["source"], "app") &&
    isListOf(value["items"], (sound) => hasTexts(sound, "file", "id", "name", "kind", "sha256"))
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

function isListOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((entry: unknown) => isEntry(entry));
}
