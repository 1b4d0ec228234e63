import { Counts, packageOf, packagesIn, tokenOf } from "./memory.ts";
import type { Asked, Break, Fault } from "./breaking-proxy.ts";
import { becomes, forgive, is, refusal, RESULTS, STATUS, TAKE, NO_SOUND } from "./tools.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- results of every shape
type Results = Record<string, any>;

/** Faults in reports and their results. */
export const REPORT_FAULTS: readonly Fault[] = [
  {
    rule: "S3",
    what: "results of which the first stay",
    also: ["M7", "S7"],
    plant: () => rereported((id, kept, results) => kept.get(id) ?? results),
  },
  {
    rule: "S3",
    what: "results that a newer report completes instead of replacing them",
    plant: () =>
      rereported((id, kept, results, sent) => ({
        ...results,
        ...Object.fromEntries(
          Object.entries(kept.get(id) ?? {}).filter(([sound]) => !Object.hasOwn(sent, sound)),
        ),
      })),
  },
  {
    rule: "S3",
    what: "results whose notes and tracks stay from the report before",
    plant: () =>
      rereported((id, kept, results) =>
        Object.fromEntries(
          Object.entries(results).map(([sound, result]) => [
            sound,
            { ...kept.get(id)?.[sound], ...result },
          ]),
        ),
      ),
  },
  {
    rule: "S3",
    what: "a second report that is refused",
    also: ["S1", "S2", "S7"],
    plant: () => {
      const reports = new Counts();
      return {
        ask: (asked) =>
          is(asked, "POST", RESULTS) &&
          // A relay asks for the token first.
          String(asked.headers["authorization"]).includes("sfi_") &&
          reports.add(packageOf(asked)) > 1
            ? refusal(409, "PACKAGE_IMPORTED")
            : undefined,
      };
    },
  },
  {
    rule: "S3",
    what: "a partial import that counts as imported",
    answer: (answered) => {
      for (const one of packagesIn(answered)) if (one.status === "partial") one.status = "imported";
    },
  },
  {
    rule: "S3",
    what: "a failed import that counts as partial",
    also: ["S1", "S2", "S8"],
    answer: (answered) => {
      for (const one of packagesIn(answered)) if (one.status === "failed") one.status = "partial";
    },
  },
  {
    rule: "S3",
    what: "a sound without a result that is left out",
    also: ["M7"],
    plant: () =>
      rereported((_, __, results, sent) =>
        Object.fromEntries(Object.entries(results).filter(([sound]) => Object.hasOwn(sent, sound))),
      ),
  },
  {
    rule: "S3",
    what: "a skipped sound that has failed",
    also: ["S7"],
    answer: ({ json }) => {
      for (const result of Object.values<Results>(json?.results ?? {})) {
        if (result["status"] === "skipped") result["status"] = "failed";
      }
    },
  },
  {
    rule: "S3",
    what: "a report on a sound that the package doesn't have, and that is taken",
    answer: forgive("SOUND_UNKNOWN", { status: "imported" }),
  },
  {
    rule: "S3",
    what: "a report's answer without the status",
    answer: (answered, asked) => {
      if (is(asked, "POST", RESULTS) && answered.status === 200) answered.json = {};
    },
  },
  {
    rule: "S3",
    what: "results that go by position",
    also: ["M7"],
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", STATUS) || json?.results === undefined) return;
      const results = Object.values(json.results);
      json.results = Object.fromEntries(results.map((one, at) => [String(at + 1), one]));
    },
  },
  {
    rule: "S3",
    what: "results without differences",
    also: ["S7"],
    answer: ({ json }) => {
      for (const result of Object.values<Results>(json?.results ?? {}))
        delete result["differences"];
    },
  },
  {
    rule: "S9",
    what: "a report that any computer may send",
    also: ["I1"],
    answer: (answered, asked) => {
      if (is(asked, "POST", RESULTS)) return forgive("PACKAGE_UNKNOWN")(answered, asked);
    },
  },
  {
    rule: "I2",
    what: "`kept` that apps see",
    plant: () => {
      const kept = new Set<string>();
      return {
        seesBody: NO_SOUND,
        answer: ({ json }, asked) => {
          const id = packageOf(asked);
          const sent = Object.values<Results>(asked.sent?.results ?? {});
          if (sent.some((result) => result?.["kept"] === true)) kept.add(id);
          if (!is(asked, "GET", STATUS) || !kept.has(id)) return;
          for (const result of Object.values<Results>(json?.results ?? {})) result["kept"] = true;
        },
      };
    },
  },
  {
    rule: "S6",
    what: "a withdrawal of a failed package that is refused",
    plant: () => {
      const failed = new Set<string>();
      return {
        ask: (asked) =>
          asked.method === "DELETE" && failed.has(packageOf(asked))
            ? refusal(409, "PACKAGE_IMPORTED")
            : undefined,
        answer: ({ json }, asked) => {
          if (is(asked, "POST", RESULTS) && json?.status === "failed") failed.add(packageOf(asked));
          if (is(asked, "POST", TAKE)) failed.delete(packageOf(asked));
        },
      };
    },
  },
  {
    rule: "S9",
    what: "a report on a withdrawn package that is taken",
    plant: () => {
      const withdrawn = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (asked.method === "DELETE" && answered.status === 200 && tokenOf(asked) !== "") {
            withdrawn.add(packageOf(asked));
          }
          if (is(asked, "POST", RESULTS) && withdrawn.has(packageOf(asked))) {
            becomes(answered, 200, { status: "imported" });
          }
        },
      };
    },
  },
];

/**
 * Changes the results that are read of a package.
 * @param change gets its id, the results of the first report of each package, the relay's results, and those of the
 * last report
 */
function rereported(
  change: (
    id: string,
    first: ReadonlyMap<string, Results>,
    results: Results,
    sent: Results,
  ) => Results,
): Break {
  const first = new Map<string, Results>();
  const last = new Map<string, Results>();
  return {
    seesBody: NO_SOUND,
    answer: ({ status, json }, asked: Asked) => {
      const id = packageOf(asked);
      const sent: unknown = asked.sent?.results;
      if (is(asked, "POST", RESULTS) && status === 200 && typeof sent === "object") {
        if (!first.has(id)) first.set(id, storedOf({ ...sent }));
        last.set(id, { ...sent });
      }
      if (asked.method === "GET" && json?.results !== undefined) {
        json.results = change(id, first, json.results, last.get(id) ?? {});
      }
    },
  };
}

/** The results that a relay stores: apps see no `kept`. */
function storedOf(sent: Results): Results {
  const stored = structuredClone(sent);
  for (const result of Object.values(stored)) delete result.kept;
  return stored;
}
