import type { Answered, Fault } from "./breaking-proxy.ts";
import { becomes, COMMIT, is, PACKAGE, STATUS, UNPAIR } from "./tools.ts";
import { type Json, packageOf, tokenOf, refused } from "./blind-tools.ts";

function isCode({ json }: Answered, code: string): boolean {
  return json?.code === code;
}

/** Lets a withdrawal through that the relay refuses; then the package is gone for its app. */
function withdrawing(code: string): NonNullable<Fault["plant"]> {
  return () => {
    const gone = new Set<string>();
    return {
      ask: (asked) =>
        asked.path.startsWith("/packages/") && gone.has(packageOf(asked))
          ? refused(asked, 404, "PACKAGE_UNKNOWN")
          : undefined,
      answer: (answered, asked) => {
        if (!is(asked, "DELETE", PACKAGE) || !isCode(answered, code)) return;
        gone.add(packageOf(asked));
        becomes(answered, 200, {});
      },
    };
  };
}

/** Refuses a withdrawal of a package whose last status, which somebody read or the relay answered, is this. */
function keeping(status: string, code: string): NonNullable<Fault["plant"]> {
  return () => {
    const statuses = new Map<string, string>();
    return {
      ask: (asked) =>
        is(asked, "DELETE", PACKAGE) && statuses.get(packageOf(asked)) === status
          ? refused(asked, 409, code)
          : undefined,
      answer: (answered, asked) => {
        if (typeof answered.json?.status === "string" && packageOf(asked) !== "") {
          statuses.set(packageOf(asked), answered.json.status);
        }
      },
    };
  };
}

/** Faults in what takes packages back. */
export const WITHDRAWAL_FAULTS: readonly Fault[] = [
  {
    rule: "S6",
    what: "no withdrawal after the commit",
    plant: keeping("waiting", "PACKAGE_IMPORTED"),
  },
  {
    rule: "S6",
    what: "no withdrawal of a failed package",
    plant: keeping("failed", "PACKAGE_IMPORTED"),
  },
  { rule: "S6", what: "a withdrawal of what was imported", plant: withdrawing("PACKAGE_IMPORTED") },
  { rule: "S6", what: "a withdrawal during the import", plant: withdrawing("PACKAGE_TAKEN") },
  {
    rule: "S6",
    what: "a status of expired instead of 404 after a withdrawal",
    plant: () => {
      const last = new Map<string, Json>();
      return {
        answer: (answered, asked) => {
          const key = packageOf(asked) + tokenOf(asked);
          if (is(asked, "POST", COMMIT) && answered.status === 200) last.set(key, answered.json);
          if (is(asked, "GET", STATUS) && isCode(answered, "PACKAGE_UNKNOWN") && last.has(key)) {
            becomes(answered, 200, {
              ...last.get(key),
              status: "expired",
              expires_at: null,
              expires_in: null,
            });
          }
        },
      };
    },
  },
  {
    rule: "S6",
    what: "a second withdrawal that is 200 again",
    answer: (answered, asked) => {
      if (is(asked, "DELETE", PACKAGE) && isCode(answered, "PACKAGE_UNKNOWN"))
        becomes(answered, 200, {});
    },
  },
  {
    rule: "A3",
    what: "waiting packages that go when their app unpairs itself",
    plant: () => {
      const owners = new Map<string, string>();
      const gone = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (is(asked, "POST", COMMIT) && answered.status === 200)
            owners.set(packageOf(asked), tokenOf(asked));
          if (is(asked, "POST", UNPAIR) && answered.status === 200) gone.add(tokenOf(asked));
          if (is(asked, "GET", /^\/importer\/packages$/) && answered.status === 200) {
            answered.json.packages = answered.json.packages.filter(
              ({ package_id: id }: Json) => !gone.has(owners.get(id) ?? ""),
            );
          }
        },
      };
    },
  },
];
