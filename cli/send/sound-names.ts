import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";

/** A manifest's sounds by their ids, under the names its sender gave them; an id that the relay will change is not among them. */
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
