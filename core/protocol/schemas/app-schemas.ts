import type {
  AnnounceAnswer,
  ClaimAnswer,
  ClaimRequest,
  MeAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../public-api.ts";
import { MAX_APP_ID_LENGTH, MAX_NAME_LENGTH, MAX_WARNINGS } from "../../limits.ts";
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
  },
  required: ["device_name", "app_name", "paired_at"],
} as const satisfies Schema;

/** Answer of `POST /packages`. */
export const ANNOUNCE_ANSWER = {
  type: "object",
  properties: {
    package_id: { type: "string", pattern: "^pkg_[A-Za-z0-9_-]{22}$" },
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

/** Answer of a commit and of `GET /packages/{id}/status`. */
export const STATUS_ANSWER = {
  type: "object",
  properties: {
    package_id: { type: "string" },
    title: { type: "string" },
    status: PACKAGE_STATUS,
    created_at: TIME,
    expires_at: {
      ...TIME,
      description: "The end of its upload window, then of its wait; null once expired.",
      type: ["string", "null"],
    },
    expires_in: { ...SECONDS, type: ["integer", "null"] },
    files: {
      type: "object",
      additionalProperties: { type: "string", enum: ["missing", "uploaded"] },
    },
    results: SOUND_RESULTS,
  },
  required: ["package_id", "title", "status", "created_at", "expires_at", "expires_in", "files"],
} as const satisfies Schema;

// Compile errors if a type and its schema differ.
true satisfies Agree<ClaimRequest, typeof CLAIM_REQUEST>;
true satisfies Agree<ClaimAnswer, typeof CLAIM_ANSWER>;
true satisfies Agree<MeAnswer, typeof ME_ANSWER>;
true satisfies Agree<AnnounceAnswer, typeof ANNOUNCE_ANSWER>;
true satisfies Agree<UploadAnswer, typeof UPLOAD_ANSWER>;
true satisfies Agree<StatusAnswer, typeof STATUS_ANSWER>;
