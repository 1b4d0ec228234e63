/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Checks whether a parsed JSON value is an object, neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
