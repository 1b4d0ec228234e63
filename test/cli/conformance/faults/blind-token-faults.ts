import { becomes, ME } from "./tools.ts";
import { answering, changeText, type Json, tokenOf, refused } from "./blind-tools.ts";
import type { Fault } from "./breaking-proxy.ts";

/** Faults in tokens. */
export const TOKEN_FAULTS: readonly Fault[] = [
  {
    rule: "A2",
    what: "tokens in the query",
    ask: (asked) => {
      const token = /[?&](?:access_token|token|app_token)=([^&]+)/.exec(asked.path)?.[1];
      if (token !== undefined)
        asked.headers["authorization"] ??= `Bearer ${decodeURIComponent(token)}`;
      return undefined;
    },
  },
  {
    rule: "A2",
    what: "tokens in a cookie",
    ask: (asked) => {
      const token = /sf[ai]_[\w-]+/.exec(String(asked.headers["cookie"]))?.[0];
      if (token !== undefined) asked.headers["authorization"] ??= `Bearer ${token}`;
      return undefined;
    },
  },
  {
    rule: "A2",
    what: "Bearer in this letter case only",
    ask: (asked) =>
      /^bearer /i.test(String(asked.headers["authorization"])) &&
      !String(asked.headers["authorization"]).startsWith("Bearer ")
        ? refused(asked, 401, "TOKEN_UNKNOWN")
        : undefined,
  },
  {
    rule: "A2",
    what: "tokens that need no Bearer in front",
    ask: ({ headers }) => {
      changeText(headers, "authorization", (value) =>
        value.startsWith("sf") ? `Bearer ${value}` : value,
      );
      return undefined;
    },
  },
  {
    rule: "A2",
    what: "401 without WWW-Authenticate",
    answer: ({ headers, status }) => {
      if (status === 401) delete headers["www-authenticate"];
    },
  },
  {
    rule: "A2",
    what: "one code for a missing and an unknown token",
    answer: ({ json }) => {
      if (json?.code === "TOKEN_MISSING") json.code = "TOKEN_UNKNOWN";
    },
  },
  {
    rule: "A3",
    what: "revoked tokens that can still read",
    plant: () => {
      const read = new Map<string, Json>();
      return {
        answer: (answered, asked) => {
          if (asked.method !== "GET") return;
          const key = `${asked.path} ${tokenOf(asked)}`;
          if (answered.status === 200) read.set(key, answered.json);
          if (answered.json?.code === "TOKEN_UNKNOWN" && read.has(key))
            becomes(answered, 200, read.get(key));
        },
      };
    },
  },
  {
    rule: "A4",
    what: "paired_at in whole seconds",
    ...answering("GET", ME, ({ json }) =>
      changeText(json, "paired_at", (at) => at.replace(/\.\d+Z$/, "Z")),
    ),
  },
  {
    rule: "A4",
    what: "room that never changes",
    plant: () => {
      const rooms = new Map<string, Json>();
      return answering("GET", ME, ({ json }, asked) => {
        rooms.set(tokenOf(asked), rooms.get(tokenOf(asked)) ?? json.room);
        json.room = rooms.get(tokenOf(asked));
      });
    },
  },
];
