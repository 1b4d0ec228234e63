import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import type { DescribedRoute } from "./build-document.ts";

/** Each status a call can be refused with and its refusal codes, in the order they are checked. */
export function refusalsOf(route: DescribedRoute): Map<number, RefusalCode[]> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of new Set(codesOf(route))) {
    const { status } = REFUSALS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([a], [b]) => a - b));
}

function codesOf({ door, path, operation }: DescribedRoute): RefusalCode[] {
  const { body, stores, refusals = [] } = operation;
  return [
    "REQUEST_MALFORMED",
    "HEADERS_TOO_LARGE",
    ...(path.includes(":") ? (["PATH_UNKNOWN"] as const) : []),
    ...DOOR_CODES[door],
    ...(body?.kind === "json" ? BODY_CODES : []),
    ...refusals,
    ...(stores === "writes" ? (["DISK_FULL"] as const) : []),
    ...(stores === undefined ? [] : (["INTERNAL"] as const)),
  ];
}

const DOOR_CODES = {
  open: [],
  app: ["TOKEN_UNKNOWN", "CALLS_TOO_MANY"],
  importer: ["IMPORTER_TOO_OLD", "IMPORTER_UNKNOWN", "CALLS_TOO_MANY"],
  socket: ["IMPORTER_TOO_OLD", "IMPORTER_UNKNOWN"],
} as const satisfies Record<DescribedRoute["door"], readonly RefusalCode[]>;

const BODY_CODES = ["NOT_JSON", "BODY_TOO_LARGE", "REQUEST_TOO_SLOW"] as const;
