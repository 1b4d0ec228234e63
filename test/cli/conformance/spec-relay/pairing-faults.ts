import {
  answers,
  ANY,
  CLAIM,
  ME,
  members,
  readAhead,
  refuses,
  type SpecFault,
  STATUS,
  UNPAIR,
  UPLOAD,
} from "./fault.ts";
import { isObject } from "./judge.ts";
import type { SpecCall } from "./wire.ts";

const PAIRING: readonly SpecFault[] = [
  {
    name: "a code works twice",
    says: "2.1 It works once",
    around: (next) => {
      const first = new Map<string, unknown>();
      return async (asked) => {
        if (!CLAIM(asked)) return await next(asked);
        const { call, body } = await readAhead(asked);
        const code = isObject(body) ? String(body["code"]).replace(" ", "") : "";
        const reply = await next(call);
        if (reply.status === 200) first.set(code, reply.body);
        return first.has(code) ? { ...reply, status: 200, body: first.get(code) } : reply;
      };
    },
  },
  refuses(
    "no space in a code",
    "2.1 with or without a space in the middle",
    CLAIM,
    (_, body) => isObject(body) && String(body["code"]).includes(" "),
    404,
  ),
  answers("a wrong code is 401", "7 404: a wrong, used or expired code", CLAIM, (reply) => ({
    status: reply.status === 404 ? 401 : reply.status,
  })),
  answers("a wrong code is 400", "4 A wrong, used or expired code: 404", CLAIM, (reply) => ({
    status: reply.status === 404 ? 400 : reply.status,
  })),
  answers("a claim is 201", "4 POST /pair/claim: 200", CLAIM, (reply) => ({
    status: reply.status === 200 ? 201 : reply.status,
  })),
  members("the token has another name", "4 {app_token, device_name}", CLAIM, (body) => ({
    app_token: undefined,
    token: body["app_token"],
  })),
  members("a claim names no device", "4 {app_token, device_name}", CLAIM, () => ({
    device_name: undefined,
  })),
  members("me names no device", "4 {device_name, app_name, paired_at}", ME, () => ({
    device_name: undefined,
  })),
  members("another device", "2.1 The name of the computer the app is paired with", ME, () => ({
    device_name: "localhost",
  })),
  members("another app name", "2.1 The name the app gave when pairing", ME, () => ({
    app_name: "App",
  })),
  members("no time of pairing", "2.1 returned by GET /app/me", ME, () => ({
    paired_at: undefined,
  })),
];

const TOKENS: readonly SpecFault[] = [
  answers("a bad token is 403", "7 401: Token unknown or revoked", ANY, (reply) => ({
    status: reply.status === 401 ? 403 : reply.status,
  })),
  answers("an unknown package is 401", "5.4 No other problem answers 401", ANY, (reply) => ({
    status: reply.status === 410 ? 401 : reply.status,
  })),
  answers("a refused upload is 401", "5.4 No other problem answers 401", UPLOAD, (reply) => ({
    status: reply.status === 400 ? 401 : reply.status,
  })),
  lends("a token in the URL", "5.2 never sent in a URL", ({ query }) =>
    query.split("&").map((pair) => decodeURIComponent(pair.slice(pair.indexOf("=") + 1))),
  ),
  lends("a token in a cookie", "5.2 or a cookie", ({ headers }) =>
    (headers.cookie ?? "").split(";").map((pair) => pair.trim().slice(pair.indexOf("=") + 1)),
  ),
  lends("a token without Bearer", "5.2 Authorization: Bearer <APP_TOKEN>", ({ headers }) => [
    headers.authorization ?? "",
  ]),
  {
    name: "a status needs no token",
    says: "4 Every call except POST /pair/claim carries the token",
    around: (next) => {
      let last: string | undefined;
      return async (call) => {
        if (call.headers.authorization && !STATUS(call)) last = call.headers.authorization;
        const { authorization = last, ...headers } = call.headers;
        if (!STATUS(call) || authorization === undefined) return await next(call);
        return await next({ ...call, headers: { ...headers, authorization } });
      };
    },
  },
  {
    name: "unpairing does nothing",
    says: "4 Revokes the token of this call",
    around: (next) => async (call) =>
      await next(UNPAIR(call) ? { ...call, method: "GET", path: "/app/me" } : call),
  },
  refuses(
    "the client's name is refused",
    "4 An optional header X-Service-Client",
    ANY,
    ({ headers }) => headers["x-service-client"] !== undefined,
    400,
  ),
];

/** Takes a token that it finds somewhere else than in a Bearer header. */
function lends(name: string, says: string, find: (call: SpecCall) => string[]): SpecFault {
  return {
    name,
    says,
    around: (next) => async (call) => {
      const replies = find(call).filter((token) => token.length > 20 && !token.includes(" "));
      for (const token of replies) {
        const headers = { ...call.headers, authorization: `Bearer ${token}` };
        const reply = await next({ ...call, headers });
        if (reply.status !== 401) return reply;
      }
      return await next(call);
    },
  };
}

/** Faults in pairing, tokens and what an app learns of itself. */
export const PAIRING_FAULTS: readonly SpecFault[] = [...PAIRING, ...TOKENS];
