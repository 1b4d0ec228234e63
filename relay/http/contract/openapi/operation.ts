import { RELAY_MARK } from "../../../../core/protocol/relay-mark.ts";
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

/** An optional query parameter; a string unless the schema says otherwise. */
export function query(name: string, description: string, schema = TEXT): Parameter {
  return { in: "query", name, description, schema };
}

/** An optional request header; a string unless the schema says otherwise. */
export function header(name: string, description: string, schema = TEXT): Parameter {
  return { in: "header", name, description, schema };
}

const TEXT: JsonObject = { type: "string" };

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

interface DescribedHeader {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly isOptional?: true;
}

const textHeader = (name: string, description: string, schema: JsonObject): DescribedHeader => ({
  name,
  description,
  schema: { ...TEXT, ...schema },
});

const RATE_LIMIT = textHeader(
  "RateLimit",
  "How many calls are left (`r`), and the seconds until there are more (`t`). At `/packages` also how many packages.",
  { pattern: '^"calls";r=\\d+;t=\\d+(, "packages";r=\\d+;t=\\d+)?$' },
);
const RATE_LIMIT_POLICY = textHeader(
  "RateLimit-Policy",
  "How many calls (`q`) in how many seconds (`w`). At `/packages` also how many packages.",
  { pattern: '^"calls";q=\\d+;w=\\d+(, "packages";q=\\d+;w=\\d+)?$' },
);
const INTEROP = textHeader(
  "Upload-Draft-Interop-Version",
  "The version of the draft that the relay speaks.",
  { const: String(UPLOAD_INTEROP_VERSION) },
);

/** Response headers, by their names in `/openapi.json`. Optional ones are in some of the answers. */
export const HEADERS = {
  RequestId: textHeader("X-Request-Id", "Identifies this call in the relay's log.", {
    minLength: 1,
  }),
  RelayMark: textHeader(RELAY_MARK.name, "Marks the relay's own answers.", {
    const: RELAY_MARK.value,
  }),
  AllowOrigin: textHeader("Access-Control-Allow-Origin", "Any page can read the answer.", {
    const: "*",
  }),
  RateLimit: RATE_LIMIT,
  RateLimitIfCounted: { ...RATE_LIMIT, isOptional: true },
  RateLimitPolicy: RATE_LIMIT_POLICY,
  RateLimitPolicyIfCounted: { ...RATE_LIMIT_POLICY, isOptional: true },
  RetryAfter: textHeader(
    "Retry-After",
    `Whole seconds to wait, at least 1. After a 503 usually ${RETRY_NOT_READY_SECONDS}; after a 507 ${RETRY_FULL_SECONDS}, or until the next package or upload that is in the way ends.`,
    { pattern: "^[1-9]\\d*$" },
  ),
  Authenticate: textHeader("WWW-Authenticate", "The scheme of the token.", { const: "Bearer" }),
  ETag: textHeader("ETag", "The file's SHA-256, in quotes.", { pattern: '^"[0-9a-f]{64}"$' }),
  TextTag: textHeader("ETag", "Changes with the text.", { pattern: '^W/"[\\w-]+"$' }),
  AcceptRanges: textHeader("Accept-Ranges", "A part of the file can be requested.", {
    const: "bytes",
  }),
  Location: textHeader(
    "Location",
    "Where the bytes are for a minute. Ask there without the token.",
    {
      format: "uri",
    },
  ),
  ContentRange: textHeader(
    "Content-Range",
    "The part that is sent, and the size of the whole file; `*` if no part could be sent.",
    { pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
  ),
  ContentPolicy: textHeader("Content-Security-Policy", "What the page may load.", {
    pattern: "^default-src 'none'; ",
  }),
  Interop: INTEROP,
  InteropIfSpoken: { ...INTEROP, isOptional: true },
  UploadOffset: textHeader(
    "Upload-Offset",
    "How many bytes of the file have arrived and are saved to disk.",
    { pattern: "^\\d+$" },
  ),
  UploadComplete: textHeader("Upload-Complete", "Whether the package has the file.", {
    enum: ["?0", "?1"],
  }),
  UploadLength: textHeader("Upload-Length", "The announced size.", { pattern: "^\\d+$" }),
  UploadLimit: textHeader(
    "Upload-Limit",
    "The size of the file, and the seconds left to send it.",
    {
      pattern: "^max-size=\\d+, min-size=0, max-age=\\d+$",
    },
  ),
} as const satisfies Record<string, DescribedHeader>;
export type HeaderName = keyof typeof HEADERS;
