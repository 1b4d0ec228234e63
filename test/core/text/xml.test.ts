import * as fc from "fast-check";
import { XMLBuilder } from "fast-xml-parser";
import { expect, test } from "vitest";
import {
  DAWPROJECT_STYLE,
  formatXml,
  LIVE_SET_STYLE,
  type XmlElement,
} from "../../../core/text/xml.ts";
import { anyText } from "./any-text.ts";

const DOCUMENT: XmlElement = {
  Set: {
    "@Creator": "Soundferry's <Set>",
    "@Annotation": undefined,
    Name: { "@Value": "" },
    Tracks: { Track: [{ "@Id": 0, Name: { "@Value": true } }, { "@Id": 1 }] },
    Scenes: { Scene: [] },
    Text: "a & b",
    Nothing: undefined,
    Empty: "",
  },
};

test("[D9] each style has its own indentation and end of an empty element", () => {
  expect(formatXml(DOCUMENT, DAWPROJECT_STYLE)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<Set Creator="Soundferry&apos;s &lt;Set&gt;">',
      '  <Name Value=""/>',
      "  <Tracks>",
      '    <Track Id="0">',
      '      <Name Value="true"/>',
      "    </Track>",
      '    <Track Id="1"/>',
      "  </Tracks>",
      "  <Scenes/>",
      "  <Text>a &amp; b</Text>",
      "  <Empty/>",
      "</Set>",
      "",
    ].join("\n"),
  );
  const lines = formatXml(DOCUMENT, LIVE_SET_STYLE).split("\n");
  expect(lines.slice(2, 6)).toEqual([
    '\t<Name Value="" />',
    "\t<Tracks>",
    '\t\t<Track Id="0">',
    '\t\t\t<Name Value="true" />',
  ]);
});

const SIMPLE = fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(undefined));

/** Elements as the writers make them, with any text in attributes and children. */
const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
  element: fc.record(
    {
      "@Id": SIMPLE,
      Name: fc.oneof({ depthSize: "small" }, SIMPLE, tie("element")),
      "@Value": SIMPLE,
      Track: fc.array(tie("element"), { maxLength: 3, depthIdentifier: "tracks" }),
    },
    { requiredKeys: [] },
  ),
}));

test("[D9] any document has the bytes that another formatter gives it", () => {
  const other = new XMLBuilder({
    attributeNamePrefix: "@",
    ignoreAttributes: false,
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    format: true,
    attributeValueProcessor: (_, value) => toXmlText(value),
    tagValueProcessor: (_, value) => toXmlText(value),
  });
  fc.assert(
    fc.property(element, (root) => {
      const document = { "?xml": { "@version": "1.0", "@encoding": "UTF-8" }, Root: root };
      expect(formatXml({ Root: root }, DAWPROJECT_STYLE)).toBe(other.build(document));
    }),
  );
});

/** Replaces what XML 1.0 forbids. */
function toXmlText(value: unknown): string {
  return String(value)
    .toWellFormed()
    .replaceAll(/(?![\t\n\r\u{7f}-\u{9f}])\p{Cc}|[\u{fffe}\u{ffff}]/gu, "\u{fffd}");
}
