import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import type { DescribedRoute } from "./operation.ts";

/** Each status a call can be refused with and its refusal codes, in the order they are checked. */
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
    // Nobody knows that it was HEAD where the request can't be read.
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
  app: ["TOKEN_UNKNOWN", "CALLS_TOO_MANY"],
  importer: ["IMPORTER_TOO_OLD", "IMPORTER_UNKNOWN", "CALLS_TOO_MANY"],
  socket: ["IMPORTER_TOO_OLD", "IMPORTER_UNKNOWN"],
} as const satisfies Record<DescribedRoute["auth"], readonly RefusalCode[]>;

const UNREADABLE = ["REQUEST_MALFORMED", "HEADERS_TOO_LARGE"] as const;
const BODY_CODES = ["NOT_JSON", "BODY_TOO_LARGE", "REQUEST_TOO_SLOW"] as const;
