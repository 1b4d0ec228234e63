import { letPass } from "../../../sim/real-time.ts";
import type { Answered, Asked, Break, Fault } from "./breaking-proxy.ts";
import { tokenOf } from "./memory.ts";
import { becomes, is, refusal, STATUS } from "./tools.ts";

/** A relay that hears of nothing and looks every few seconds is so late. */
const LATE_MS = 4000;

/** Ways in which a wait goes wrong (rule S8). */
export const POLL_FAULTS: readonly Fault[] = [
  {
    rule: "S8",
    what: "a wait that hears late of a commit",
    plant: () => late(({ json }) => json?.status === "waiting"),
  },
  {
    rule: "S8",
    what: "a wait that hears late of a report",
    plant: () => late(({ json }) => /^(imported|partial|failed)$/.test(json?.status)),
  },
  {
    rule: "S8",
    what: "a wait that hears late of a withdrawal",
    plant: () => late(({ status }) => status === 404),
  },
  {
    rule: "S8",
    what: "a wait that hears late of an app that unpairs itself",
    plant: () => {
      const gone = new Set<string>();
      const lateness = late(({ status }, asked) => status === 401 && gone.has(tokenOf(asked)));
      return {
        ...lateness,
        ask: (asked) => {
          if (is(asked, "POST", /^\/app\/unpair$/)) gone.add(tokenOf(asked));
          return undefined;
        },
      };
    },
  },
  ...[
    { what: "a user who unpairs", path: /^\/importer\/apps\// },
    { what: "a computer that is removed", path: /^\/importer\/me$/ },
  ].map(({ what, path }): Fault => ({
    rule: "S8",
    what: `a wait that hears late of ${what}`,
    plant: () => {
      let isCause = false;
      const lateness = late(({ status }) => status === 401 && isCause);
      return {
        ...lateness,
        ask: (asked) => {
          if (asked.method === "DELETE") isCause ||= path.test(asked.path);
          return undefined;
        },
      };
    },
  })),
  {
    rule: "S8",
    what: "a wait that a take ends",
    ask: waitsAtMost(0.3, ({ known }) => known === "waiting"),
  },
  {
    rule: "S8",
    what: "a wait that an upload ends",
    ask: waitsAtMost(0.3, ({ known }) => known === null),
  },
  { rule: "S8", what: "a wait that ends after half its time", ask: waitsAtMost(0.5, () => true) },
  {
    rule: "S8",
    what: "a wait of 31 s that is one of 40 s",
    waits: true,
    plant: () => late((_, { path }) => /wait=31/.test(path), 10_000),
  },
  {
    rule: "S8",
    what: "a wait that is not clamped",
    waits: true,
    plant: () => late((_, { path }) => /wait=(3[1-9]|\d{3})/.test(path), 20_000),
  },
  {
    rule: "S8",
    what: "a wait of more than 30 s that is refused",
    waits: true,
    ask: (asked) =>
      waitOf(asked) > 30 ? refusal(422, "WAIT_WRONG", "Wait for at most 30 s.") : undefined,
  },
  {
    rule: "S8",
    what: "a wait of a day that counts as 0",
    waits: true,
    ask: waitsAtMost(0, (_, asked) => waitOf(asked) > 3600),
  },
  {
    rule: "S8",
    what: "a wait that is nonsense and refused",
    ask: (asked) =>
      /wait=(soon|NaN|30s)/.test(asked.path)
        ? refusal(400, "WAIT_WRONG", "The wait is no number.")
        : undefined,
  },
  {
    rule: "S8",
    what: "a wait that is nonsense and counts as 30 s",
    ask: rewritten(/wait=(soon|NaN)/, "wait=30"),
  },
  {
    rule: "S8",
    what: "a wait below 0 that counts without its sign",
    ask: rewritten(/wait=-(\d+)/, "wait=$1"),
  },
  { rule: "S8", what: "a `known` that is not looked at", ask: rewritten(/&known=\w+/, "") },
  {
    rule: "S8",
    what: "a wait on a package of which nothing more will come",
    answer: async ({ json }, asked) => {
      if (waitOf(asked) > 0 && json?.status === "imported") await letPass(LATE_MS);
    },
  },
  {
    rule: "S8",
    what: "a wait that ends with the status from before",
    answer: ({ json }, asked) => {
      const { known } = queryOf(asked);
      if (json?.status === "waiting" && known === "uploading") json.status = known;
    },
  },
  {
    rule: "S8",
    what: "a wait that ends with a report's status and without its results",
    answer: ({ json }, asked) => {
      if (waitOf(asked) > 0) delete json?.results;
    },
  },
  {
    rule: "S8",
    what: "a wait on a withdrawn package that ends with 200",
    also: ["S1"],
    answer: (answered, asked) => {
      if (waitOf(asked) > 0 && answered.status === 404) becomes(answered, 200, {});
    },
  },
  {
    rule: "S8",
    what: "a wait of a revoked token that ends with 404",
    answer: (answered, asked) => {
      if (waitOf(asked) > 0 && answered.status === 401) {
        becomes(answered, 404, { error: "No such package.", code: "PACKAGE_UNKNOWN" });
      }
    },
  },
  {
    rule: "S8",
    what: "a wait that counts as many calls",
    plant: () => {
      const waits = new Map<unknown, number>();
      return {
        answer: ({ headers }, asked) => {
          const { authorization } = asked.headers;
          const before = waits.get(authorization) ?? 0;
          const count = before + (waitOf(asked) > 0 ? 4 : 0);
          waits.set(authorization, count);
          const limit = String(headers["ratelimit"]);
          headers["ratelimit"] = limit.replace(/r=(\d+)/, (_, r) => `r=${Number(r) - count}`);
        },
      };
    },
  },
];

function queryOf({ path }: Asked): Readonly<Record<"known" | "wait", string | null>> {
  const query = new URLSearchParams(path.split("?")[1]);
  return { known: query.get("known"), wait: query.get("wait") };
}

/** The wait of a status call; NaN if it is nonsense or there is none. */
function waitOf(asked: Asked): number {
  const { wait } = queryOf(asked);
  return is(asked, "GET", STATUS) && wait !== null && wait !== "" ? Number(wait) : NaN;
}

/** Delays the answers that end a wait: a refusal, or another status than the app knows. */
function late(isLate: (answered: Answered, asked: Asked) => boolean, ms = LATE_MS): Break {
  return {
    answer: async (answered, asked) => {
      const { known } = queryOf(asked);
      const isEnd = waitOf(asked) > 0 && answered.json?.status !== known;
      if (isEnd && isLate(answered, asked)) await letPass(ms);
    },
  };
}

function waitsAtMost(
  seconds: number,
  isMeant: (query: ReturnType<typeof queryOf>, asked: Asked) => boolean,
): NonNullable<Break["ask"]> {
  return (asked) => {
    if (waitOf(asked) > seconds && isMeant(queryOf(asked), asked)) {
      asked.path = asked.path.replace(/wait=\d+/, `wait=${seconds}`);
    }
    return undefined;
  };
}

function rewritten(pattern: RegExp, text: string): NonNullable<Break["ask"]> {
  return (asked) => {
    if (is(asked, "GET", STATUS)) asked.path = asked.path.replace(pattern, text);
    return undefined;
  };
}
