import { leaseOf, packageOf } from "./memory.ts";
import type { Answered, Asked, Break, Fault } from "./breaking-proxy.ts";
import { becomes, DOWNLOAD, is, refusal, RESULTS, STATUS, TAKE, NO_SOUND } from "./tools.ts";

/** Faults in leases (rule S2). */
export const LEASE_FAULTS: readonly Fault[] = [
  {
    rule: "S2",
    what: "a lease that a take by the same run doesn't renew",
    plant: () => neverMore((asked) => is(asked, "GET", DOWNLOAD)),
  },
  {
    rule: "S2",
    what: "a lease that a download doesn't renew",
    plant: () => neverMore((asked, { status }) => is(asked, "POST", TAKE) && status === 200),
  },
  {
    rule: "S2",
    what: "a lease that a rival's refused take renews",
    plant: () => renewedBy((asked, { status }) => is(asked, "POST", TAKE) && status === 409),
  },
  {
    rule: "S2",
    what: "a lease that a status call renews",
    plant: () => renewedBy((asked) => is(asked, "GET", STATUS)),
  },
  {
    rule: "S2",
    what: "a lease that the importer's list renews",
    plant: () => renewedBy((asked) => is(asked, "GET", /^\/importer\/packages$/)),
  },
  {
    rule: "S2",
    what: "a take whose force is ignored",
    seesBody: NO_SOUND,
    ask: (asked) => {
      if (is(asked, "POST", TAKE) && asked.sent?.force) {
        asked.body = Buffer.from(JSON.stringify({ ...asked.sent, force: false }));
      }
      return undefined;
    },
  },
  {
    rule: "S2",
    what: "a take that always has force",
    seesBody: NO_SOUND,
    ask: (asked) => {
      if (is(asked, "POST", TAKE)) {
        asked.body = Buffer.from(JSON.stringify({ ...asked.sent, force: true }));
      }
      return undefined;
    },
  },
  {
    rule: "S2",
    what: "a take with force that leaves the package to the first run, too",
    seesBody: NO_SOUND,
    plant: () => {
      const forced = new Set<string>();
      return {
        seesBody: NO_SOUND,
        answer: (answered, asked) => {
          if (!is(asked, "POST", TAKE)) return;
          if (asked.sent?.force === true) forced.add(packageOf(asked));
          if (answered.status === 409 && forced.has(packageOf(asked))) {
            becomes(answered, 200, leaseOf(300));
          }
        },
      };
    },
  },
  {
    rule: "S2",
    what: "a take by the same run that is refused while its lease lasts",
    plant: () => {
      const runs = new Map<string, unknown>();
      return {
        seesBody: NO_SOUND,
        ask: (asked) => {
          const isAgain =
            runs.has(packageOf(asked)) && runs.get(packageOf(asked)) === asked.sent?.run_id;
          return is(asked, "POST", TAKE) && isAgain ? elsewhere(200) : undefined;
        },
        answer: ({ status }, asked) => {
          if (is(asked, "POST", TAKE) && status === 200) {
            runs.set(packageOf(asked), asked.sent?.run_id);
          }
          if (is(asked, "POST", RESULTS)) runs.delete(packageOf(asked));
        },
      };
    },
  },
  {
    rule: "S2",
    what: "a take without a run id that holds nothing",
    plant: () => {
      const unnamed = new Set<string>();
      return {
        seesBody: NO_SOUND,
        answer: (answered, asked) => {
          if (!is(asked, "POST", TAKE)) return;
          const id = packageOf(asked);
          if (answered.status === 409 && unnamed.has(id))
            return becomes(answered, 200, leaseOf(300));
          if (asked.sent?.run_id === undefined) unnamed.add(id);
          else unnamed.delete(id);
        },
      };
    },
  },
  {
    rule: "S2",
    what: "an import that can't be taken again once it is reported",
    also: ["S3"],
    plant: () => {
      const reported = new Set<string>();
      return {
        ask: (asked) =>
          is(asked, "POST", TAKE) && reported.has(packageOf(asked))
            ? refusal(409, "PACKAGE_IMPORTED")
            : undefined,
        answer: ({ status }, asked) => {
          if (is(asked, "POST", RESULTS) && status === 200) reported.add(packageOf(asked));
        },
      };
    },
  },
  {
    rule: "S3",
    what: "a report that doesn't end the lease",
    also: ["S2"],
    plant: () => {
      const taken = new Map<string, unknown>();
      return {
        seesBody: NO_SOUND,
        ask: (asked) => {
          const run = taken.get(packageOf(asked));
          const isRival = run !== undefined && run !== asked.sent?.run_id && !asked.sent?.force;
          return is(asked, "POST", TAKE) && isRival ? elsewhere(200) : undefined;
        },
        answer: ({ status }, asked) => {
          if (is(asked, "POST", TAKE) && status === 200) {
            taken.set(packageOf(asked), asked.sent?.run_id);
          }
        },
      };
    },
  },
  {
    rule: "S2",
    what: "a refused take without Retry-After",
    answer: ({ headers, json }) => {
      if (json?.code === "RUN_ELSEWHERE") delete headers["retry-after"];
    },
  },
  {
    rule: "S2",
    what: "a refused take whose Retry-After is always a minute",
    answer: ({ headers, json }) => {
      if (json?.code === "RUN_ELSEWHERE") headers["retry-after"] = "59";
    },
  },
  {
    rule: "S2",
    what: "a refused take that doesn't say the seconds in its text",
    answer: ({ json }) => {
      if (json?.code === "RUN_ELSEWHERE") json.error = "Another run imports this package.";
    },
  },
  {
    rule: "S2",
    what: "a refused take that names more seconds than there are",
    answer: ({ json, headers }) => {
      if (json?.code !== "RUN_ELSEWHERE") return;
      json.expires_in += 300;
      headers["retry-after"] = String(json.expires_in);
      json.error = `Taken for ${json.expires_in} s.`;
    },
  },
  {
    rule: "S2",
    what: "a lease that never ends",
    needs: "time",
    plant: () => {
      const runs = new Map<string, unknown>();
      return {
        seesBody: NO_SOUND,
        ask: (asked) => {
          const run = runs.get(packageOf(asked));
          const isRival = run !== undefined && run !== asked.sent?.run_id && !asked.sent?.force;
          return is(asked, "POST", TAKE) && isRival ? elsewhere(1) : undefined;
        },
        answer: ({ status }, asked) => {
          if (is(asked, "POST", RESULTS)) runs.delete(packageOf(asked));
          if (is(asked, "POST", TAKE) && status === 200) {
            runs.set(packageOf(asked), asked.sent?.run_id);
          }
        },
      };
    },
  },
];

function elsewhere(seconds: number): Answered {
  const answered = refusal(409, "RUN_ELSEWHERE", `Another run has it for ${seconds} s.`);
  answered.json.expires_in = seconds;
  answered.headers["retry-after"] = String(seconds);
  return answered;
}

function says({ json, headers }: Answered, seconds: number): void {
  json.error = json.error.replace(/\d+/, String(seconds));
  json.expires_in = seconds;
  headers["retry-after"] = String(seconds);
}

/** The seconds of a refused take never rise, except after a call that renews. */
function neverMore(renews: (asked: Asked, answered: Answered) => boolean): Break {
  const least = new Map<string, number>();
  return {
    answer: (answered, asked) => {
      const id = packageOf(asked);
      if (renews(asked, answered)) least.delete(id);
      if (answered.json?.code !== "RUN_ELSEWHERE") return;
      const seconds = Math.min(answered.json.expires_in, least.get(id) ?? Infinity);
      least.set(id, seconds);
      says(answered, seconds);
    },
  };
}

/** After a call that wrongly renews, the next refused take has the whole lease again. */
function renewedBy(renews: (asked: Asked, answered: Answered) => boolean): Break {
  const whole = new Map<string, number>();
  const renewed = new Set<string>();
  return {
    answer: (answered, asked) => {
      const id = packageOf(asked);
      if (is(asked, "POST", TAKE) && answered.status === 200) {
        whole.set(id, answered.json.expires_in);
        renewed.delete(id);
      }
      const seconds = whole.get(id);
      const isRefused = answered.json?.code === "RUN_ELSEWHERE";
      if (isRefused && renewed.has(id) && seconds !== undefined) says(answered, seconds);
      const isOfAll = id === "";
      if (renews(asked, answered))
        for (const one of isOfAll ? whole.keys() : [id]) renewed.add(one);
    },
  };
}
