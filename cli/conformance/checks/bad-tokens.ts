import { assertRefusal } from "../assert.ts";
import type { Check } from "../check.ts";
import type { TestApp } from "../kit.ts";
import type { CallOptions } from "../wire.ts";

const ELSEWHERE = "5 the token is never sent in a URL or a cookie";
const BEARER = "5 every other call carries the header Authorization: Bearer";

const UNKNOWN = `sfa_${"A".repeat(43)}`;

/** A way to call without a valid app token; `at` is appended to the path. */
interface BadToken {
  readonly id: string;
  readonly words: string;
  readonly spec?: string;
  readonly call: (app: TestApp) => CallOptions;
  /** Set for a call without the header `Authorization`. */
  readonly isMissing?: true;
  readonly at?: (app: TestApp) => string;
}

const BAD_TOKENS: readonly BadToken[] = [
  { id: "missing", words: "no token", isMissing: true, call: () => ({}) },
  {
    id: "unknown",
    words: "an unknown token",
    spec: "5, 7: 401: token unknown or revoked",
    call: () => ({ token: UNKNOWN }),
  },
  { id: "malformed", words: "a malformed token", call: () => ({ token: "x" }) },
  {
    id: "bare",
    words: "a token without a scheme",
    spec: BEARER,
    call: ({ token }) => ({ headers: { authorization: token } }),
  },
  {
    id: "basic",
    words: "a token of another scheme",
    spec: BEARER,
    call: ({ token }) => ({ headers: { authorization: `Basic ${token}` } }),
  },
  {
    id: "scheme-alone",
    words: "a scheme without a token",
    call: () => ({ headers: { authorization: "Bearer" } }),
  },
  {
    id: "longer",
    words: "a token with a letter more",
    call: ({ token }) => ({ token: `${token}x` }),
  },
  {
    id: "other-kind",
    words: "an importer's token",
    call: ({ device }) => ({ token: device.token }),
  },
  {
    id: "query",
    words: "a token in the query",
    spec: ELSEWHERE,
    isMissing: true,
    call: () => ({}),
    at: (app) => {
      const token = encodeURIComponent(app.token);
      return `?token=${token}&access_token=${token}&app_token=${token}`;
    },
  },
  {
    id: "cookie",
    words: "a token in a cookie",
    spec: ELSEWHERE,
    isMissing: true,
    call: ({ token }) => ({ headers: { cookie: `token=${token}; app_token=${token}` } }),
  },
];

/** Calls that prove nobody. */
export const BAD_TOKEN_CHECKS: readonly Check[] = BAD_TOKENS.map(badToken);

function badToken({ id, words, spec, isMissing, call, at }: BadToken): Check {
  return {
    id: `token-${id}`,
    rule: "A2",
    title: `a call with ${words} is 401`,
    ...(spec !== undefined && { spec }),
    run: async (kit) => {
      const app = await kit.app();
      const path = `/app/me${at?.(app) ?? ""}`;
      const answer = await kit.call("GET", path, call(app));
      // The public specification promises 401 only to a token that is unknown or revoked.
      const isOpen = isMissing || (kit.contract === "public" && id !== "unknown");
      assertRefusal(answer, isOpen ? "TOKEN_MISSING" : "TOKEN_UNKNOWN");
    },
  };
}
