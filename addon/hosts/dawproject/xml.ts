import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";

/** An element as an object: attributes have an `@` before their name, children are in their order. */
export interface XmlElement {
  readonly [name: string]:
    | string
    | number
    | boolean
    | undefined
    | XmlElement
    | readonly XmlElement[];
}

/** What XML 1.0 has no way to write: most control characters, halves of characters, two others. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const builder = new XMLBuilder({
  attributeNamePrefix: "@",
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  format: true,
  attributeValueProcessor: (_, value) => toXmlText(value),
  tagValueProcessor: (_, value) => toXmlText(value),
});

const parser = new XMLParser({
  attributeNamePrefix: "@",
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Prints a document. Characters that XML can't hold become U+FFFD. */
export function formatXml(root: XmlElement): string {
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "UTF-8" }, ...root });
}

/**
 * Reads a document of our own making.
 * @throws {Error} when it is no XML
 */
export function parseXml(text: string): JsonObject {
  const document: unknown = parser.parse(text, true);
  return isJsonObject(document) ? document : {};
}

/** The children of one name, in their order; those without attributes and children are left out. */
export function childrenOf(element: JsonObject | undefined, name: string): readonly JsonObject[] {
  const children = element?.[name];
  return Array.isArray(children) ? children.filter((child) => isJsonObject(child)) : [];
}

/** An attribute's value; undefined where there is none. */
export function attributeOf(element: JsonObject | undefined, name: string): string | undefined {
  const value = element?.[`@${name}`];
  return typeof value === "string" ? value : undefined;
}

/** An attribute as a number; NaN where it is none, or not there. */
export function numberOf(element: JsonObject | undefined, name: string): number {
  return Number(attributeOf(element, name) ?? Number.NaN);
}

function toXmlText(value: unknown): string {
  return String(value).replaceAll(FORBIDDEN, "\u{fffd}");
}
