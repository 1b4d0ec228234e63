import { RETRY_FULL_SECONDS, RETRY_NOT_READY_SECONDS } from "../../../../core/limits.ts";
import type { DescribedSchema } from "../../../../core/protocol/schemas/schema.ts";
import { UPLOAD_INTEROP_VERSION } from "../../../../core/protocol/upload-draft.ts";
import type { JsonObject } from "../../../../core/text/json-object.ts";
import type { RefusalCode } from "../../../../core/protocol/refusals.ts";
import type { Work } from "../../draining.ts";

/** One API call in text and schemas: the single source for `/openapi.json` and `/docs`. */
export interface Operation {
  /** Stable, because generated clients name their functions after it. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Paragraphs; backticks mark code. */
  readonly description?: string;
  /** Query and header parameters. Path parameters are derived from the path. */
  readonly parameters?: readonly Parameter[];
  readonly body?: JsonBody | WavBody | PartBody;
  /** Successful answers, by status. */
  readonly answers: Readonly<Record<number, Reply>>;
  /** The call's own refusals. Those of authorization, body and stores are added. */
  readonly refusals?: readonly RefusalCode[];
  /** Set if its 422s list all `problems` (rule E3). */
  readonly listsProblems?: true;
  /**
   * The call's use of the stores. A failed call answers 500, or 503 if the disk fails or the database is locked; a
   * write also answers 507 on a full disk.
   */
  readonly stores?: "reads" | "writes";
}

/** A route as the document describes it. `socket` authenticates importers without a rate limit. */
export interface DescribedRoute {
  readonly auth: "open" | "app" | "importer" | "socket";
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly work?: Work | undefined;
}

export const TAGS = {
  Pairing: "Trade a code for a token, once; get the paired computer; unpair.",
  Packages: "Announce, upload, commit, follow, withdraw.",
  Importer: "What an importer calls. Not for web pages: these answers carry no CORS headers.",
  "The relay": "Its contract and its health.",
} as const;
type Tag = keyof typeof TAGS;

export interface Parameter {
  readonly in: "query" | "header";
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonObject;
}

/** A body parsed as JSON regardless of its content type. */
interface JsonBody {
  readonly kind: "json";
  readonly schema: DescribedSchema | JsonObject;
  /** True if an empty body is refused. */
  readonly isRequired: boolean;
  readonly example: object;
}
interface WavBody {
  readonly kind: "wav";
}

/** A part of a WAV (rule U10). */
interface PartBody {
  readonly kind: "part";
}

/** JSON with its schema, a body of another type, or no body. */
export interface Reply {
  readonly description: string;
  readonly schema?: DescribedSchema | JsonObject;
  readonly example?: object;
  readonly contentType?: string;
  /** The schema of each message on a WebSocket. */
  readonly messages?: DescribedSchema;
  /** Headers of this answer, in addition to those of every answer. */
  readonly headers?: readonly HeaderName[];
}

/** Response headers, by their names in `/openapi.json`. */
export const HEADERS = {
  RequestId: {
    name: "X-Request-Id",
    description: "Identifies this call in the relay's log.",
    schema: { type: "string", minLength: 1 },
  },
  AllowOrigin: {
    name: "Access-Control-Allow-Origin",
    description: "Any page can read the answer.",
    schema: { type: "string", const: "*" },
  },
  RateLimit: {
    name: "RateLimit",
    description:
      "How many calls are left (`r`), and the seconds until there are more (`t`). At `/packages` also how many packages.",
    schema: { type: "string", pattern: '^"calls";r=\\d+;t=\\d+(, "packages";r=\\d+;t=\\d+)?$' },
  },
  RateLimitPolicy: {
    name: "RateLimit-Policy",
    description:
      "How many calls (`q`) in how many seconds (`w`). At `/packages` also how many packages.",
    schema: { type: "string", pattern: '^"calls";q=\\d+;w=\\d+(, "packages";q=\\d+;w=\\d+)?$' },
  },
  RetryAfter: {
    name: "Retry-After",
    description: `Whole seconds to wait, at least 1. After a 503 usually ${RETRY_NOT_READY_SECONDS}, after a 507 ${RETRY_FULL_SECONDS}.`,
    schema: { type: "string", pattern: "^[1-9]\\d*$" },
  },
  Authenticate: {
    name: "WWW-Authenticate",
    description: "The scheme of the token.",
    schema: { type: "string", const: "Bearer" },
  },
  ETag: {
    name: "ETag",
    description: "The file's SHA-256, in quotes.",
    schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
  },
  TextTag: {
    name: "ETag",
    description: "Changes with the text.",
    schema: { type: "string", pattern: '^W/"[\\w-]+"$' },
  },
  AcceptRanges: {
    name: "Accept-Ranges",
    description: "A part of the file can be requested.",
    schema: { type: "string", const: "bytes" },
  },
  Location: {
    name: "Location",
    description: "Where the bytes are for a minute. Ask there without the token.",
    schema: { type: "string", format: "uri" },
  },
  ContentRange: {
    name: "Content-Range",
    description:
      "The part that is sent, and the size of the whole file; `*` if no part could be sent.",
    schema: { type: "string", pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
  },
  ContentPolicy: {
    name: "Content-Security-Policy",
    description: "What the page may load.",
    schema: { type: "string", pattern: "^default-src 'none'; " },
  },
  Interop: {
    name: "Upload-Draft-Interop-Version",
    description: "The version of the draft that the relay speaks.",
    schema: { type: "string", const: String(UPLOAD_INTEROP_VERSION) },
  },
  UploadOffset: {
    name: "Upload-Offset",
    description: "How many bytes of the file have arrived and are saved to disk.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  UploadComplete: {
    name: "Upload-Complete",
    description: "Whether the package has the file.",
    schema: { type: "string", enum: ["?0", "?1"] },
  },
  UploadLength: {
    name: "Upload-Length",
    description: "The announced size.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  UploadLimit: {
    name: "Upload-Limit",
    description: "The size of the file, and the seconds left to send it.",
    schema: { type: "string", pattern: "^max-size=\\d+, min-size=0, max-age=\\d+$" },
  },
} as const satisfies Record<string, { name: string; description: string; schema: JsonObject }>;
export type HeaderName = keyof typeof HEADERS;
