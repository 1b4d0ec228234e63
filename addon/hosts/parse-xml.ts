import { XMLParser } from "fast-xml-parser";
import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";

/**
 * Parses a document.
 * @throws {Error} when the text isn't XML
 */
export function parseXml(text: string): JsonObject {
  const parser = new XMLParser({
    attributeNamePrefix: "@",
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
    isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  });
  const document: unknown = parser.parse(text, true);
  return isJsonObject(document) ? document : {};
}

/** Returns the children with a name in document order, without empty ones. */
export function childrenOf(element: JsonObject | undefined, name: string): readonly JsonObject[] {
  const children = element?.[name];
  return Array.isArray(children) ? children.filter((child) => isJsonObject(child)) : [];
}

export function attributeOf(element: JsonObject | undefined, name: string): string | undefined {
  const value = element?.[`@${name}`];
  return typeof value === "string" ? value : undefined;
}

/** Returns an attribute as a number; NaN where it is missing or not a number. */
export function numberOf(element: JsonObject | undefined, name: string): number {
  return Number(attributeOf(element, name) ?? Number.NaN);
}
