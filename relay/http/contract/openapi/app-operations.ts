import { FIELDS } from "../../../../core/manifest/fields.ts";
import { MANIFEST_SCHEMA } from "../../../../core/manifest/schema.ts";
import {
  ANNOUNCE_ANSWER,
  CLAIM_ANSWER,
  CLAIM_REQUEST,
  ME_ANSWER,
  STATUS_ANSWER,
  UPLOAD_ANSWER,
} from "../../../../core/protocol/schemas/app-schemas.ts";
import { NOTHING } from "../../../../core/protocol/schemas/common-schemas.ts";
import { LENIENT_MANIFEST } from "../../../../core/protocol/schemas/manifest-schemas.ts";
import { PACKAGE_STATUSES } from "../../../../core/protocol/package-status.ts";
import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import type { Operation } from "./operation.ts";
import * as sample from "./samples.ts";

// The app's calls, described.

export const claim: Operation = {
  id: "claimPairing",
  tag: "Pairing",
  summary: "Trade a pairing code for an app token",
  description:
    "The importer shows the code. It works once, for ten minutes unless the relay is set otherwise. Every try counts, right or wrong: " +
    "10 a minute per address. Pairing the same `app_id` with the same computer again adds a token; earlier ones stay valid.",
  body: { kind: "json", schema: CLAIM_REQUEST, isRequired: true, example: sample.CLAIM },
  answers: {
    200: { description: "Paired.", schema: CLAIM_ANSWER, example: sample.CLAIMED },
  },
  refusals: ["CLAIM_INCOMPLETE", "APP_ID_TOO_LONG", "CODE_UNKNOWN", "TRIES_TOO_MANY"],
  stores: "writes",
};

export const me: Operation = {
  id: "readPairing",
  tag: "Pairing",
  summary: "Ask which computer the app is paired with",
  answers: { 200: { description: "The pairing.", schema: ME_ANSWER, example: sample.ME } },
  stores: "reads",
};

export const unpair: Operation = {
  id: "unpair",
  tag: "Pairing",
  summary: "Give back the token of this call",
  description:
    "A body is ignored. With an app's last token goes what it was uploading; what already waits stays importable until its time is up.",
  answers: { 200: { description: "The token is revoked.", schema: NOTHING, example: {} } },
  stores: "writes",
};

export const announce: Operation = {
  id: "announcePackage",
  tag: "Packages",
  summary: "Announce a package",
  description:
    "The body is the manifest. Send what the schema `Manifest` describes. The relay is more lenient (`LenientManifest`): names are " +
    "cleaned, the title is cut at 60 characters, other names at 40, and unknown properties, kinds, roles and values are ignored, each with a " +
    "warning in the answer.\n\n" +
    "Room is reserved now: 507 comes here and not in the middle of an upload. The files are to be uploaded and committed within an hour. " +
    "30 packages an hour per app; the window slides.",
  parameters: [
    {
      in: "header",
      name: "Idempotency-Key",
      description:
        "Makes it safe to send this again: the same key with the same bytes gets the same answer and creates nothing.",
      schema: { type: "string", minLength: 1, maxLength: 200 },
    },
  ],
  body: {
    kind: "json",
    schema: { anyOf: [MANIFEST_SCHEMA, LENIENT_MANIFEST] },
    isRequired: true,
    example: sample.MANIFEST,
  },
  answers: {
    201: {
      description: "The package takes its files now.",
      schema: ANNOUNCE_ANSWER,
      example: sample.ANNOUNCED,
    },
  },
  refusals: [
    ...manifestRefusals(),
    "IDEMPOTENCY_KEY_WRONG",
    "IDEMPOTENCY_KEY_REUSED",
    "PACKAGES_TOO_MANY",
    "ADDRESS_BYTES_TOO_MANY",
    "MANY_WAIT",
    "DEVICE_FULL",
  ],
  stores: "writes",
};

export const upload: Operation = {
  id: "uploadFile",
  tag: "Packages",
  summary: "Upload one WAV",
  description:
    "Use the path from `upload` of the announcement as it is. Size, SHA-256 and WAV header are checked on the way; the first fault decides " +
    "and nothing is kept. While the package is `uploading` a file can be sent again and replaces the one before; a replacement that fails " +
    "leaves the good one.\n\n" +
    "WAV as PCM with 8, 16, 24 or 32 bits or as 32-bit float, mono or stereo, up to 192 kHz. Four uploads at once per computer.",
  body: { kind: "wav" },
  answers: {
    200: { description: "The file is kept.", schema: UPLOAD_ANSWER, example: sample.UPLOADED },
  },
  refusals: [
    "PACKAGE_UNKNOWN",
    "FILE_UNKNOWN",
    "UPLOAD_STALLED",
    "NOT_UPLOADING",
    "PACKAGE_EXPIRED",
    "SIZE_DIFFERS",
    "CHECKSUM_DIFFERS",
    ...wavRefusals(),
    "UPLOADS_TOO_MANY",
  ],
  stores: "writes",
};

export const commit: Operation = {
  id: "commitPackage",
  tag: "Packages",
  summary: "Say that every file is there",
  description:
    "From now on the importer sees the package. A body is ignored. Repeating it changes nothing, so it is safe to do so.",
  answers: {
    200: { description: "It waits for Import.", schema: STATUS_ANSWER, example: sample.WAITING },
  },
  refusals: ["PACKAGE_UNKNOWN", "FILES_MISSING", "PACKAGE_EXPIRED"],
  stores: "writes",
};

export const status: Operation = {
  id: "readStatus",
  tag: "Packages",
  summary: "Follow a package",
  description:
    "Ask every few seconds, or let the relay hold the answer until something changes: with `wait` it comes at once when the status is not " +
    "`known` or is neither `uploading` nor `waiting`, else as soon as it changes or after so many seconds. It counts as one call. " +
    "After Import `results` has what became of each sound. A status is readable for 7 days after the files are gone.",
  parameters: [
    {
      in: "query",
      name: "wait",
      description: "Seconds, clamped to 0–30; what is no number is 0.",
      schema: { type: "number", minimum: 0, maximum: 30, default: 0 },
    },
    {
      in: "query",
      name: "known",
      description: "The status that you know; left out, the one at the time of the call.",
      schema: { type: "string", enum: PACKAGE_STATUSES },
    },
  ],
  answers: {
    200: { description: "The package now.", schema: STATUS_ANSWER, example: sample.IMPORTED },
  },
  refusals: ["PACKAGE_UNKNOWN"],
  stores: "reads",
};

export const withdrawPackage: Operation = {
  id: "withdrawPackage",
  tag: "Packages",
  summary: "Take a package back",
  description:
    "Until it is in the host: afterwards every call on it is 404. Not while an importer holds it, and not once it is `imported` or `partial`.",
  answers: { 200: { description: "It is gone.", schema: NOTHING, example: {} } },
  refusals: ["PACKAGE_UNKNOWN", "PACKAGE_TAKEN", "PACKAGE_IMPORTED"],
  stores: "writes",
};

/** The refusals of the table of fields, in its order. */
function manifestRefusals(): RefusalCode[] {
  const codes = Object.values(FIELDS)
    .flatMap((group) => Object.values(group))
    .flatMap(({ remedy }) => (remedy.kind === "refuse" ? remedy.codes : []));
  return ["MANIFEST_NOT_OBJECT", ...codes];
}

function wavRefusals(): RefusalCode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the codes
  const codes = Object.keys(REFUSALS) as RefusalCode[];
  return codes.filter((code) => code.startsWith("WAV_"));
}
