import type { DescribedSchema } from "../../../../core/protocol/schemas/schema.ts";
import type { JsonObject } from "../../../../core/text/json-object.ts";
import type { RefusalCode } from "../../../../core/protocol/refusals.ts";

/** One call of the API in words and schemas: all that `/openapi.json` and `/docs` say of it comes from here. */
export interface Operation {
  /** Stable: generated clients name their functions after it. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Paragraphs, with code in backticks. */
  readonly description?: string;
  /** Query and headers; the parts of the path come from the path. */
  readonly parameters?: readonly Parameter[];
  readonly body?: JsonBody | WavBody;
  /** By status, what it answers when it does what was asked. */
  readonly answers: Readonly<Record<number, Reply>>;
  /** Its own refusals; those of its door, its body and its use of the stores are added. */
  readonly refusals?: readonly RefusalCode[];
  /** What it does with the stores: where they fail, a read is 500, a write on a full disk 507 too. */
  readonly stores?: "reads" | "writes";
}

/** What the document needs to know of a route; `socket` is the importer's door without the limit of calls. */
export interface DescribedRoute {
  readonly door: "open" | "app" | "importer" | "socket";
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const TAGS = {
  Pairing: "Trade a code for a token, once; get the paired computer; unpair.",
  Packages: "Announce, upload, commit, follow, withdraw.",
  Importer: "What an importer calls. Not for web pages: these answers carry no CORS headers.",
  "The relay": "Its contract and its health.",
} as const;
export type Tag = keyof typeof TAGS;

export interface Parameter {
  readonly in: "query" | "header";
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A body that is read as JSON whatever its content type says. */
export interface JsonBody {
  readonly kind: "json";
  readonly schema: DescribedSchema | JsonObject;
  /** Whether an empty body is refused. */
  readonly isRequired: boolean;
  readonly example: object;
}
export interface WavBody {
  readonly kind: "wav";
}

/** JSON with its schema, or another kind of body, or none. */
export interface Reply {
  readonly description: string;
  readonly schema?: DescribedSchema | JsonObject;
  readonly example?: object;
  readonly contentType?: string;
  /** Of a WebSocket: what each of its messages is. */
  readonly messages?: DescribedSchema;
  /** Headers of this answer, beside those that all have. */
  readonly headers?: readonly HeaderName[];
}

/** Headers of answers, by what `/openapi.json` calls them. */
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
    description: "How many calls are left (`r`), and the seconds until there are more (`t`).",
    schema: { type: "string", pattern: '^"calls";r=\\d+;t=\\d+$' },
  },
  RateLimitPolicy: {
    name: "RateLimit-Policy",
    description: "How many calls (`q`) in how many seconds (`w`).",
    schema: { type: "string", pattern: '^"calls";q=\\d+;w=\\d+$' },
  },
  RetryAfter: {
    name: "Retry-After",
    description: "Whole seconds to wait, at least 1.",
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
  AcceptRanges: {
    name: "Accept-Ranges",
    description: "A part of the file can be requested.",
    schema: { type: "string", const: "bytes" },
  },
  ContentRange: {
    name: "Content-Range",
    description:
      "The part that is sent, and the size of the whole file; `*` if no part could be sent.",
    schema: { type: "string", pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
  },
  ContentPolicy: {
    name: "Content-Security-Policy",
    description: "What the page may load: nothing.",
    schema: { type: "string", pattern: "^default-src 'none'; " },
  },
} as const satisfies Record<string, { name: string; description: string; schema: JsonObject }>;
export type HeaderName = keyof typeof HEADERS;
