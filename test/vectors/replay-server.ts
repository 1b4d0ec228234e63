import { isDeepStrictEqual } from "node:util";
import { type SeenRequest, type StandInAnswer, startStandIn } from "../client/stand-in-relay.ts";
import { type Answer, type Exchange, type Instead, sha256Of } from "./vector.ts";

/** A server that knows a vector's exchanges and nothing else. */
export interface ReplayServer extends AsyncDisposable {
  readonly url: string;
  /** Answers the next such request in place of the vector. */
  answerOnce(instead: Instead): void;
  /** Lists the client's mistakes: requests that no exchange has, and exchanges that it had to make. */
  problems(): readonly string[];
}

/** Answers as a vector says. */
export async function startReplay(exchanges: readonly Exchange[]): Promise<ReplayServer> {
  const used = new Set<Exchange>();
  const unknown: string[] = [];
  const once: Instead[] = [];
  const server = await startStandIn((request) => {
    const first = once.findIndex(
      ({ method, path }) => method === request.method && path === request.path,
    );
    const [instead] = first < 0 ? [] : once.splice(first, 1);
    if (instead !== undefined) return standInAnswer(instead.answer);
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
    answerOnce: (instead) => void once.push(instead),
    problems: () => [...unknown, ...missingOf(exchanges, used)],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function standInAnswer({ status, headers, body = "" }: Answer): StandInAnswer {
  return { status, headers: { ...headers }, body, isForeign: true };
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
