import type { Asked, Break, Fault } from "./breaking-proxy.ts";
import { APPS, becomes, CLAIM, CODE, is, ME, UNPAIR } from "./tools.ts";
import { answering, changeText, type Json, sending, tokenOf, refused } from "./blind-tools.ts";

function isClaim(asked: Asked): boolean {
  return is(asked, "POST", CLAIM);
}

/** A code as the relay reads it. */
function plain(code: unknown): string {
  return String(code)
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "");
}

/** Refuses claims in another way than the relay. */
function claims(when: (sent: Json) => boolean, status: number, code: string): Break {
  return {
    seesBody: true,
    ask: (asked) =>
      isClaim(asked) && typeof asked.sent?.code === "string" && when(asked.sent)
        ? refused(asked, status, code)
        : undefined,
  };
}

/** Knows the tokens of each app on each computer, in order. */
function pairings() {
  const importers = new Map<string, string>();
  const tokens = new Map<string, string[]>();
  return {
    tokens,
    of: (token: string) => [...tokens.values()].find((all) => all.includes(token)) ?? [],
    note: ({ json, status }: { json: Json; status: number }, asked: Asked): void => {
      if (is(asked, "POST", CODE) && status === 201) importers.set(json.code, tokenOf(asked));
      if (!isClaim(asked) || status !== 200) return;
      const key = `${importers.get(plain(asked.sent?.code))} ${asked.sent?.app_id}`;
      tokens.set(key, [...(tokens.get(key) ?? []), json.app_token]);
    },
  };
}

/** Faults in pairing. */
export const PAIRING_FAULTS: readonly Fault[] = [
  {
    rule: "P3",
    what: "codes in lower case refused",
    ...claims(({ code }) => /[a-z]/.test(code), 404, "CODE_UNKNOWN"),
  },
  {
    rule: "P3",
    what: "codes with a hyphen refused",
    ...claims(({ code }) => code.includes("-"), 404, "CODE_UNKNOWN"),
  },
  {
    rule: "P3",
    what: "codes in full width refused",
    ...claims(({ code }) => /[\u{ff00}-\u{ffef}]/u.test(code), 404, "CODE_UNKNOWN"),
  },
  {
    rule: "P3",
    what: "codes with spaces of zero width refused",
    ...claims(({ code }) => /[\u{200b}-\u{200d}\u{2060}\u{feff}]/u.test(code), 404, "CODE_UNKNOWN"),
  },
  {
    rule: "P4",
    what: "400 for a code of another length",
    ...claims(({ code }) => plain(code).length !== 6 && code !== "", 400, "CLAIM_INCOMPLETE"),
  },
  {
    rule: "P4",
    what: "422 for a code with 0, 1, I, L or O",
    ...claims(({ code }) => /[01ILO]/.test(plain(code)), 422, "CODE_UNKNOWN"),
  },
  {
    rule: "P4",
    what: "500 for a very long code",
    ...claims(({ code }) => code.length > 60, 500, "INTERNAL"),
  },
  {
    rule: "P4",
    what: "used codes that work again",
    plant: () => {
      const used = new Map<string, Json>();
      return {
        seesBody: true,
        answer: (answered, asked) => {
          if (!isClaim(asked)) return;
          const code = plain(asked.sent?.code);
          if (answered.status === 200) used.set(code, answered.json);
          else if (answered.json?.code === "CODE_UNKNOWN" && used.has(code))
            becomes(answered, 200, used.get(code));
        },
      };
    },
  },
  {
    rule: "P4",
    what: "apps without a name paired",
    needs: "limit",
    ...sending("POST", CLAIM, (sent) => {
      if (typeof sent.code === "string" && typeof sent.app_id === "string") sent.app_name ||= "App";
    }),
  },
  {
    rule: "P2",
    what: "codes that a newer one doesn't replace",
    plant: () => {
      const codes = new Map<string, string>();
      const newest = new Map<string, string>();
      return {
        seesBody: true,
        ask: (asked) => {
          const importer = codes.get(plain(asked.sent?.code));
          const code = newest.get(importer ?? "");
          if (isClaim(asked) && code !== undefined)
            asked.body = Buffer.from(JSON.stringify({ ...asked.sent, code }));
          return undefined;
        },
        answer: ({ json, status }, asked) => {
          if (!is(asked, "POST", CODE) || status !== 201) return;
          codes.set(json.code, tokenOf(asked));
          newest.set(tokenOf(asked), json.code);
        },
      };
    },
  },
  {
    rule: "P2",
    what: "codes that can't be ended",
    needs: "limit",
    ask: (asked) =>
      is(asked, "DELETE", CODE) ? { ...refused(asked, 200, ""), json: {} } : undefined,
  },
  {
    rule: "P5",
    what: "an eleventh token that ends none",
    plant: () => {
      const known = pairings();
      return {
        seesBody: true,
        ask: (asked) => {
          const all = known.of(tokenOf(asked));
          if (all.length > 10 && all.indexOf(tokenOf(asked)) < all.length - 10) {
            asked.headers["authorization"] = `Bearer ${all.at(-1)}`;
          }
          return undefined;
        },
        answer: known.note,
      };
    },
  },
  {
    rule: "P5",
    what: "one token for each app of a computer",
    plant: () => {
      const known = pairings();
      return {
        seesBody: true,
        ask: (asked) => {
          const all = known.of(tokenOf(asked));
          return all.length > 1 && all.at(-1) !== tokenOf(asked)
            ? refused(asked, 401, "TOKEN_UNKNOWN")
            : undefined;
        },
        answer: known.note,
      };
    },
  },
  {
    rule: "P5",
    what: "an unpairing that ends the app's other tokens",
    plant: () => {
      const known = pairings();
      const gone = new Set<string>();
      return {
        seesBody: true,
        ask: (asked) =>
          gone.has(tokenOf(asked)) ? refused(asked, 401, "TOKEN_UNKNOWN") : undefined,
        answer: (answered, asked) => {
          known.note(answered, asked);
          if (!is(asked, "POST", UNPAIR) || answered.status !== 200) return;
          for (const token of known.of(tokenOf(asked)))
            if (token !== tokenOf(asked)) gone.add(token);
        },
      };
    },
  },
  {
    rule: "P5",
    what: "app_ids of at most 64 characters",
    ...claims(({ app_id: id }) => id?.length > 64 && id.length <= 200, 400, "APP_ID_TOO_LONG"),
  },
  {
    rule: "P5",
    what: "longer app_ids cut to 200 characters",
    needs: "limit",
    ...sending("POST", CLAIM, (sent) => changeText(sent, "app_id", (id) => id.slice(0, 200))),
  },
  {
    rule: "P5",
    what: "the first name of an app that paired again under another",
    plant: () => {
      const names = new Map<string, string>();
      return answering("GET", APPS, ({ json }) => {
        for (const app of json.apps) {
          names.set(app.pairing_id, names.get(app.pairing_id) ?? app.app_name);
          app.app_name = names.get(app.pairing_id);
        }
      });
    },
  },
  {
    rule: "P7",
    what: "no waiting packages beside any app",
    ...answering("GET", APPS, ({ json }) =>
      json.apps.forEach((app: Json) => (app.waiting_packages = 0)),
    ),
  },
  {
    rule: "P8",
    what: "apps that don't hear of a computer's new name",
    plant: () => {
      const names = new Map<string, string>();
      return answering("GET", ME, ({ json }, asked) => {
        names.set(tokenOf(asked), names.get(tokenOf(asked)) ?? json.device_name);
        json.device_name = names.get(tokenOf(asked));
      });
    },
  },
];
