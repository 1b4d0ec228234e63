import type { Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, is, resend } from "./tools.ts";

const FIELDS = ["name", "title", "source.app", "source.app_version", "source.platform"] as const;
type Field = (typeof FIELDS)[number];

/** A manifest, as sent or as the importer gets it. */
// oxlint-disable-next-line typescript/no-explicit-any -- a fault reaches into whatever was sent
type Manifest = any;

/** A relay that spells texts otherwise before it cleans them. */
export function respell(
  what: string,
  spell: (text: string) => string,
  fields: readonly Field[] = FIELDS,
): Fault {
  return {
    rule: "M6",
    what,
    seesBody: ANNOUNCE,
    ask: (asked) => {
      if (!is(asked, "POST", ANNOUNCE) || asked.sent?.items?.map === undefined) return undefined;
      resend(asked, (sent) => each(sent, fields, spell));
      return undefined;
    },
  };
}

/** A relay that keeps another text: of the right one and of what was sent. */
export function alter(
  what: string,
  keep: (kept: string, sent: string) => string,
  fields: readonly Field[] = FIELDS,
): Fault {
  return {
    rule: "M6",
    what,
    plant: () => {
      const announced = new Map<unknown, Manifest>();
      return {
        seesBody: ANNOUNCE,
        answer: ({ json }, asked) => {
          if (is(asked, "POST", ANNOUNCE) && json?.package_id)
            announced.set(json.package_id, asked.sent);
          if (!is(asked, "GET", /^\/importer\/packages/)) return;
          for (const one of json?.packages ?? [json]) {
            const sent = announced.get(one?.package_id);
            if (sent === undefined || one.manifest === undefined) continue;
            each(one.manifest, fields, (kept, at) => {
              const text = read(sent, at);
              return typeof text === "string" ? keep(kept, text) : kept;
            });
          }
        },
      };
    },
  };
}

/** A relay that warns on texts of a kind. */
export function warnOn(
  what: string,
  rule: string,
  also: readonly string[],
  isOfKind: (sent: string) => boolean,
): Fault {
  return {
    rule,
    what,
    also,
    seesBody: ANNOUNCE,
    answer: ({ json }, asked) => {
      if (!is(asked, "POST", ANNOUNCE) || json?.warnings === undefined) return;
      each(asked.sent, ["name"], (text, [, index = 0]) => {
        const warning = { code: "TEXT_CLEANED", message: "Cleaned.", field: "name" };
        if (isOfKind(text)) json.warnings.push({ ...warning, sound: String(Number(index) + 1) });
        return text;
      });
    },
  };
}

type Place = readonly (string | number)[];

/** Replaces each text of these fields. */
function each(
  manifest: Manifest,
  fields: readonly Field[],
  replace: (text: string, place: Place) => string,
): void {
  const places = fields.flatMap((field): readonly Place[] =>
    field === "name"
      ? Object.keys(manifest.items ?? []).map((at) => ["items", Number(at), "name"])
      : [field.split(".")],
  );
  for (const place of places) {
    const text = read(manifest, place);
    const group = read(manifest, place.slice(0, -1));
    if (typeof text === "string") group[String(place.at(-1))] = replace(text, place);
  }
}

function read(value: Manifest, place: Place): Manifest {
  return place.reduce((part, step) => part?.[step], value);
}
