import { isJsonObject } from "../../../../core/text/json-object.ts";
import type { Answered, Asked, Break } from "./breaking-proxy.ts";

/** True for a call with this method and a path, without its query, like this. */
export function is(asked: Asked, method: string, path: RegExp): boolean {
  return asked.method === method && path.test(asked.path.split("?")[0] ?? "");
}

export const CLAIM = /^\/pair\/claim$/;
export const CODE = /^\/importer\/pairing-code$/;
export const APPS = /^\/importer\/apps$/;
export const UNPAIR = /^\/app\/unpair$/;
export const ME = /^\/app\/me$/;
export const IMPORTER_LIST = /^\/importer\/packages$/;
export const ANNOUNCE = /^\/packages$/;
export const FILE = /^\/packages\/[^/]+\/files\//;
export const COMMIT = /^\/packages\/[^/]+\/commit$/;
export const STATUS = /^\/packages\/[^/]+\/status$/;
export const PACKAGE = /^\/packages\/[^/]+$/;
export const TAKE = /^\/importer\/packages\/[^/]+\/take$/;
export const DOWNLOAD = /^\/importer\/packages\/[^/]+\/files\//;
export const RESULTS = /^\/importer\/packages\/[^/]+\/results$/;

/** Calls that carry no sound: `seesBody` of a fault that must pass an upload on as it comes. */
export const NO_SOUND = /^(?!.*\/files\/)/;

/** The headers of an importer's answer that is right but for its fault. */
export const IMPORTER_HEADERS = {
  "soundferry-relay": "1",
  "x-request-id": "1",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** The headers of an app's. */
export const HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id, Soundferry-Relay, " +
    "Upload-Offset, Upload-Complete, Upload-Limit, Upload-Length",
  ...IMPORTER_HEADERS,
};

/** An answer in place of the relay's. */
export function instead(status: number, json: unknown): Answered {
  return { status, headers: { ...HEADERS, "content-type": "application/json" }, json };
}

/** A refusal in place of the relay's answer. */
export function refusal(status: number, code: string, error = "No."): Answered {
  return instead(status, { error, code });
}

export function becomes(answered: Answered, status: number, json: unknown): void {
  answered.status = status;
  answered.json = json;
}

/** Turns a refusal into a success. */
export function forgive(code: string, json: unknown = {}): NonNullable<Break["answer"]> {
  return (answered) => {
    if (isJsonObject(answered.json) && answered.json["code"] === code) becomes(answered, 200, json);
  };
}

/** Turns a refused announcement into a package. */
export function forgiveAnnouncement(code: string): NonNullable<Break["answer"]> {
  return (answered) => {
    if (isJsonObject(answered.json) && answered.json["code"] === code) {
      becomes(answered, 201, inventedPackage());
    }
  };
}

/** Changes JSON on its way to the relay; what stays the same is passed on byte for byte. */
export function resend(asked: Asked, change: (sent: NonNullable<Asked["sent"]>) => void): void {
  const before = JSON.stringify(asked.sent);
  change(asked.sent);
  const after = JSON.stringify(asked.sent);
  if (after !== before) asked.body = Buffer.from(after);
}

/** An announcement's answer for a package that doesn't exist. */
export function inventedPackage(): object {
  const end = { expires_at: new Date().toISOString(), expires_in: 60 };
  return { package_id: `pkg_${"A".repeat(22)}`, upload: {}, warnings: [], ...end };
}
