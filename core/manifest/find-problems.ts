import type { JsonObject } from "../text/json-object.ts";
import { validateManifest } from "./validate.generated.js";

/** What the strict schema has against a manifest. */
export interface Problems {
  /** The keyword that a value fails, by its JSON Pointer; an entry's fault is its list's. */
  readonly keywords: ReadonlyMap<string, string>;
  /** Names of properties that the format does not have, by the JSON Pointer of their object. */
  readonly unknownNames: ReadonlyMap<string, readonly string[]>;
}

/** The keyword of a property that the format has, but not in this place, such as `bpm` on a one-shot. */
export const NOT_HERE = "false schema";

/** UTF-16 units; no date is longer. The check of the format would take a text apart at every `t`. */
const MAX_DATE_UNITS = 100;

/** Holds a manifest against the strict schema. Takes time in proportion to the manifest's size. */
export function findProblems(manifest: JsonObject): Problems {
  const keywords = new Map<string, string>();
  const unknownNames = new Map<string, string[]>();
  const checkable = hasLongDate(manifest) ? { ...manifest, created_at: null } : manifest;
  const errors = validateManifest(checkable) ? [] : (validateManifest.errors ?? []);
  for (const { instancePath, keyword, params } of errors) {
    if (params.additionalProperty === undefined) {
      const pointer = instancePath.replace(/\/\d+$/, "");
      if (keywords.get(pointer) !== NOT_HERE) keywords.set(pointer, keyword);
    } else {
      const names = unknownNames.get(instancePath);
      if (names) names.push(params.additionalProperty);
      else unknownNames.set(instancePath, [params.additionalProperty]);
    }
  }
  return { keywords, unknownNames };
}

function hasLongDate({ created_at: date }: JsonObject): boolean {
  return typeof date === "string" && date.length > MAX_DATE_UNITS;
}
