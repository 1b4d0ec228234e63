import { errorAnswer, type Refusal, refuseAll } from "../../../../core/protocol/refusal.ts";
import type { ErrorAnswer } from "../../../../core/protocol/public-api.ts";
import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import { headersOf, NAMED_SCHEMAS, referring, sharedHeaders } from "./components.ts";
import type { ResponseObject } from "./document.ts";
import { PROBE_PATHS } from "../../host-guard.ts";
import { type DescribedRoute, type HeaderName, HEADERS } from "./operation.ts";
import { refusedSample } from "./samples.ts";

/** Returns each status that a call can be refused with, and its refusal codes in the order of the checks. */
export function refusalsOf(route: DescribedRoute): Map<number, RefusalCode[]> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of new Set(codesOf(route))) {
    const { status } = REFUSALS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

/** Collects the codes of what every call passes, of the caller's token and body, and of the call itself. */
function codesOf(route: DescribedRoute): RefusalCode[] {
  const { auth, method, path, operation, work } = route;
  const { body, stores, refusals = [] } = operation;
  const isRead = method === "GET" || method === "HEAD";
  return [
    // A request that can't be read isn't known to be HEAD.
    ...(method === "HEAD" ? [] : UNREADABLE),
    ...CROWDED,
    ...(PROBE_PATHS.has(path) ? [] : TURNED_AWAY),
    ...(path.includes(":") ? (["PATH_UNKNOWN"] as const) : []),
    ...AUTH_CODES[auth],
    ...(isRead ? [] : (["REFUSED_TOO_MUCH"] as const)),
    ...(body?.kind === "json" ? BODY_CODES : []),
    ...refusals,
    ...(work === "new" || work === "begins" || auth === "socket" ? (["STOPPING"] as const) : []),
    ...(stores === "writes" ? (["DISK_FULL"] as const) : []),
    ...(stores === undefined ? [] : (["INTERNAL", "NOT_READY"] as const)),
  ];
}

const IMPORTER_CODES = [
  "IMPORTER_TOO_OLD",
  "TOKEN_MISSING",
  "IMPORTER_UNKNOWN",
  "DEVICE_BLOCKED",
  "CALLS_TOO_MANY",
] as const;
const AUTH_CODES = {
  open: [],
  app: ["TOKEN_MISSING", "TOKEN_UNKNOWN", "DEVICE_BLOCKED", "CALLS_TOO_MANY"],
  importer: IMPORTER_CODES,
  socket: IMPORTER_CODES,
} as const satisfies Record<DescribedRoute["auth"], readonly RefusalCode[]>;

const UNREADABLE = ["REQUEST_MALFORMED", "HEADERS_TOO_LARGE"] as const;
/** Without room for the connection, or for an answer that nobody reads (rule L6). */
const CROWDED = ["TOO_MUCH_AT_ONCE", "BUSY"] as const;
/** By the name that was asked, or the address that asks (rules C4, AD3). */
const TURNED_AWAY = ["HOST_UNKNOWN", "ADDRESS_BLOCKED"] as const;
const BODY_CODES = [
  "NOT_JSON",
  "JSON_IN_FORM",
  "JSON_ENCODED",
  "JSON_TOO_COMPLEX",
  "BODY_TOO_LARGE",
  "REQUEST_TOO_SLOW",
] as const;

/** The meaning of each status, for every call. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "The request can't be read or is incomplete.",
  401: "The token is missing, or unknown or revoked; the code says which.",
  403: "The relay's operator doesn't let this caller in.",
  404: "Not found.",
  408: "The body didn't arrive in time.",
  409: "The package is not in a state for this.",
  413: "The body is too large.",
  415: "The body has another type.",
  416: "The file has no such part.",
  421: "The relay has no such name.",
  422: "What was sent can't be accepted; the text says why.",
  426: "The importer is too old.",
  429: "Too many; try again later.",
  431: "The headers are too large.",
  500: "The relay has a problem.",
  503: "The relay can't do this for now; try again.",
  507: "No room. The text says what has to happen first.",
};

/** Describes the refusals of a call that have one status. */
export function refusalOf(
  route: DescribedRoute,
  status: number,
  codes: readonly RefusalCode[],
): ResponseObject {
  return {
    description: STATUS_WORDS[status] ?? "Refused.",
    headers: {
      ...headersOf([...sharedHeaders(route), ...refusalHeaders(route, status)]),
      ...Object.assign({}, ...codes.map((code) => headersOnlyWith(code))),
    },
    ...(route.method !== "HEAD" && { content: refusedContent(route, codes) }),
  };
}

function refusedContent(
  route: DescribedRoute,
  codes: readonly RefusalCode[],
): NonNullable<ResponseObject["content"]> {
  return {
    "application/json": {
      schema: {
        allOf: [referring(NAMED_SCHEMAS.Error), { properties: { code: { enum: codes } } }],
      },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: exampleOf(route, refusedSample(code)) }]),
      ),
    },
  };
}

function exampleOf({ operation }: DescribedRoute, refused: Refusal): ErrorAnswer {
  const isListed = operation.listsProblems === true && refused.status === 422;
  return errorAnswer(isListed ? refuseAll([refused]) : refused);
}

function refusalHeaders({ auth, operation }: DescribedRoute, status: number): HeaderName[] {
  const isCounted = auth === "app" || auth === "importer";
  const speaksDraft = operation.refusals?.includes("UPLOAD_VERSION_UNKNOWN") === true;
  return [
    ...(isCounted ? (["RateLimitIfCounted", "RateLimitPolicyIfCounted"] as const) : []),
    ...(speaksDraft ? (["InteropIfSpoken"] as const) : []),
    ...(status === 401 ? (["Authenticate"] as const) : []),
    ...([429, 503, 507].includes(status) ? (["RetryAfter"] as const) : []),
    ...(status === 416 ? (["ContentRange"] as const) : []),
  ];
}

/** The headers of one refusal that others with its status don't have. */
const HEADERS_OF: Partial<Record<RefusalCode, readonly HeaderName[]>> = {
  RUN_ELSEWHERE: ["RetryAfter"],
  UPLOAD_OFFSET_DIFFERS: ["UploadOffset", "UploadComplete"],
};

function headersOnlyWith(code: RefusalCode): ResponseObject["headers"] {
  return Object.fromEntries(
    (HEADERS_OF[code] ?? []).map((each) => {
      const { name, description, schema } = HEADERS[each];
      return [name, { description: `With \`${code}\`: ${description}`, schema }];
    }),
  );
}
