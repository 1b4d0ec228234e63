import { MAX_ID_LENGTH, MAX_TITLE_LENGTH } from "../../limits.ts";
import { PACKAGE_STATUS, SECONDS, SOUND_RESULT, SOUND_RESULTS, TIME } from "./common-schemas.ts";
import { CLEANED_MANIFEST } from "../../manifest/schema.ts";
import { THIS_COMPUTER } from "../judge-host.ts";
import type { DescribedSchema, Schema } from "./schema.ts";

// The bodies of the importer's API. The relay validates requests with these schemas; `importer-api.ts` has their types.

/** Answer of `GET /importer/hello`. */
export const HELLO_ANSWER = {
  type: "object",
  properties: {
    service: { type: "string", const: "soundferry" },
    version: { type: "string" },
    importer_api: {
      description: "The supported versions of this API.",
      type: "array",
      items: { type: "integer" },
    },
    now: TIME,
    instance: {
      description:
        "The relay's id, for as long as it keeps its data. Missing if its stores can't remember it.",
      type: "string",
    },
  },
  required: ["service", "version", "importer_api", "now"],
} as const satisfies Schema;

/** Body of a registration and of a rename. Anything but an object counts as empty. */
export const DEVICE_NAME_REQUEST = {
  properties: {
    device_name: {
      description: `Cleaned like a title and cut to ${MAX_TITLE_LENGTH} characters; \`Computer\` where it is missing.`,
      type: "string",
    },
  },
} as const satisfies Schema;

/** Answer of `GET /importer/me`. */
export const IMPORTER_ME_ANSWER = {
  type: "object",
  properties: {
    device_name: { type: "string" },
    network: {
      description: `Where this call comes from: a rough network such as \`203.0.113.0/24\`, or \`${THIS_COMPUTER}\`.`,
      type: "string",
    },
  },
  required: ["device_name", "network"],
} as const satisfies Schema;

/** Answer of `PATCH /importer/me`. */
export const DEVICE_NAME_ANSWER = {
  type: "object",
  properties: { device_name: { description: "As cleaned.", type: "string" } },
  required: ["device_name"],
} as const satisfies Schema;

/** Answer of `POST /importer/register`. */
export const REGISTER_ANSWER = {
  type: "object",
  properties: {
    device_id: { type: "string" },
    importer_token: {
      description: "A secret: keep it like a password.",
      type: "string",
      pattern: "^sfi_[A-Za-z0-9_-]+$",
    },
  },
  required: ["device_id", "importer_token"],
} as const satisfies Schema;

/** Answer of `POST /importer/pairing-code`. */
export const PAIRING_CODE_ANSWER = {
  type: "object",
  properties: {
    /** Six symbols without a space, such as `K7MQ2X`. */
    code: { type: "string", pattern: "^[2-9A-HJKMNP-Z]{6}$" },
    expires_at: TIME,
    expires_in: SECONDS,
  },
  required: ["code", "expires_at", "expires_in"],
} as const satisfies Schema;

/** Answer of `GET /importer/pairing-request`. */
export const PAIRING_REQUEST_ANSWER = {
  type: "object",
  properties: {
    request: {
      description: "The app that has claimed the code and waits for a yes; null if none does.",
      oneOf: [
        {
          type: "object",
          properties: {
            request_id: { type: "string" },
            app_name: { type: "string" },
            network: {
              description: `Where the app is: a rough network such as \`203.0.113.0/24\`, or \`${THIS_COMPUTER}\`.`,
              type: "string",
            },
            expires_at: TIME,
            expires_in: SECONDS,
          },
          required: ["request_id", "app_name", "network", "expires_at", "expires_in"],
        },
        { type: "null" },
      ],
    },
    ended: {
      description:
        "Why the code has ended: a second address claimed it. Until there is another code.",
      type: "string",
      const: "second-address",
    },
  },
  required: ["request"],
} as const satisfies Schema;

/** Body of `POST /importer/pairing-request`. */
export const PAIRING_REPLY = {
  type: "object",
  properties: {
    request_id: { type: "string" },
    answer: {
      description: "`deny` also ends the code.",
      type: "string",
      enum: ["allow", "deny"],
    },
  },
  required: ["request_id", "answer"],
} as const satisfies Schema;

/** One app in the answer of `GET /importer/apps`. */
export const PAIRED_APP = {
  type: "object",
  properties: {
    pairing_id: { type: "string" },
    app_name: { type: "string" },
    paired_at: TIME,
    last_seen_at: TIME,
    waiting_packages: {
      description: "Its packages that wait: unpairing deletes those that no run holds.",
      type: "integer",
    },
  },
  required: ["pairing_id", "app_name", "paired_at", "last_seen_at", "waiting_packages"],
} as const satisfies Schema;

/** Answer of `GET /importer/apps`. */
export const APPS_ANSWER = {
  type: "object",
  properties: { apps: { type: "array", items: PAIRED_APP } },
  required: ["apps"],
} as const satisfies Schema;

/** Answer of `GET /importer/packages/{id}`, and without results one package in a page of the list. */
export const IMPORTABLE_PACKAGE = {
  description: "A committed package whose files exist.",
  type: "object",
  properties: {
    package_id: { type: "string" },
    /** Missing at a relay that doesn't page. */
    version: { description: "Rises with every change of the package.", type: "integer" },
    status: PACKAGE_STATUS,
    app_name: { type: "string" },
    manifest: CLEANED_MANIFEST,
    files: {
      description: "For each file the path to download it from, relative to the base address.",
      type: "object",
      additionalProperties: { type: "string" },
    },
    taken: { description: "Whether a run holds it now.", type: "boolean" },
    created_at: TIME,
    committed_at: TIME,
    expires_at: TIME,
    expires_in: SECONDS,
    results: SOUND_RESULTS,
  },
  required: [
    "package_id",
    "status",
    "app_name",
    "manifest",
    "files",
    "taken",
    "created_at",
    "committed_at",
    "expires_at",
    "expires_in",
  ],
} as const satisfies DescribedSchema;

/** Answer of `GET /importer/packages`. */
export const PACKAGES_ANSWER = {
  type: "object",
  properties: {
    packages: { type: "array", items: IMPORTABLE_PACKAGE },
    /** Missing at a relay that doesn't page. */
    next: {
      description: "Where the next page begins, for `after`; null after the last.",
      type: ["string", "null"],
    },
  },
  required: ["packages"],
} as const satisfies DescribedSchema;

/** Body of a take. Anything but an object counts as empty. */
export const TAKE_REQUEST = {
  properties: {
    run_id: {
      description:
        "Names the run, so that it can renew its lease. Without it, a device counts as one run.",
      type: "string",
      minLength: 1,
      maxLength: MAX_ID_LENGTH,
    },
    force: { description: "`true` takes the package over from another run of this computer." },
  },
} as const satisfies Schema;

/** Answer of a take. */
export const TAKE_ANSWER = {
  description: "When the lease ends, unless it is renewed.",
  type: "object",
  properties: { expires_at: TIME, expires_in: SECONDS },
  required: ["expires_at", "expires_in"],
} as const satisfies Schema;

/** Body of a report. A sound without a result counts as failed. */
export const REPORT_REQUEST = {
  type: "object",
  properties: {
    results: {
      ...SOUND_RESULTS,
      additionalProperties: {
        ...SOUND_RESULT,
        properties: {
          ...SOUND_RESULT.properties,
          kept: {
            description:
              "True only if the importer's sounds folder durably has the file. Apps never see it.",
            type: "boolean",
          },
        },
      },
    },
  },
  required: ["results"],
} as const satisfies Schema;

/** Answer of a report. */
export const REPORT_ANSWER = {
  type: "object",
  properties: { status: PACKAGE_STATUS },
  required: ["status"],
} as const satisfies Schema;

/** A socket message; clients read the state over HTTP. */
export const SOCKET_MESSAGE = {
  oneOf: [
    {
      type: "object",
      properties: { type: { type: "string", const: "packages.changed" } },
      required: ["type"],
    },
    {
      type: "object",
      properties: { type: { type: "string", const: "apps.changed" } },
      required: ["type"],
    },
    {
      type: "object",
      properties: { type: { type: "string", const: "pairing.asked" } },
      required: ["type"],
    },
    {
      type: "object",
      properties: { type: { type: "string", const: "code.used" }, app_name: { type: "string" } },
      required: ["type", "app_name"],
    },
  ],
} as const satisfies Schema;
