import { isDeepStrictEqual } from "node:util";
import { type SeenRequest, type StandInAnswer, startStandIn } from "../client/stand-in-relay.ts";
import { type Answer, type Exchange, type Instead, sha256Of } from "./vector.ts";

/** A server that knows a vector's exchanges and nothing else. */
export interface ReplayServer extends AsyncDisposable {
  readonly url: string;
  /** Lists the client's mistakes: requests that no exchange has, and exchanges that it had to make. */
  problems(): readonly string[];
}

/**
 * Answers as a vector says.
 * @param instead answers that go first, each once
 */
export async function startReplay(
  exchanges: readonly Exchange[],
  instead: readonly Instead[] = [],
): Promise<ReplayServer> {
  const used = new Set<Exchange>();
  const unknown: string[] = [];
  const left = new Set(instead);
  const server = await startStandIn((request) => {
    for (const one of left) {
      if (one.method !== request.method || one.path !== request.path) continue;
      left.delete(one);
      return standInAnswer(one.answer);
    }
    const exchange = exchanges.find((one) => isOf(one, request));
    if (exchange === undefined) {
      unknown.push(`unexpected: ${request.method} ${request.path}`);
      return { status: 400, body: { error: "This is not in the vector.", code: "NOT_IN_VECTOR" } };
    }
    used.add(exchange);
    return standInAnswer(exchange.answer);
  });
  return {
    url: server.url,
    problems: () => [...unknown, ...missingOf(exchanges, used)],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function standInAnswer({ status, headers, body = "" }: Answer): StandInAnswer {
  return { status, headers: { ...headers }, body };
}

function isOf({ request }: Exchange, { method, path, headers, body }: SeenRequest): boolean {
  if (request.method !== method || request.path !== path) return false;
  if (Object.entries(request.headers).some(([name, value]) => headers[name] !== value))
    return false;
  if (request.body === undefined) return body.length === 0;
  if ("sha256" in request.body) return request.body.sha256 === sha256Of(body);
  return isDeepStrictEqual(JSON.parse(body.toString()), request.body.json);
}

function missingOf(exchanges: readonly Exchange[], used: ReadonlySet<Exchange>): string[] {
  const groups = new Map<string, boolean>();
  const missing: string[] = [];
  for (const exchange of exchanges) {
    const { need, request } = exchange;
    const isUsed = used.has(exchange);
    if (need === "must" && !isUsed) missing.push(`missing: ${request.method} ${request.path}`);
    if (typeof need === "object") {
      groups.set(need.oneOf, isUsed || groups.get(need.oneOf) === true);
    }
  }
  const idle = [...groups].filter(([, isUsed]) => !isUsed);
  return [...missing, ...idle.map(([group]) => `missing: one of ${group}`)];
}
