import type { Answered, Asked, Fault } from "./breaking-proxy.ts";
import { becomes, DOWNLOAD, is, RESULTS, STATUS, TAKE } from "./tools.ts";
import { answering, callBeside, type Json, packageOf, sending, refused } from "./blind-tools.ts";

function isRefusedTake({ json }: Answered, asked: Asked): boolean {
  return is(asked, "POST", TAKE) && json?.code === "RUN_ELSEWHERE";
}

/** Faults in the leases of runs. */
export const LEASE_FAULTS: readonly Fault[] = [
  {
    rule: "S2",
    what: "a repeated take that renews nothing",
    plant: () => {
      const ends = new Map<string, Json>();
      return {
        seesBody: true,
        answer: (answered, asked) => {
          if (!is(asked, "POST", TAKE) || answered.status !== 200) return;
          const key = `${packageOf(asked)} ${asked.sent?.run_id}`;
          const first = ends.get(key) ?? answered.json;
          ends.set(key, first);
          answered.json = first;
        },
      };
    },
  },
  {
    rule: "S2",
    what: "downloads that renew no lease",
    needs: "time",
    plant: () => {
      const ends = new Map<string, number>();
      return {
        answer: async (answered, asked) => {
          const id = packageOf(asked);
          if (is(asked, "POST", TAKE) && answered.status === 200)
            ends.set(id, Date.parse(answered.json.expires_at));
          if (!isRefusedTake(answered, asked)) return;
          const { now } = await callBeside(asked, "GET", "/importer/hello");
          if (Date.parse(now) <= (ends.get(id) ?? Infinity)) return;
          const end = {
            expires_at: new Date(Date.parse(now) + 60_000).toISOString(),
            expires_in: 60,
          };
          becomes(answered, 200, end);
          delete answered.headers["retry-after"];
        },
      };
    },
  },
  {
    rule: "S2",
    what: "a lease that a refused rival renews",
    needs: "time",
    plant: () => {
      const runs = new Map<string, Json>();
      return {
        seesBody: true,
        answer: async (answered, asked) => {
          if (is(asked, "POST", TAKE) && answered.status === 200)
            runs.set(packageOf(asked), asked.sent ?? {});
          if (!isRefusedTake(answered, asked)) return;
          await callBeside(asked, "POST", asked.path, {
            ...runs.get(packageOf(asked)),
            force: false,
          });
        },
      };
    },
  },
  { rule: "S2", what: "force ignored", ...sending("POST", TAKE, (sent) => void delete sent.force) },
  {
    rule: "S2",
    what: "run ids ignored",
    ...sending("POST", TAKE, (sent) => {
      if (typeof sent.run_id === "string" && sent.run_id.length <= 100) sent.run_id = "one";
    }),
  },
  {
    rule: "S2",
    what: "run ids compared without letter case",
    ...sending("POST", TAKE, (sent) => {
      if (typeof sent.run_id === "string") sent.run_id = sent.run_id.toLowerCase();
    }),
  },
  {
    rule: "S2",
    what: "a run of its own for each take without a run id",
    plant: () => {
      let runs = 0;
      return {
        seesBody: true,
        ask: (asked) => {
          if (!is(asked, "POST", TAKE) || asked.sent?.run_id !== undefined) return undefined;
          asked.body = Buffer.from(JSON.stringify({ ...asked.sent, run_id: `run ${(runs += 1)}` }));
          return undefined;
        },
      };
    },
  },
  {
    rule: "S2",
    what: "the lease in milliseconds",
    ...answering("POST", TAKE, ({ json }) => void (json.expires_in *= 1000)),
  },
  {
    rule: "S2",
    what: "no Retry-After for the rival of a run",
    answer: (answered, asked) => {
      if (isRefusedTake(answered, asked)) delete answered.headers["retry-after"];
    },
  },
  {
    rule: "S2",
    what: "an end of the lease as a date in the rival's Retry-After",
    answer: (answered, asked) => {
      if (!isRefusedTake(answered, asked)) return;
      answered.headers["retry-after"] = new Date(Date.now() + 300_000).toUTCString();
    },
  },
  {
    rule: "S2",
    what: "no second take after the import",
    plant: () => {
      const reported = new Set<string>();
      return {
        ask: (asked) =>
          is(asked, "POST", TAKE) && reported.has(packageOf(asked))
            ? refused(asked, 409, "PACKAGE_IMPORTED")
            : undefined,
        answer: ({ json, status }, asked) => {
          if (is(asked, "POST", RESULTS) && status === 200 && json.status === "imported")
            reported.add(packageOf(asked));
        },
      };
    },
  },
  {
    rule: "S2",
    what: "a status of importing while a run holds the package",
    ...answering("GET", STATUS, ({ json }) => {
      if (json.taken === true && json.status === "waiting") json.status = "importing";
    }),
  },
  {
    rule: "I2",
    what: "downloads only for the run that holds the package",
    plant: () => {
      const taken = new Set<string>();
      return {
        ask: (asked) =>
          is(asked, "GET", DOWNLOAD) && !taken.has(packageOf(asked))
            ? refused(asked, 409, "RUN_ELSEWHERE")
            : undefined,
        answer: ({ status }, asked) => {
          if (is(asked, "POST", TAKE) && status === 200) taken.add(packageOf(asked));
        },
      };
    },
  },
];
