import type { Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, CLAIM, IMPORTER_LIST, is, refusal, resend, TAKE } from "./tools.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a fault reaches into bodies of every shape
export type Json = any;

/** The code points of a text; 0 for anything else. */
export function length(text: unknown): number {
  return typeof text === "string" ? Array.from(text).length : 0;
}

/** The bytes that a manifest announces. */
export function total(sent: Json): number {
  return sounds(sent).reduce((sum, { bytes }) => sum + (Number(bytes) || 0), 0);
}

/** The entries of `items` that are objects. */
export function sounds(sent: Json): Json[] {
  return Array.isArray(sent?.items) ? sent.items.filter((one: Json) => one !== null) : [];
}

/** True if the field of one of the sounds is so. */
export function any(sent: Json, name: string, holds: (value: unknown) => boolean): boolean {
  return sounds(sent).some((one) => holds(one[name]));
}

/** Announcements that are refused. */
export function refuses(
  rule: string,
  what: string,
  isRefused: (sent: Json) => boolean,
  refused: string,
  also: string[] = [],
): Fault {
  return {
    ...refusesBody(rule, what, ANNOUNCE, isRefused, 422, refused),
    also,
  };
}

/** Bodies that are refused. */
export function refusesBody(
  rule: string,
  what: string,
  path: RegExp,
  isRefused: (sent: Json) => boolean,
  status: number,
  refused: string,
): Fault {
  return {
    rule,
    what,
    seesBody: path,
    ask: (asked) => {
      if (!is(asked, "POST", path) || !isRefused(asked.sent)) return undefined;
      const answered = refusal(status, refused);
      // No page may read the importer's API.
      if (path === TAKE) delete answered.headers["access-control-allow-origin"];
      return answered;
    },
  };
}

/** Passes another body on. */
export function sentAs(
  rule: string,
  what: string,
  path: RegExp,
  change: (sent: Json) => void,
  also: string[] = [],
): Fault {
  return {
    rule,
    what,
    also,
    seesBody: path,
    ask: (asked) => {
      if (path.test(asked.path.split("?")[0] ?? "") && asked.sent !== undefined) {
        resend(asked, change);
      }
      return undefined;
    },
  };
}

/** Makes an announcement valid before the relay sees it. */
export function accepts(
  rule: string,
  what: string,
  repair: (sent: Json) => void,
  also: string[] = [],
): Fault {
  return sentAs(rule, what, ANNOUNCE, repair, also);
}

/** Each object of a manifest that has the field, and the field's own name. */
export function holders(
  sent: Json,
  field: string,
): { readonly holder: Json; readonly name: string }[] {
  const [group = "", name = ""] = field.includes(".") ? field.split(".") : ["", field];
  const isSounds = /^(name|bpm|length_beats|gain_db|id)$/.test(field);
  const found = isSounds ? sounds(sent) : [group === "" ? sent : sent?.[group]];
  return found
    .filter((holder: Json) => holder?.[name] !== undefined)
    .map((holder: Json) => ({ holder, name }));
}

/** Texts that are cut without a warning. */
export function cuts(rule: string, what: string, field: string, to: number, also: string[]): Fault {
  const change = (sent: Json) => {
    for (const { holder, name } of holders(sent, field)) {
      if (length(holder[name]) > to) holder[name] = Array.from(holder[name]).slice(0, to).join("");
    }
  };
  return sentAs(rule, what, ANNOUNCE, change, also);
}

/** Texts that are cut to so many UTF-16 units. */
export function units(rule: string, what: string, field: string, most: number): Fault {
  const change = (sent: Json) => {
    for (const { holder, name } of holders(sent, field)) {
      const text = holder[name];
      if (typeof text === "string" && text.length > most && length(text) <= most) {
        holder[name] = text.slice(0, most).toWellFormed();
      }
    }
  };
  return sentAs(rule, what, ANNOUNCE, change);
}

/** Values that the relay loses on its way to the importer. */
export function drops(
  rule: string,
  what: string,
  field: string,
  isDropped: (value: Json) => boolean,
): Fault {
  return changes(rule, what, field, isDropped, undefined);
}

/** Values in whose place the importer gets another. */
export function changes(
  rule: string,
  what: string,
  field: string,
  isChanged: (value: Json) => boolean,
  to: unknown,
  also: string[] = [],
): Fault {
  return {
    rule,
    what,
    also,
    answer: ({ json }, asked) => {
      if (!is(asked, "GET", IMPORTER_LIST)) return;
      for (const { manifest } of json?.packages ?? []) {
        for (const { holder, name } of holders(manifest, field)) {
          if (isChanged(holder[name])) holder[name] = to;
        }
      }
    },
  };
}

/** Values that the importer gets as they were sent, without a warning. */
export function keeps(
  rule: string,
  what: string,
  field: string,
  isKept: (value: Json) => boolean,
  also: string[] = [],
): Fault {
  return {
    rule,
    what,
    also,
    plant: () => {
      const sent = new Map<string, Json>();
      const kept = (id: string) =>
        holders(sent.get(id), field).filter(({ holder, name }) => isKept(holder[name]));
      return {
        seesBody: ANNOUNCE,
        answer: ({ json }, asked) => {
          if (is(asked, "POST", ANNOUNCE) && json?.package_id)
            sent.set(json.package_id, asked.sent);
          if (!is(asked, "GET", IMPORTER_LIST)) return;
          for (const { package_id: id, manifest } of json?.packages ?? []) {
            for (const { holder, name } of kept(id)) restore(manifest, holder, field, name);
          }
        },
      };
    },
  };
}

/** Puts the value that was sent into the manifest of the importer. */
function restore(manifest: Json, holder: Json, field: string, name: string): void {
  const target = holder.file
    ? manifest.items.find((one: Json) => one.file === holder.file)
    : field.includes(".")
      ? (manifest[field.split(".")[0] ?? ""] ??= {})
      : manifest;
  target[name] = holder[name];
}

/** Repairs without their warning. */
export function unwarned(
  rule: string,
  what: string,
  field: string,
  warning: string,
  also: string[] = [],
): Fault {
  return {
    rule,
    what,
    also,
    answer: ({ json }, asked) => {
      if (!is(asked, "POST", ANNOUNCE) || !json?.warnings) return;
      json.warnings = json.warnings.filter(
        (one: Json) => one.field !== field || one.code !== warning,
      );
    },
  };
}

/** Valid values with a warning. */
export function warned(
  rule: string,
  what: string,
  field: string,
  isWarned: (value: Json) => boolean,
  also: string[] = [],
): Fault {
  return {
    rule,
    what,
    also,
    seesBody: ANNOUNCE,
    answer: ({ json }, asked) => {
      if (!is(asked, "POST", ANNOUNCE)) return;
      for (const { holder, name } of holders(asked.sent, field)) {
        if (!isWarned(holder[name])) continue;
        const about = { field, ...(holder.file && { sound: holder.id }) };
        json?.warnings?.push({ code: "VALUE_IGNORED", message: `${field} is odd.`, ...about });
      }
    },
  };
}

/** Idempotency-Keys that are refused. */
export function keyed(rule: string, what: string, isRefused: (key: string) => boolean): Fault {
  return {
    rule,
    what,
    ask: (asked) => {
      const key = asked.headers["idempotency-key"];
      return typeof key === "string" && is(asked, "POST", ANNOUNCE) && isRefused(key)
        ? refusal(422, "IDEMPOTENCY_KEY_WRONG")
        : undefined;
    },
  };
}

/** Codes that are refused as malformed, though they aren't empty. */
export function code(what: string, isRefused: (text: string) => boolean, status = 400): Fault {
  const isCode = (sent: Json) => typeof sent?.code === "string" && sent.code.trim() !== "";
  return refusesBody(
    "P4",
    what,
    CLAIM,
    (sent) => isCode(sent) && isRefused(sent.code),
    status,
    "CLAIM_INCOMPLETE",
  );
}
