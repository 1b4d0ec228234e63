import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";

/** An element as an object: attribute names start with `@`, children are in document order. */
export interface XmlElement {
  readonly [name: string]:
    | string
    | number
    | boolean
    | undefined
    | XmlElement
    | readonly XmlElement[];
}

/** The characters that XML 1.0 forbids: most control characters, lone surrogates, U+FFFE and U+FFFF. */
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

/** Formats a document as XML. Forbidden characters become U+FFFD. */
export function formatXml(root: XmlElement): string {
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "UTF-8" }, ...root });
}

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

function toXmlText(value: unknown): string {
  return String(value).replaceAll(FORBIDDEN, "\u{fffd}");
}
