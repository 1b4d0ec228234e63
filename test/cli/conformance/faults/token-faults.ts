import { Counts, LastMes, packageOf, packagesIn, tokenOf } from "./memory.ts";
import type { Break, Fault } from "./breaking-proxy.ts";
import {
  becomes,
  instead,
  is,
  refusal,
  NO_SOUND,
  CLAIM,
  APPS,
  UNPAIR,
  ME,
  IMPORTER_LIST,
} from "./tools.ts";

const ONE_APP = /^\/importer\/apps\//;

/** Faults in tokens and unpairing. */
export const TOKEN_FAULTS: readonly Fault[] = [
  { rule: "P5", what: "a token that is never dropped", plant: () => tokensOf((nth) => nth === 0) },
  {
    rule: "P5",
    what: "an eleventh pairing that drops the newest token",
    plant: () => {
      const ended = tokensOf((nth) => nth === 0);
      return { ...ended, ask: (asked) => ended.refuse(asked, (nth) => nth === 10) };
    },
  },
  {
    rule: "P5",
    what: "an eleventh pairing that drops all tokens but the newest",
    plant: () => {
      const ended = tokensOf(() => false);
      return {
        ...ended,
        ask: (asked) => ended.refuse(asked, (nth, count) => count > 10 && nth < 10),
      };
    },
  },
  {
    rule: "P5",
    what: "a sixth pairing that drops the first token",
    plant: () => {
      const ended = tokensOf(() => false);
      return { ...ended, ask: (asked) => ended.refuse(asked, (nth, count) => nth < count - 5) };
    },
  },
  {
    rule: "P5",
    what: "an eleventh pairing that is refused",
    plant: () => {
      const claims = new Counts();
      return {
        seesBody: NO_SOUND,
        ask: (asked) =>
          is(asked, "POST", CLAIM) && claims.add(String(asked.sent?.app_id)) > 10
            ? refusal(409, "TOKENS_TOO_MANY", "This app has ten tokens.")
            : undefined,
      };
    },
  },
  {
    rule: "P5",
    what: "unpairing by the user that revokes only the newest token",
    plant: () => {
      const ended = tokensOf(() => false);
      const mes = new LastMes();
      const left = new Set<string>();
      return {
        ...ended,
        answer: (answered, asked) => {
          ended.answer?.(answered, asked);
          mes.note(answered, asked);
          if (is(asked, "DELETE", ONE_APP) && answered.status === 200) {
            for (const token of ended.older()) left.add(token);
          }
          const again = left.has(tokenOf(asked)) ? mes.again(asked) : undefined;
          if (answered.status === 401 && again !== undefined) becomes(answered, 200, again.json);
        },
      };
    },
  },
  {
    rule: "P5",
    what: "an app that is listed once for each pairing",
    plant: () => {
      const names = new Map<string, string[]>();
      return {
        seesBody: NO_SOUND,
        answer: ({ json, status }, asked) => {
          const { app_id: id, app_name: name } = asked.sent ?? {};
          if (is(asked, "POST", CLAIM) && status === 200)
            names.set(id, [...(names.get(id) ?? []), name]);
          if (!is(asked, "GET", APPS) || json?.apps === undefined) return;
          for (const all of names.values()) {
            const [newest, ...older] = all.toReversed();
            const app = json.apps.find((one: { app_name: string }) => one.app_name === newest);
            if (app !== undefined) {
              for (const old of older) json.apps.push({ ...app, app_name: old });
            }
          }
        },
      };
    },
    // A repeated claim is none of its own here either.
    also: ["P13"],
  },
  {
    rule: "A3",
    what: "an unpairing that leaves the token as it is",
    also: ["A2", "P5", "S8"],
    ask: (asked) =>
      is(asked, "POST", UNPAIR) && asked.headers["authorization"] !== undefined
        ? instead(200, {})
        : undefined,
  },
  {
    rule: "A3",
    what: "an upload that runs on after its app was unpaired",
    also: ["P5"],
    plant: () => {
      const gone = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (is(asked, "POST", UNPAIR) && answered.status === 200) gone.add(tokenOf(asked));
          if (asked.method === "PUT" && answered.status === 401 && gone.has(tokenOf(asked))) {
            becomes(answered, 200, {});
          }
        },
      };
    },
  },
  {
    rule: "A3",
    what: "unpairing by the user that leaves what waits",
    plant: () => {
      const waiting = new Map<string, unknown>();
      return {
        answer: (answered, asked) => {
          const { json, status } = answered;
          if (is(asked, "POST", /\/commit$/) && status === 200) {
            waiting.set(json.package_id, { ...json, manifest: {}, files: {}, taken: false });
          }
          if (is(asked, "DELETE", /^\/packages\//)) waiting.delete(packageOf(asked));
          if (!is(asked, "GET", IMPORTER_LIST) || status !== 200) return;
          const ids = new Set(packagesIn(answered).map((one) => one.package_id));
          if (ids.size === 0) return;
          json.packages.push(...[...waiting].filter(([id]) => !ids.has(id)).map(([, one]) => one));
        },
      };
    },
  },
  {
    rule: "A3",
    what: "an app that unpairs itself and takes what waits with it",
    plant: () => {
      const names = new Map<string, string>();
      const gone = new Set<string>();
      return {
        answer: ({ json, status }, asked) => {
          if (is(asked, "GET", ME) && status === 200) names.set(tokenOf(asked), json.app_name);
          const name = names.get(tokenOf(asked));
          if (is(asked, "POST", UNPAIR) && name !== undefined) gone.add(name);
          if (!is(asked, "GET", IMPORTER_LIST) || json?.packages === undefined) return;
          json.packages = json.packages.filter(
            (one: { app_name: string }) => !gone.has(one.app_name),
          );
        },
      };
    },
  },
  {
    rule: "P8",
    what: "a removed computer whose apps keep their tokens",
    plant: () => {
      const mes = new LastMes();
      const seen = new Set<string>();
      return {
        ask: (asked) => {
          if (is(asked, "POST", UNPAIR)) seen.delete(tokenOf(asked));
          if (is(asked, "DELETE", ONE_APP)) seen.clear();
          return undefined;
        },
        answer: (answered, asked) => {
          const token = tokenOf(asked);
          if (is(asked, "POST", /^\/packages$/) && answered.status === 201) seen.add(token);
          mes.note(answered, asked);
          const isLost = is(asked, "GET", ME) && answered.status === 401 && seen.has(token);
          if (isLost) becomes(answered, 200, mes.again(asked)?.json ?? {});
        },
      };
    },
  },
];

/** Follows the tokens of each app in the order of its claims. */
function tokensOf(stays: (nth: number) => boolean) {
  const tokens = new Map<string, string[]>();
  const gone = new Set<string>();
  const placeOf = (token: string) => {
    const own = [...tokens.values()].find((all) => all.includes(token)) ?? [];
    return { nth: own.indexOf(token), own };
  };
  return {
    seesBody: NO_SOUND,
    ask: (asked) => {
      if (is(asked, "POST", UNPAIR)) gone.add(tokenOf(asked));
      const { nth, own } = placeOf(tokenOf(asked));
      const isDropped = own.length > 10 && nth < own.length - 10;
      const newest = own.at(-1);
      if (isDropped && stays(nth) && newest !== undefined) asked.headers["authorization"] = newest;
      return undefined;
    },
    answer: ({ json, status }, asked) => {
      if (!is(asked, "POST", CLAIM) || status !== 200) return;
      const id = String(asked.sent?.app_id);
      tokens.set(id, [...(tokens.get(id) ?? []), `Bearer ${json.app_token}`]);
    },
    /** Refuses the calls with some of an app's tokens, by their number and how many there are. */
    refuse: (
      asked: Parameters<NonNullable<Break["ask"]>>[0],
      isMeant: (nth: number, count: number) => boolean,
    ) => {
      const { nth, own } = placeOf(tokenOf(asked));
      if (nth < 0 || !isMeant(nth, own.length)) return undefined;
      const refused = refusal(401, "TOKEN_UNKNOWN", "This token is not known.");
      refused.headers["www-authenticate"] = "Bearer";
      return refused;
    },
    /** All tokens but the newest of each app. */
    older: () => [...tokens.values()].flatMap((all) => all.slice(0, -1)),
  } satisfies Break & Record<string, unknown>;
}
