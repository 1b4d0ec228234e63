import { escapeHtml } from "./escape-html.ts";

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

/** The parts of the layout in which the programs that read a document differ. */
export interface XmlStyle {
  /** The indentation of one level. */
  readonly indent: string;
  /** The end of an element without children, such as `/>`. */
  readonly emptyEnd: string;
}

/** A DAWproject's style. */
export const DAWPROJECT_STYLE: XmlStyle = { indent: "  ", emptyEnd: "/>" };
/** The style in which Live writes a Set. */
export const LIVE_SET_STYLE: XmlStyle = { indent: "\t", emptyEnd: " />" };

/** The characters that XML 1.0 forbids: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Formats a document as XML, one element per line. Forbidden characters become U+FFFD. */
export function formatXml(root: XmlElement, style: XmlStyle): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  pushChildren(lines, root, "", style);
  return `${lines.join("\n")}\n`;
}

function pushChildren(lines: string[], parent: XmlElement, indent: string, style: XmlStyle): void {
  for (const [name, value] of Object.entries(parent)) {
    if (name.startsWith("@") || value === undefined) continue;
    if (typeof value !== "object") {
      const text = escapeXmlText(value);
      const end = text === "" ? style.emptyEnd : `>${text}</${name}>`;
      lines.push(`${indent}<${name}${end}`);
      continue;
    }
    for (const element of isList(value) ? value : [value]) {
      pushElement(lines, name, element, indent, style);
    }
  }
}

function pushElement(
  lines: string[],
  name: string,
  element: XmlElement,
  indent: string,
  style: XmlStyle,
): void {
  const start = `${indent}<${name}${formatAttributes(element)}`;
  const at = lines.push(`${start}>`);
  pushChildren(lines, element, indent + style.indent, style);
  if (lines.length === at) lines[at - 1] = start + style.emptyEnd;
  else lines.push(`${indent}</${name}>`);
}

function formatAttributes(element: XmlElement): string {
  return Object.entries(element)
    .filter(([name, value]) => name.startsWith("@") && value !== undefined)
    .map(([name, value]) => ` ${name.slice(1)}="${escapeXmlText(value)}"`)
    .join("");
}

function escapeXmlText(value: unknown): string {
  return escapeHtml(String(value).replaceAll(FORBIDDEN, "\u{fffd}")).replaceAll("'", "&apos;");
}

function isList(value: XmlElement | readonly XmlElement[]): value is readonly XmlElement[] {
  return Array.isArray(value);
}
