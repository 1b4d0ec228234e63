import type { Answered, Break, Fault } from "./breaking-proxy.ts";
import { Counts, tokenOf } from "./memory.ts";
import { becomes, instead, is, STATUS, NO_SOUND, CLAIM, APPS, ME } from "./tools.ts";

/** Faults in room, in repeated claims, and in what caches may keep. */
export const CLAIM_FAULTS: readonly Fault[] = [
  { rule: "A4", what: "room that is always the same", plant: () => withRoom((_, first) => first) },
  {
    rule: "A4",
    what: "bytes left that announcements don't count for",
    plant: () => withRoom((room, first) => ({ ...room, bytes_left: first.bytes_left })),
  },
  {
    rule: "A4",
    what: "bytes left that a withdrawal doesn't give back",
    plant: () => withRoom((room, _, least) => ({ ...room, bytes_left: least.bytes_left })),
  },
  {
    rule: "A4",
    what: "waiting packages left that a commit doesn't count for",
    plant: () => withRoom((room, first) => ({ ...room, waiting_left: first.waiting_left })),
  },
  {
    rule: "A4",
    what: "waiting packages left that an announcement counts for, and not the commit",
    plant: () => {
      const uploading = new Counts();
      return {
        answer: ({ json, status }, asked) => {
          const token = tokenOf(asked);
          if (is(asked, "POST", /^\/packages$/) && status === 201) uploading.add(token);
          if (is(asked, "POST", /\/commit$/) && status === 200) uploading.add(token, -1);
          if (is(asked, "GET", ME) && json?.room !== undefined) {
            json.room.waiting_left -= uploading.of(token);
          }
        },
      };
    },
  },
  {
    rule: "A4",
    what: "no room in GET /app/me",
    answer: ({ json }, asked) => {
      if (is(asked, "GET", ME)) delete json?.room;
    },
  },
  {
    rule: "P13",
    what: "a claim whose Idempotency-Key is not looked at",
    ask: (asked) => {
      if (is(asked, "POST", CLAIM)) delete asked.headers["idempotency-key"];
      return undefined;
    },
  },
  {
    rule: "P13",
    what: "a repeated claim that gets the first token again",
    plant: () => repeated((first) => instead(200, first.json)),
  },
  {
    rule: "P13",
    what: "a claim for which the key alone decides",
    plant: () => {
      const answers = new Map<unknown, unknown>();
      return {
        answer: (answered, asked) => {
          const key = asked.headers["idempotency-key"];
          if (!is(asked, "POST", CLAIM) || key === undefined) return;
          if (answered.status === 200) answers.set(key, answered.json);
          else if (answers.has(key)) becomes(answered, 200, answers.get(key));
        },
      };
    },
  },
  {
    rule: "P13",
    what: "a repeated claim that leaves the first token valid",
    plant: () => {
      const tokens = new Map<unknown, string>();
      const replaced = new Map<string, string>();
      return {
        ask: (asked) => {
          const newer = replaced.get(tokenOf(asked));
          if (newer !== undefined) asked.headers["authorization"] = newer;
          return undefined;
        },
        answer: ({ json, status }, asked) => {
          const key = asked.headers["idempotency-key"];
          if (!is(asked, "POST", CLAIM) || status !== 200 || key === undefined) return;
          const token = `Bearer ${json.app_token}`;
          const before = tokens.get(key);
          if (before !== undefined) replaced.set(before, token);
          tokens.set(key, token);
        },
      };
    },
  },
  ...[
    { what: "the answer to a claim", isIt: CLAIM },
    { what: "the answer to a registration", isIt: /^\/importer\/register$/ },
    { what: "a pairing code", isIt: /^\/importer\/pairing-code$/ },
    { what: "a status", isIt: STATUS },
    { what: "the list of apps", isIt: APPS },
  ].map(({ what, isIt }): Fault => ({
    rule: "SEC1",
    what: `${what} that a cache may keep`,
    answer: ({ headers }, { path }) => {
      if (isIt.test(path.split("?")[0] ?? "")) headers["cache-control"] = "private, max-age=60";
    },
  })),
  {
    rule: "SEC1",
    what: "refusals that a cache may keep",
    answer: ({ headers, status }) => {
      if (status >= 400) delete headers["cache-control"];
    },
  },
];

interface Room {
  readonly bytes_left: number;
  readonly waiting_left: number;
}

/** Changes the room that an app reads, by what it read first and the least that it read. */
function withRoom(change: (room: Room, first: Room, least: Room) => Room): Break {
  const firsts = new Map<string, Room>();
  const leasts = new Map<string, Room>();
  return {
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", ME) || json?.room === undefined) return;
      const token = tokenOf(asked);
      const room: Room = json.room;
      const first = firsts.get(token) ?? room;
      const before = leasts.get(token) ?? room;
      const least = {
        bytes_left: Math.min(before.bytes_left, room.bytes_left),
        waiting_left: Math.min(before.waiting_left, room.waiting_left),
      };
      firsts.set(token, first);
      leasts.set(token, least);
      json.room = change(room, first, least);
    },
  };
}

/** Answers a claim that has an earlier one's key and app in place of the relay. */
function repeated(answerOf: (first: Answered) => Answered): Break {
  const firsts = new Map<string, Answered>();
  const keyOf = (asked: Parameters<NonNullable<Break["ask"]>>[0]) =>
    `${String(asked.headers["idempotency-key"])} ${String(asked.sent?.app_id)}`;
  return {
    seesBody: NO_SOUND,
    ask: (asked) => {
      const first = is(asked, "POST", CLAIM) ? firsts.get(keyOf(asked)) : undefined;
      return first === undefined ? undefined : answerOf(first);
    },
    answer: (answered, asked) => {
      const hasKey = asked.headers["idempotency-key"] !== undefined;
      if (is(asked, "POST", CLAIM) && hasKey && answered.status === 200) {
        firsts.set(keyOf(asked), { ...answered });
      }
    },
  };
}
