import type { Break, Fault } from "./breaking-proxy.ts";
import { Counts, leaseOf, packageOf, packagesIn, type Said } from "./memory.ts";
import { COMMIT, forgive, is, STATUS } from "./tools.ts";

const IMPORTABLE = /^\/importer\/packages\/[^/]+$/;
const MINUTE_MS = 60_000;

/** Faults in the way of a package to its commit, and in its lists. */
export const STATE_FAULTS: readonly Fault[] = [
  ...(["expires_at", "committed_at"] as const).map((name): Fault => ({
    rule: "S1",
    what: `a second commit that moves ${name}`,
    plant: () =>
      afterSecondCommit((one) => {
        if (typeof one[name] === "string") one[name] = laterText(one[name]);
      }),
  })),
  {
    rule: "S1",
    what: "a second commit that is a change of its own",
    plant: () => afterSecondCommit((one) => void (one.version += 1)),
  },
  {
    rule: "S1",
    what: "a second commit after which an imported package waits again",
    plant: () =>
      afterSecondCommit((one) => {
        if (one.status === "imported") one.status = "waiting";
      }),
  },
  {
    rule: "S1",
    what: "a second commit that ends a run's lease",
    plant: () =>
      afterSecondCommit((one) => {
        if (one.taken === true) one.taken = false;
      }),
  },
  {
    rule: "S1",
    what: "a package that waits as soon as every file is there",
    answer: ({ json }) => {
      if (json?.status !== "uploading" || json.files === undefined) return;
      if (!Object.values(json.files).includes("missing")) json.status = "waiting";
    },
  },
  {
    rule: "S1",
    what: "a commit that is 202",
    also: ["M1", "M10", "U8"],
    answer: (answered, asked) => {
      if (is(asked, "POST", COMMIT) && answered.status === 200) answered.status = 202;
    },
  },
  {
    rule: "S1",
    what: "a commit with files missing that is 422",
    also: ["U1"],
    answer: (answered, asked) => {
      if (is(asked, "POST", COMMIT) && answered.json?.code === "FILES_MISSING")
        answered.status = 422;
    },
  },
  {
    rule: "S1",
    what: "a commit that takes a package with files missing",
    also: ["E1", "U1"],
    answer: forgive("FILES_MISSING"),
  },
  {
    rule: "S1",
    what: "a commit that doesn't name the missing files in its text",
    also: ["E1"],
    answer: ({ json }) => {
      if (json?.code === "FILES_MISSING") json.error = "Some files are missing.";
    },
  },
  {
    rule: "S1",
    what: "a commit that names only the first missing file",
    also: ["E1"],
    answer: ({ json }) => {
      if (json?.code === "FILES_MISSING") json.missing = json.missing.slice(0, 1);
    },
  },
  {
    rule: "S1",
    what: "a report on a package that was not committed",
    answer: (answered, asked) => {
      if (is(asked, "POST", /\/results$/)) return forgive("PACKAGE_NOT_COMMITTED")(answered, asked);
    },
  },
  {
    rule: "S1",
    what: "a take of a package that was not committed",
    also: ["S2"],
    answer: forgive("PACKAGE_NOT_COMMITTED", leaseOf(300)),
  },
  {
    rule: "S4",
    what: "a wait that is counted from the announcement",
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", STATUS) || json?.status !== "waiting") return;
      const offset = Date.parse(json.created_at) % 1000;
      const ends = Math.floor(Date.parse(json.expires_at) / 1000) * 1000 - 1000 + offset;
      json.expires_at = new Date(ends).toISOString();
    },
  },
  {
    rule: "S1",
    what: "a package that the importer can read before the commit",
    answer: (answered, asked) => {
      if (is(asked, "GET", IMPORTABLE)) return forgive("PACKAGE_NOT_COMMITTED")(answered, asked);
    },
  },
];

function laterText(time: string): string {
  return new Date(Date.parse(time) + MINUTE_MS).toISOString();
}

/** Changes what is said of packages that were committed more than once. */
function afterSecondCommit(change: (one: Said) => void): Break {
  const commits = new Counts();
  return {
    answer: (answered, asked) => {
      if (is(asked, "POST", COMMIT) && answered.status === 200) commits.add(packageOf(asked));
      for (const one of packagesIn(answered)) if (commits.of(one.package_id) > 1) change(one);
    },
  };
}
