import type { JsonObject } from "../text/json-object.ts";
import { validateManifest } from "./validate.generated.js";

/** A manifest's violations of the strict schema. */
export interface Problems {
  /** Failed keyword by JSON Pointer; a list's entries count as the list. */
  readonly keywords: ReadonlyMap<string, string>;
  /** Unknown property names by the JSON Pointer of their object. */
  readonly unknownNames: ReadonlyMap<string, readonly string[]>;
}

/** Keyword of a known property in the wrong place, such as `bpm` on a one-shot. */
export const NOT_HERE = "false schema";

/** UTF-16 units; no date is longer. The format check is slow on long text. */
const MAX_DATE_UNITS = 100;

/** Validates a manifest against the strict schema, in time linear in its size. */
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
