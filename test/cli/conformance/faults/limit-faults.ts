import { Counts, tokenOf } from "./memory.ts";
import type { Answered, Asked, Break, Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, is } from "./tools.ts";

/** Faults in the headers that name limits. */
export const LIMIT_FAULTS: readonly Fault[] = [
  { rule: "L1", what: "a RateLimit that is always the same", answer: left("calls", () => 599) },
  { rule: "L1", what: "a limit of 599 calls", answer: of("calls", 599) },
  { rule: "L1", what: "a limit of 601 calls", answer: of("calls", 601) },
  { rule: "L1", what: "a limit of 599 calls that says 600", answer: left("calls", (r) => r - 1) },
  {
    rule: "L1",
    what: "a limit of calls in ten seconds",
    answer: ({ headers }) => {
      headers["ratelimit-policy"] = String(headers["ratelimit-policy"]).replace("w=60", "w=10");
    },
  },
  {
    rule: "L1",
    what: "an answer without RateLimit",
    answer: ({ headers }) => {
      delete headers["ratelimit"];
    },
  },
  {
    rule: "L1",
    what: "an answer without RateLimit-Policy",
    answer: ({ headers }) => {
      delete headers["ratelimit-policy"];
    },
  },
  {
    rule: "L1",
    what: "a refused call that doesn't count",
    plant: () => counted("calls", ({ status }) => (status >= 400 ? -1 : 0)),
  },
  {
    rule: "L1",
    what: "a refused call that counts twice",
    plant: () => counted("calls", ({ status }) => (status >= 400 ? 1 : 0)),
  },
  {
    rule: "L1",
    what: "a reading call that doesn't count",
    plant: () => counted("calls", (_, { method }) => (method === "GET" ? -1 : 0)),
  },
  {
    rule: "L1",
    what: "a call with an unknown token that counts for all",
    plant: () => {
      let unknown = 0;
      return {
        answer: (answered, asked) => {
          if (answered.status === 401) unknown += 1;
          left("calls", (r) => r - unknown)(answered, asked);
        },
      };
    },
  },
  { rule: "L1", what: "a limit of 29 packages", answer: of("packages", 29) },
  { rule: "L1", what: "a limit of 31 packages", answer: of("packages", 31) },
  {
    rule: "L1",
    what: "no packages in RateLimit",
    answer: ({ headers }) => {
      headers["ratelimit"] = String(headers["ratelimit"]).replace(/, "packages".*/, "");
    },
  },
  {
    rule: "L1",
    what: "packages left that are always the same",
    answer: left("packages", () => 29),
  },
  {
    rule: "L1",
    what: "a replay that counts as a package",
    plant: () => {
      const keys = new Set<string>();
      return counted("packages", ({ status }, asked) => {
        const key = asked.headers["idempotency-key"];
        if (!is(asked, "POST", ANNOUNCE) || status !== 201 || key === undefined) return 0;
        const isReplay = keys.has(String(key));
        keys.add(String(key));
        return isReplay ? 1 : 0;
      });
    },
  },
  {
    rule: "L1",
    what: "a refused manifest that counts as a package",
    plant: () =>
      counted("packages", ({ status }, asked) =>
        is(asked, "POST", ANNOUNCE) && status === 422 ? 1 : 0,
      ),
  },
  {
    rule: "L1",
    what: "a withdrawn package that no longer counts",
    plant: () =>
      counted("packages", ({ status }, { method }) =>
        method === "DELETE" && status === 200 ? -1 : 0,
      ),
  },
  {
    rule: "L2",
    what: "a 507 without Retry-After",
    also: ["U9"],
    needs: "limit",
    answer: ({ headers, status }) => {
      if (status === 507) delete headers["retry-after"];
    },
  },
];

/** Changes the rest of a limit. */
function left(
  name: string,
  change: (rest: number) => number,
): (answered: Answered, asked: Asked) => void {
  const pattern = new RegExp(`("${name}";r=)(\\d+)`);
  return ({ headers }) => {
    const text = headers["ratelimit"];
    if (typeof text !== "string") return;
    headers["ratelimit"] = text.replace(
      pattern,
      (_, before: string, rest: string) => `${before}${change(Number(rest))}`,
    );
  };
}

/** Another limit, in both headers. */
function of(name: string, limit: number): (answered: Answered, asked: Asked) => void {
  const usual = name === "calls" ? 600 : 30;
  const rest = left(name, (r) => r + limit - usual);
  return (answered, asked) => {
    const { headers } = answered;
    rest(answered, asked);
    const policy = headers["ratelimit-policy"];
    if (typeof policy === "string") {
      headers["ratelimit-policy"] = policy.replace(`"${name}";q=${usual}`, `"${name}";q=${limit}`);
    }
  };
}

/** Counts some calls of a token more often, or not at all. */
function counted(name: string, more: (answered: Answered, asked: Asked) => number): Break {
  const counts = new Counts();
  return {
    answer: (answered, asked) => {
      const count = counts.add(tokenOf(asked), more(answered, asked));
      left(name, (r) => r - count)(answered, asked);
    },
  };
}
