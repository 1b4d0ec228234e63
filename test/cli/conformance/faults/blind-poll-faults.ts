import { letPass } from "../../../sim/real-time.ts";
import type { Asked, Fault } from "./breaking-proxy.ts";
import { COMMIT, is, PACKAGE, RESULTS, STATUS } from "./tools.ts";
import { packageOf, refused } from "./blind-tools.ts";

const EVENTS = {
  report: (asked: Asked) => is(asked, "POST", RESULTS),
  withdrawal: (asked: Asked) => is(asked, "DELETE", PACKAGE),
  unpairing: (asked: Asked) =>
    is(asked, "POST", /^\/app\/unpair$/) || is(asked, "DELETE", /^\/importer\/apps\//),
  commit: (asked: Asked) => is(asked, "POST", COMMIT),
};

function queryOf({ path }: Asked): URLSearchParams {
  return new URLSearchParams(path.split("?")[1]);
}

/** @param lateMs Infinity: the event wakes nothing, and the wait goes on to its end */
function waking(event: keyof typeof EVENTS, lateMs: number): NonNullable<Fault["plant"]> {
  return () => {
    const running = new Map<
      object,
      { readonly began: number; isWoken: boolean; readonly id: string }
    >();
    return {
      ask: (asked) => {
        const id = packageOf(asked);
        if (is(asked, "GET", STATUS)) running.set(asked, { began: Date.now(), isWoken: false, id });
        if (EVENTS[event](asked)) {
          for (const poll of running.values()) if (id === "" || poll.id === id) poll.isWoken = true;
        }
        return undefined;
      },
      answer: async (_, asked) => {
        const poll = running.get(asked);
        running.delete(asked);
        if (!poll?.isWoken) return;
        const wait = Math.min(30, Number(queryOf(asked).get("wait")) || 0);
        const left = wait * 1000 - (Date.now() - poll.began);
        if (left > 0) await letPass(Math.min(lateMs, left));
      },
    };
  };
}

/** Changes what a poll asks for. */
function polling(change: (query: URLSearchParams) => void): NonNullable<Fault["ask"]> {
  return (asked) => {
    if (!is(asked, "GET", STATUS)) return undefined;
    const query = queryOf(asked);
    change(query);
    asked.path = `${asked.path.split("?")[0]}${query.size > 0 ? `?${query.toString()}` : ""}`;
    return undefined;
  };
}

/** Faults in long polls. */
export const POLL_FAULTS: readonly Fault[] = [
  { rule: "S8", what: "a report that wakes 4 s late", plant: waking("report", 4000) },
  { rule: "S8", what: "a withdrawal that wakes nobody", plant: waking("withdrawal", Infinity) },
  { rule: "S8", what: "a withdrawal that wakes 4 s late", plant: waking("withdrawal", 4000) },
  { rule: "S8", what: "an unpairing that wakes 4 s late", plant: waking("unpairing", 4000) },
  { rule: "S8", what: "a commit that wakes nobody", plant: waking("commit", Infinity) },
  { rule: "S8", what: "wait ignored", ask: polling((query) => query.delete("wait")) },
  { rule: "S8", what: "known ignored", ask: polling((query) => query.delete("known")) },
  {
    rule: "S8",
    what: "waits of at most a second",
    ask: polling((query) => {
      if (Number(query.get("wait")) > 1) query.set("wait", "1");
    }),
  },
  {
    rule: "S8",
    what: "a wait above 30 s refused",
    ask: (asked) =>
      is(asked, "GET", STATUS) && Number(queryOf(asked).get("wait")) > 30
        ? refused(asked, 422, "STATUS_WRONG")
        : undefined,
  },
  {
    rule: "S8",
    what: "a wait that is no number refused",
    ask: (asked) =>
      is(asked, "GET", STATUS) && Number.isNaN(Number(queryOf(asked).get("wait")))
        ? refused(asked, 422, "STATUS_WRONG")
        : undefined,
  },
  {
    rule: "S8",
    what: "a finished package that a poll waits for, too",
    plant: () => ({
      answer: async ({ json, status }, asked) => {
        if (!is(asked, "GET", STATUS) || status !== 200 || queryOf(asked).get("known") !== null)
          return;
        const wait = Math.min(30, Number(queryOf(asked).get("wait")) || 0);
        if (/^(imported|partial|failed)$/.test(json.status)) await letPass(wait * 1000);
      },
    }),
  },
];
