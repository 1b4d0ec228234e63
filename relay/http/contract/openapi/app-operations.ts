import {
  CLAIM_REPEAT_SECONDS,
  CONSENT_WAIT_SECONDS,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PAGE_PACKAGES,
  MAX_TITLE_LENGTH,
  MAX_WAIT_SECONDS,
  RELAY_DEFAULTS,
} from "../../../../core/limits.ts";
import { formatLimitSpan } from "../../../../core/text/format-limit.ts";
import { FIELDS } from "../../../../core/manifest/fields.ts";
import { LENIENT_MANIFEST, MANIFEST_SCHEMA } from "../../../../core/manifest/schema.ts";
import {
  ANNOUNCE_ANSWER,
  CLAIM_ANSWER,
  CLAIM_REQUEST,
  ME_ANSWER,
  OWN_PACKAGES_ANSWER,
  STATUS_ANSWER,
} from "../../../../core/protocol/schemas/app-schemas.ts";
import { NOTHING } from "../../../../core/protocol/schemas/common-schemas.ts";
import { PACKAGE_STATUSES } from "../../../../core/protocol/package-status.ts";
import type { RefusalCode } from "../../../../core/protocol/refusals.ts";
import { header, query, type Operation } from "./operation.ts";
import * as sample from "./samples.ts";

// The app's calls, described.

const IDEMPOTENCY_KEY = {
  type: "string",
  minLength: 1,
  maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
} as const;

export const claim: Operation = {
  id: "claimPairing",
  tag: "Pairing",
  summary: "Trade a pairing code for an app token",
  description:
    `The importer shows the code. It works once, for ${formatLimitSpan(RELAY_DEFAULTS.pairingCodeTtlSeconds)} unless the relay is set otherwise. Wrong tries are limited: ` +
    `${RELAY_DEFAULTS.pairingTriesPerMinute} a minute and ${RELAY_DEFAULTS.pairingTriesPerHour} an hour per address, ${RELAY_DEFAULTS.pairingTriesOfAll} an hour for all together. After that the answer takes up to ${CONSENT_WAIT_SECONDS} seconds, and a right code pairs once the user allows it on the computer. Pairing the same \`app_id\` with the same computer again adds a token; earlier ones stay valid.`,
  parameters: [
    header(
      "Idempotency-Key",
      `A random text, new for each code. If no answer arrives, send the same again within ${formatLimitSpan(CLAIM_REPEAT_SECONDS)}: the code that this app has used gives it a new token in place of the lost one.`,
      IDEMPOTENCY_KEY,
    ),
  ],
  body: { kind: "json", schema: CLAIM_REQUEST, isRequired: true, example: sample.CLAIM },
  answers: {
    200: { description: "Paired.", schema: CLAIM_ANSWER, example: sample.CLAIMED },
  },
  refusals: [
    "CLAIM_INCOMPLETE",
    "APP_ID_TOO_LONG",
    "IDEMPOTENCY_KEY_WRONG",
    "CODE_UNKNOWN",
    "TRIES_TOO_MANY",
    "CLAIMS_OFF",
  ],
  stores: "writes",
};

export const me: Operation = {
  id: "readPairing",
  tag: "Pairing",
  summary: "Get the paired computer, and what there is room for",
  description:
    "`room` is advice, and may be a minute old: nothing is reserved, and only the announcement is judged.",
  answers: { 200: { description: "The pairing.", schema: ME_ANSWER, example: sample.ME } },
  stores: "reads",
};

export const unpair: Operation = {
  id: "unpair",
  tag: "Pairing",
  summary: "Revoke the token of this call",
  description:
    "A body is ignored. Revoking an app's last token drops what it was uploading; packages that are already waiting can be imported until they expire.",
  answers: { 200: { description: "The token is revoked.", schema: NOTHING, example: {} } },
  stores: "writes",
};

export const announce: Operation = {
  id: "announcePackage",
  tag: "Packages",
  summary: "Announce a package",
  description:
    "The body is the manifest. Send what the schema `Manifest` describes. The relay is more lenient (`LenientManifest`): names are " +
    `cleaned, the title is cut at ${MAX_TITLE_LENGTH} characters, other names at ${MAX_NAME_LENGTH}, and unknown properties, kinds, roles and values are ignored, each with a ` +
    "warning in the answer.\n\n" +
    "Room is reserved now: a 507 comes here and not in the middle of an upload, as long as bytes arrive every " +
    `${formatLimitSpan(RELAY_DEFAULTS.roomHoldSeconds)} and the relay's disk isn't full. ` +
    `Upload and commit the files within ${formatLimitSpan(RELAY_DEFAULTS.uploadWindowSeconds)}. ` +
    `${RELAY_DEFAULTS.packagesPerHour} packages an hour per app; the window slides.\n\n` +
    "Every 422 lists all that is wrong in `problems`, each with the sound and the field that it is about.",
  parameters: [
    header(
      "Idempotency-Key",
      "Makes it safe to send this again: the same key with the same bytes gets the same answer and creates nothing.",
      IDEMPOTENCY_KEY,
    ),
  ],
  body: {
    kind: "json",
    schema: { anyOf: [MANIFEST_SCHEMA, LENIENT_MANIFEST] },
    isRequired: true,
    example: sample.MANIFEST,
  },
  answers: {
    201: {
      description: "The package accepts its files now.",
      schema: ANNOUNCE_ANSWER,
      example: sample.ANNOUNCED,
    },
  },
  refusals: [
    ...manifestRefusals(),
    "IDEMPOTENCY_KEY_WRONG",
    "IDEMPOTENCY_KEY_REUSED",
    "SOUND_DENIED",
    "ANNOUNCEMENTS_OFF",
    "PACKAGES_TOO_MANY",
    "ADDRESS_BYTES_TOO_MANY",
    "MANY_WAIT",
    "DEVICE_FULL",
    "UPLOADS_UNFINISHED",
  ],
  listsProblems: true,
  stores: "writes",
};

export const list: Operation = {
  id: "listOwnPackages",
  tag: "Packages",
  summary: "List your app's packages",
  description:
    `What this app sent to this computer, newest first, at most ${MAX_PAGE_PACKAGES} a page, as long as a status is readable. ` +
    "A page may have fewer, even none, of the statuses that you ask for: go on while `next` is not null.",
  parameters: [
    query("status", "Only these, with commas between: `waiting,imported`. Default: all."),
    query("after", "`next` of the page before."),
  ],
  answers: {
    200: { description: "A page.", schema: OWN_PACKAGES_ANSWER, example: sample.OWN_PACKAGES },
  },
  refusals: ["STATUS_WRONG", "CURSOR_WRONG"],
  stores: "reads",
};

export const commit: Operation = {
  id: "commitPackage",
  tag: "Packages",
  summary: "Commit a package: every file is uploaded",
  description:
    "From now on the importer sees the package. A body is ignored. Repeating the call is safe and changes nothing.",
  answers: {
    200: {
      description: "It is waiting for Import.",
      schema: STATUS_ANSWER,
      example: sample.WAITING,
    },
  },
  refusals: ["PACKAGE_UNKNOWN", "SOUND_DENIED", "FILES_MISSING", "PACKAGE_EXPIRED"],
  stores: "writes",
};

export const status: Operation = {
  id: "readStatus",
  tag: "Packages",
  summary: "Follow a package",
  description:
    "Ask every few seconds, or let the relay hold the answer until something changes: with `wait` it answers at once if the status is not " +
    "`known` or is neither `uploading` nor `waiting`, otherwise when it changes or after that many seconds. It counts as one call. " +
    "After Import, `results` has the result of each sound. A status is readable for " +
    `${formatLimitSpan(RELAY_DEFAULTS.statusWindowSeconds)} after the files are gone.`,
  parameters: [
    query("wait", `Seconds, clamped to 0–${MAX_WAIT_SECONDS}; what is no number is 0.`, {
      type: "number",
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: 0,
    }),
    query("known", "The status that you know; default: the status at the time of the call.", {
      type: "string",
      enum: PACKAGE_STATUSES,
    }),
  ],
  answers: {
    200: { description: "The package now.", schema: STATUS_ANSWER, example: sample.IMPORTED },
  },
  refusals: ["PACKAGE_UNKNOWN"],
  stores: "reads",
};

export const withdrawPackage: Operation = {
  // Generated clients name their functions after it, so it keeps its first name.
  id: "takeBackPackage",
  tag: "Packages",
  summary: "Withdraw a package",
  description:
    "Possible until it is in the host, but not while an importer holds it or once it is `imported` or `partial`. After that every call on it is 404.",
  answers: { 200: { description: "It is withdrawn.", schema: NOTHING, example: {} } },
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
