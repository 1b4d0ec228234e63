import type { FastifyReply } from "fastify";

/** What every answer outside `/importer/*` carries (rule C1). */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate",
} as const;

const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, POST, PUT, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, X-Service-Client, Idempotency-Key",
  "access-control-max-age": "86400",
} as const;

/** Whether web pages may call this path (rule C3). */
export function isOpenToPages(path: string): boolean {
  return path !== "/importer" && !path.startsWith("/importer/") && !path.startsWith("/importer?");
}

/** Answers a preflight: no token, no limit (rule C2). */
export function answerPreflight(reply: FastifyReply, wantsPrivateNetwork: boolean): void {
  reply.code(204).headers(PREFLIGHT_HEADERS);
  if (wantsPrivateNetwork) reply.header("access-control-allow-private-network", "true");
  void reply.send();
}
