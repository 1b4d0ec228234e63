import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";

/** The sender's names of a manifest's sounds, by id. Lacks ids that the relay changes. */
export function soundNames(manifest: JsonObject): ReadonlyMap<string, string> {
  const items: readonly unknown[] = Array.isArray(manifest["items"]) ? manifest["items"] : [];
  return new Map(
    items.map((item, index) => {
      const { id, name } = isJsonObject(item) ? item : {};
      const position = String(index + 1);
      return [
        typeof id === "string" ? id : position,
        typeof name === "string" ? name : `Sound ${position}`,
      ];
    }),
  );
}
