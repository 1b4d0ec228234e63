import type { Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, becomes, COMMIT, is, RESULTS, STATUS, TAKE } from "./tools.ts";
import { answering, idsOf, type Json, packageOf, sending, refused } from "./blind-tools.ts";

const HOUR_MS = 3_600_000;

/** Faults in the states of a package. */
export const STATE_FAULTS: readonly Fault[] = [
  {
    rule: "S1",
    what: "a package that waits once its last file is there",
    ...answering("GET", STATUS, ({ json }) => {
      const isWhole = Object.values(json.files).every((file) => file === "uploaded");
      if (json.status === "uploading" && isWhole) json.status = "waiting";
    }),
  },
  {
    rule: "S1",
    what: "a wait that begins again with a second commit",
    plant: () => {
      const firsts = new Map<string, number>();
      const ends = new Map<string, string>();
      return {
        answer: (answered, asked) => {
          const id = packageOf(asked);
          if (is(asked, "POST", COMMIT) && answered.json?.status === "waiting") {
            const first = firsts.get(id);
            if (first === undefined) firsts.set(id, Date.now());
            else {
              const passed = Math.max(1, Date.now() - first);
              const { expires_at: end } = answered.json;
              ends.set(id, new Date(Date.parse(end) + passed).toISOString());
            }
          }
          if (
            (is(asked, "POST", COMMIT) || is(asked, "GET", STATUS)) &&
            answered.status === 200 &&
            ends.has(id)
          ) {
            answered.json.expires_at = ends.get(id);
          }
        },
      };
    },
  },
  {
    rule: "S1",
    what: "only the first missing file named by a commit",
    answer: ({ json }) => {
      if (Array.isArray(json?.missing)) json.missing.length = 1;
    },
  },
  {
    rule: "S1",
    what: "a commit refused after the import",
    plant: () => {
      const reported = new Set<string>();
      return {
        ask: (asked) =>
          is(asked, "POST", COMMIT) && reported.has(packageOf(asked))
            ? refused(asked, 409, "PACKAGE_IMPORTED")
            : undefined,
        answer: ({ status }, asked) => {
          if (is(asked, "POST", RESULTS) && status === 200) reported.add(packageOf(asked));
        },
      };
    },
  },
  {
    rule: "S3",
    what: "results that stay as first reported",
    plant: () => {
      const results = new Map<string, Json>();
      return answering("GET", STATUS, ({ json }, asked) => {
        if (json.results === undefined) return;
        const first = results.get(packageOf(asked)) ?? json.results;
        results.set(packageOf(asked), first);
        json.results = first;
      });
    },
  },
  {
    rule: "S3",
    what: "sounds left out of a report taken for imported",
    plant: () => {
      const ids = new Map<string, string[]>();
      return {
        ...sending("POST", RESULTS, ({ results }, asked) => {
          for (const id of ids.get(packageOf(asked)) ?? []) results[id] ??= { status: "imported" };
        }),
        answer: (answered, asked) => {
          if (!is(asked, "POST", ANNOUNCE) || answered.status !== 201) return;
          ids.set(answered.json.package_id, idsOf(asked.sent));
        },
      };
    },
  },
  {
    rule: "S3",
    what: "skipped sounds counted as imported",
    plant: () => {
      const whole = new Set<string>();
      return {
        seesBody: true,
        answer: (answered, asked) => {
          const id = packageOf(asked);
          if (is(asked, "POST", RESULTS) && answered.status === 200) {
            const statuses = Object.values<Json>(asked.sent?.results ?? {}).map(({ status }) =>
              String(status),
            );
            whole.delete(id);
            if (answered.json.status === "partial" && !statuses.includes("failed")) whole.add(id);
          }
          if (answered.json?.status === "partial" && whole.has(id))
            answered.json.status = "imported";
        },
      };
    },
  },
  {
    rule: "S3",
    what: "unknown sounds of a report overlooked",
    answer: (answered) => {
      if (answered.json?.code === "SOUND_UNKNOWN") becomes(answered, 200, { status: "imported" });
    },
  },
  {
    rule: "S3",
    what: "a lease that goes on after the report",
    plant: () => {
      const runs = new Map<string, Json>();
      const done = new Map<string, Json>();
      return {
        seesBody: true,
        ask: (asked) => {
          const id = packageOf(asked);
          if (!is(asked, "POST", TAKE) || !done.has(id) || asked.sent?.force === true)
            return undefined;
          return done.get(id) === asked.sent?.run_id
            ? undefined
            : refused(asked, 409, "RUN_ELSEWHERE");
        },
        answer: ({ status }, asked) => {
          const id = packageOf(asked);
          if (status === 200 && is(asked, "POST", TAKE)) runs.set(id, asked.sent?.run_id);
          if (status === 200 && is(asked, "POST", RESULTS) && runs.has(id))
            done.set(id, runs.get(id));
        },
      };
    },
  },
  {
    rule: "S4",
    what: "a wait of 23 hours",
    answer: ({ json, status }, asked) => {
      if (status !== 200 || !(is(asked, "POST", COMMIT) || is(asked, "GET", STATUS))) return;
      if (json.status === "uploading" || typeof json.expires_at !== "string") return;
      json.expires_at = new Date(Date.parse(json.expires_at) - HOUR_MS).toISOString();
      json.expires_in -= 3600;
    },
  },
  {
    rule: "S7",
    what: "a status that still has the end of the upload window after the commit",
    plant: () => {
      const ends = new Map<string, string>();
      return {
        answer: ({ json, status }, asked) => {
          if (is(asked, "POST", ANNOUNCE) && status === 201)
            ends.set(json.package_id, json.expires_at);
          if (is(asked, "GET", STATUS) && status === 200 && json.status === "waiting") {
            json.expires_at = ends.get(packageOf(asked)) ?? json.expires_at;
          }
        },
      };
    },
  },
  {
    rule: "S7",
    what: "fractions of a second in a status's expires_in",
    ...answering("GET", STATUS, ({ json }) => void (json.expires_in &&= json.expires_in + 0.25)),
  },
  {
    rule: "S7",
    what: "a status that doesn't say that a run holds the package",
    ...answering("GET", STATUS, ({ json }) => void delete json.taken),
  },
  {
    rule: "S7",
    what: "skipped sounds shown as failed",
    ...answering("GET", STATUS, ({ json }) => {
      for (const result of Object.values<Json>(json.results ?? {})) {
        if (result.status === "skipped") result.status = "failed";
      }
    }),
  },
  {
    rule: "S7",
    what: "results without their path",
    ...answering("GET", STATUS, ({ json }) => {
      for (const result of Object.values<Json>(json.results ?? {})) delete result.path;
    }),
  },
  {
    rule: "S9",
    what: "reports only after a take",
    plant: () => {
      const taken = new Set<string>();
      return {
        ask: (asked) =>
          is(asked, "POST", RESULTS) && !taken.has(packageOf(asked))
            ? refused(asked, 409, "RUN_ELSEWHERE")
            : undefined,
        answer: ({ status }, asked) => {
          if (is(asked, "POST", TAKE) && status === 200) taken.add(packageOf(asked));
        },
      };
    },
  },
];
