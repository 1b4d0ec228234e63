import { errorAnswer, type Refusal, refuseAll } from "../../../../core/protocol/refusal.ts";
import type { ErrorAnswer } from "../../../../core/protocol/public-api.ts";
import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import { headersOf, NAMED_SCHEMAS, referring, sharedHeaders } from "./components.ts";
import type { ResponseObject } from "./document.ts";
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

function codesOf({ auth, method, path, operation, work }: DescribedRoute): RefusalCode[] {
  const { body, stores, refusals = [] } = operation;
  return [
    // A request that can't be read isn't known to be HEAD.
    ...(method === "HEAD" ? [] : UNREADABLE),
    ...(path.includes(":") ? (["PATH_UNKNOWN"] as const) : []),
    ...AUTH_CODES[auth],
    ...(body?.kind === "json" ? BODY_CODES : []),
    ...refusals,
    ...(work === "new" || work === "begins" || auth === "socket" ? (["STOPPING"] as const) : []),
    ...(stores === "writes" ? (["DISK_FULL"] as const) : []),
    ...(stores === undefined ? [] : (["INTERNAL", "NOT_READY"] as const)),
  ];
}

const AUTH_CODES = {
  open: [],
  app: ["TOKEN_MISSING", "TOKEN_UNKNOWN", "CALLS_TOO_MANY"],
  importer: ["IMPORTER_TOO_OLD", "TOKEN_MISSING", "IMPORTER_UNKNOWN", "CALLS_TOO_MANY"],
  socket: ["IMPORTER_TOO_OLD", "TOKEN_MISSING", "IMPORTER_UNKNOWN"],
} as const satisfies Record<DescribedRoute["auth"], readonly RefusalCode[]>;

const UNREADABLE = ["REQUEST_MALFORMED", "HEADERS_TOO_LARGE"] as const;
const BODY_CODES = [
  "NOT_JSON",
  "JSON_IN_FORM",
  "JSON_ENCODED",
  "BODY_TOO_LARGE",
  "REQUEST_TOO_SLOW",
] as const;

/** The meaning of each status, for every call. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "The request can't be read or is incomplete.",
  401: "The token is missing, unknown or revoked.",
  403: "The relay requires a registration key.",
  404: "Not found.",
  408: "The upload was interrupted.",
  409: "The package is not in a state for this.",
  413: "The body is too large.",
  416: "The file has no such part.",
  422: "What was sent can't be accepted; the text says why.",
  426: "The importer is too old.",
  429: "Too many; try again later.",
  431: "The headers are too large.",
  500: "The relay has a problem.",
  503: "The storage isn't available.",
  507: "No room left.",
};

/** Describes the refusals of a call that have one status. */
export function refusalOf(
  route: DescribedRoute,
  status: number,
  codes: readonly RefusalCode[],
): ResponseObject {
  const headers = headersOf([...sharedHeaders(route), ...refusalHeaders(status)]);
  const { name: retryAfter, ...waiting } = HEADERS.RetryAfter;
  return {
    description: STATUS_WORDS[status] ?? "Refused.",
    headers: {
      ...headers,
      // Only one of the refusals with this status adds the member.
      ...(codes.includes("RUN_ELSEWHERE") && {
        [retryAfter]: { ...waiting, description: "With `RUN_ELSEWHERE`." },
      }),
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

function refusalHeaders(status: number): HeaderName[] {
  if (status === 401) return ["Authenticate"];
  if ([429, 503, 507].includes(status)) return ["RetryAfter"];
  return status === 416 ? ["ContentRange"] : [];
}
