import { PACKAGE_ID } from "../package-id.ts";
import type {
  AnnounceAnswer,
  ClaimAnswer,
  ClaimRequest,
  MeAnswer,
  OwnPackage,
  OwnPackagesAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../public-api.ts";
import {
  MAX_APP_ID_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PAGE_PACKAGES,
  MAX_WARNINGS,
} from "../../limits.ts";
import { PACKAGE_STATUS, SECONDS, SHA256, SOUND_RESULTS, TIME, WARNING } from "./common-schemas.ts";
import type { Agree, Schema } from "./schema.ts";

// The bodies of the public API. The relay validates requests with these schemas.

/** Body of `POST /pair/claim`. */
export const CLAIM_REQUEST = {
  type: "object",
  properties: {
    code: {
      description:
        "The six symbols that the importer shows. Case, spaces and hyphens do not matter.",
      type: "string",
      minLength: 1,
    },
    app_name: {
      description: `Shown to the user; cleaned, and cut to ${MAX_NAME_LENGTH} characters.`,
      type: "string",
      minLength: 1,
    },
    app_id: {
      description: "The app's own id for this installation: packages and limits belong to it.",
      type: "string",
      minLength: 1,
      maxLength: MAX_APP_ID_LENGTH,
    },
  },
  required: ["code", "app_name", "app_id"],
} as const satisfies Schema;

/** Answer of `POST /pair/claim`. */
export const CLAIM_ANSWER = {
  type: "object",
  properties: {
    app_token: {
      description: "A secret: keep it like a password.",
      type: "string",
      pattern: "^sfa_[A-Za-z0-9_-]+$",
    },
    device_name: { description: "The computer that the app is paired with.", type: "string" },
  },
  required: ["app_token", "device_name"],
} as const satisfies Schema;

/** Answer of `GET /app/me`. */
export const ME_ANSWER = {
  type: "object",
  properties: {
    device_name: { type: "string" },
    app_name: { description: "As cleaned when pairing.", type: "string" },
    paired_at: TIME,
    room: {
      description: "What an announcement would have room for now. Advice: nothing is reserved.",
      type: "object",
      properties: {
        bytes_left: { description: "Of one package.", type: "integer", minimum: 0 },
        waiting_left: {
          description: "How many more packages of this app may wait for Import.",
          type: "integer",
          minimum: 0,
        },
        package_bytes_max: {
          description: "The most that any package may have.",
          type: "integer",
          minimum: 1,
        },
      },
      required: ["bytes_left", "waiting_left", "package_bytes_max"],
    },
  },
  required: ["device_name", "app_name", "paired_at", "room"],
} as const satisfies Schema;

/** Answer of `POST /packages`. */
export const ANNOUNCE_ANSWER = {
  type: "object",
  properties: {
    package_id: { type: "string", pattern: `^${PACKAGE_ID}$` },
    upload: {
      description:
        "For each file the path to upload it to: percent-encoded, relative to the base address; use it as it is.",
      type: "object",
      additionalProperties: { type: "string" },
    },
    warnings: {
      description: "What was repaired in the manifest.",
      type: "array",
      maxItems: MAX_WARNINGS,
      items: WARNING,
    },
    expires_at: TIME,
    expires_in: SECONDS,
  },
  required: ["package_id", "upload", "warnings", "expires_at", "expires_in"],
} as const satisfies Schema;

/** Answer of `PUT /packages/{id}/files/{file}`. */
export const UPLOAD_ANSWER = {
  type: "object",
  properties: { file: { type: "string" }, bytes: { type: "integer", minimum: 1 }, sha256: SHA256 },
  required: ["file", "bytes", "sha256"],
} as const satisfies Schema;

/** Members of a package in both a status and a list. */
const OWN_MEMBERS = {
  package_id: { type: "string" },
  title: { type: "string" },
  status: PACKAGE_STATUS,
  taken: { description: "True while an import runs; missing otherwise.", type: "boolean" },
  created_at: TIME,
  expires_at: {
    ...TIME,
    description: "The end of its upload window, then of its wait; null once expired.",
    type: ["string", "null"],
  },
  expires_in: { ...SECONDS, type: ["integer", "null"] },
} as const satisfies Schema["properties"];

const OWN_REQUIRED = [
  "package_id",
  "title",
  "status",
  "created_at",
  "expires_at",
  "expires_in",
] as const;

/** Answer of a commit and of `GET /packages/{id}/status`. */
export const STATUS_ANSWER = {
  type: "object",
  properties: {
    ...OWN_MEMBERS,
    files: {
      type: "object",
      additionalProperties: { type: "string", enum: ["missing", "uploaded"] },
    },
    results: SOUND_RESULTS,
  },
  required: [...OWN_REQUIRED, "files"],
} as const satisfies Schema;

/** A package in the answer of `GET /packages`. */
export const OWN_PACKAGE = {
  type: "object",
  properties: OWN_MEMBERS,
  required: OWN_REQUIRED,
} as const satisfies Schema;

/** Answer of `GET /packages`. */
export const OWN_PACKAGES_ANSWER = {
  type: "object",
  properties: {
    packages: {
      description: "Newest first.",
      type: "array",
      maxItems: MAX_PAGE_PACKAGES,
      items: OWN_PACKAGE,
    },
    next: {
      description: "`after` of the next page; null after the last.",
      type: ["string", "null"],
    },
  },
  required: ["packages", "next"],
} as const satisfies Schema;

// Compile errors if a type and its schema differ.
true satisfies Agree<ClaimRequest, typeof CLAIM_REQUEST>;
true satisfies Agree<ClaimAnswer, typeof CLAIM_ANSWER>;
true satisfies Agree<MeAnswer, typeof ME_ANSWER>;
true satisfies Agree<AnnounceAnswer, typeof ANNOUNCE_ANSWER>;
true satisfies Agree<UploadAnswer, typeof UPLOAD_ANSWER>;
true satisfies Agree<StatusAnswer, typeof STATUS_ANSWER>;
true satisfies Agree<OwnPackage, typeof OWN_PACKAGE>;
true satisfies Agree<OwnPackagesAnswer, typeof OWN_PACKAGES_ANSWER>;
