import type { Answered, Break, Fault } from "./breaking-proxy.ts";
import { packageOf, packagesIn, type Said, tokenOf } from "./memory.ts";
import {
  ANNOUNCE,
  becomes,
  COMMIT,
  forgive,
  instead,
  is,
  refusal,
  STATUS,
  TAKE,
  NO_SOUND,
  IMPORTER_LIST,
} from "./tools.ts";

const OWN_LIST = /^\/packages$/;

/** Faults in withdrawals, lists, ids and Idempotency-Keys. */
export const LIST_FAULTS: readonly Fault[] = [
  {
    rule: "S6",
    what: "a withdrawal of a package that is being imported",
    also: ["S2"],
    answer: forgive("PACKAGE_TAKEN"),
  },
  {
    rule: "S6",
    what: "a withdrawal that is 204",
    also: ["A4", "M10", "U3", "U10"],
    answer: (answered, { method, path }) => {
      if (method === "DELETE" && path.startsWith("/packages/") && answered.status === 200) {
        answered.status = 204;
      }
    },
  },
  {
    rule: "S7",
    what: "a status that doesn't say `taken`",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", STATUS)) delete json?.taken;
    },
  },
  {
    rule: "S7",
    what: "a status that says `taken` after the report, too",
    plant: () => {
      const taken = new Set<string>();
      return {
        answer: ({ json, status }, asked) => {
          if (is(asked, "POST", TAKE) && status === 200) taken.add(packageOf(asked));
          if (is(asked, "GET", STATUS) && status === 200 && taken.has(packageOf(asked))) {
            json.taken = true;
          }
        },
      };
    },
  },
  {
    rule: "S7",
    what: "an app's list with the oldest package first",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", OWN_LIST)) json?.packages?.reverse();
    },
  },
  {
    rule: "S7",
    what: "an app's list that looks at no status",
    ask: (asked) => {
      if (is(asked, "GET", OWN_LIST)) asked.path = asked.path.replace(/status=[^&]*/, "");
      return undefined;
    },
  },
  {
    rule: "S7",
    what: "an app's list whose cursor is not looked at",
    ask: (asked) => {
      if (is(asked, "GET", OWN_LIST)) asked.path = asked.path.replace(/after=[^&]*/, "");
      return undefined;
    },
  },
  {
    rule: "S7",
    what: "an app's list without titles",
    answer: (answered, asked) => {
      if (!is(asked, "GET", OWN_LIST)) return;
      for (const one of packagesIn(answered)) one.title = "Untitled";
    },
  },
  {
    rule: "S7",
    what: "an app's list in which what is uploading waits",
    answer: (answered, asked) => {
      if (!is(asked, "GET", OWN_LIST)) return;
      for (const one of packagesIn(answered)) one.status = "waiting";
    },
  },
  {
    rule: "I1",
    what: "an importer's list with the oldest package first",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", IMPORTER_LIST)) json?.packages?.reverse();
    },
  },
  {
    rule: "I1",
    what: "an importer's list in which reported packages come first",
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", IMPORTER_LIST)) return;
      json?.packages?.sort((one: Listed, other: Listed) => rankOf(other) - rankOf(one));
    },
  },
  {
    rule: "I1",
    what: "an importer's list in the order of commits alone",
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", IMPORTER_LIST)) return;
      json?.packages?.sort((one: Listed, other: Listed) =>
        other.committed_at.localeCompare(one.committed_at),
      );
    },
  },
  {
    rule: "M4",
    what: "a package_id that the importer's manifest keeps",
    plant: () =>
      withSentIds(([sent, one]) => void (one.manifest && (one.manifest.package_id = sent))),
  },
  {
    rule: "M4",
    what: "a package_id that the status keeps",
    plant: () =>
      withSentIds(([sent, one]) => {
        if (one.manifest === undefined && one.upload === undefined) one.package_id = sent;
      }),
  },
  {
    rule: "M9",
    what: "a refusal that uses an Idempotency-Key up",
    plant: () => {
      const used = new Set<string>();
      return {
        ask: (asked) => {
          const key = asked.headers["idempotency-key"];
          return is(asked, "POST", ANNOUNCE) && used.has(`${tokenOf(asked)} ${String(key)}`)
            ? refusal(422, "IDEMPOTENCY_KEY_REUSED")
            : undefined;
        },
        answer: ({ status }, asked) => {
          const key = asked.headers["idempotency-key"];
          if (key !== undefined && (status === 422 || status === 400)) {
            used.add(`${tokenOf(asked)} ${String(key)}`);
          }
        },
      };
    },
  },
  {
    rule: "M9",
    what: "an Idempotency-Key that all apps share",
    plant: () => {
      const answers = new Map<unknown, Answered>();
      return {
        ask: (asked) => {
          const before = answers.get(asked.headers["idempotency-key"]);
          const isOther = before !== undefined && before.headers["of"] !== tokenOf(asked);
          return is(asked, "POST", ANNOUNCE) && isOther ? instead(201, before.json) : undefined;
        },
        answer: (answered, asked) => {
          const key = asked.headers["idempotency-key"];
          if (key !== undefined && answered.status === 201) {
            answers.set(key, { ...answered, headers: { of: tokenOf(asked) } });
          }
        },
      };
    },
  },
  {
    rule: "M9",
    what: "a replay after the commit that is refused",
    plant: () => {
      const committed = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (is(asked, "POST", COMMIT) && answered.status === 200) committed.add(packageOf(asked));
          const isReplay = is(asked, "POST", ANNOUNCE) && committed.has(answered.json?.package_id);
          if (isReplay)
            becomes(answered, 409, { error: "Committed already.", code: "NOT_UPLOADING" });
        },
      };
    },
  },
  {
    rule: "M9",
    what: "an Idempotency-Key that a withdrawal doesn't free",
    plant: () => {
      const keys = new Map<string, string>();
      const withdrawn = new Set<string>();
      return {
        ask: (asked) => {
          const id = keys.get(String(asked.headers["idempotency-key"]));
          return is(asked, "POST", ANNOUNCE) && id !== undefined && withdrawn.has(id)
            ? refusal(422, "IDEMPOTENCY_KEY_REUSED")
            : undefined;
        },
        answer: ({ status, json }, asked) => {
          const key = asked.headers["idempotency-key"];
          if (status === 201 && key !== undefined) keys.set(String(key), json.package_id);
          if (asked.method === "DELETE" && status === 200) withdrawn.add(packageOf(asked));
        },
      };
    },
  },
];

interface Listed {
  readonly status: string;
  readonly committed_at: string;
}

function rankOf({ status }: Listed): number {
  return status === "waiting" ? 0 : 1;
}

/** Changes what is said of packages whose manifest sent an id. */
function withSentIds(change: (pair: readonly [string, Said]) => void): Break {
  const sent = new Map<string, string>();
  return {
    seesBody: NO_SOUND,
    answer: (answered, asked) => {
      const own = asked.sent?.package_id;
      const isAnnounced = is(asked, "POST", ANNOUNCE) && answered.status === 201;
      if (isAnnounced && typeof own === "string") sent.set(answered.json.package_id, own);
      for (const one of packagesIn(answered)) {
        const id = sent.get(one.package_id);
        if (id !== undefined) change([id, one]);
      }
    },
  };
}
