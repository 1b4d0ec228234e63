import { isJsonObject, type JsonObject } from "../text/json-object.ts";
import { MAX_SOUNDS } from "../limits.ts";
import { refusal, type Refusal } from "../protocol/refusal.ts";
import { SCHEMA } from "./manifest.ts";

const ANY_FORMAT = /^app2host\/(\d+)$/;
const FORMAT = { about: { field: "schema" } };
const ITEMS = { about: { field: "items" } };

/**
 * Validates a manifest's outer shape (rules M1, M2): `schema` first, since a newer format may have no `items`.
 * @throws {Refusal} 422
 */
export function readShape(value: unknown): {
  readonly raw: JsonObject;
  /** 1 to `MAX_SOUNDS` entries of any type. */
  readonly rawSounds: readonly unknown[];
} {
  if (!isJsonObject(value)) throw refusal("MANIFEST_NOT_OBJECT");
  const { schema, items } = value;
  if (schema !== SCHEMA) throw refuseFormat(schema);
  if (!Array.isArray(items) || items.length === 0) throw refusal("ITEMS_MISSING", {}, ITEMS);
  if (items.length > MAX_SOUNDS) throw refusal("ITEMS_TOO_MANY", { count: items.length }, ITEMS);
  return { raw: value, rawSounds: items };
}

function refuseFormat(schema: unknown): Refusal {
  const version = typeof schema === "string" ? ANY_FORMAT.exec(schema)?.[1] : undefined;
  return Number(version) > 1
    ? refusal("SCHEMA_NEWER", { schema: String(schema) }, FORMAT)
    : refusal("SCHEMA_UNKNOWN", {}, FORMAT);
}
