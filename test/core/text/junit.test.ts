import * as fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { formatJunitXml } from "../../../core/text/junit.ts";
import { anyText } from "./any-text.ts";

const HOSTILE = "\u0000\u001b[31m]]>&<!--\"'\ud800\ufffe\r\n\t</testcase>";

/** Characters that XML 1.0 can't have, or that a reader would change. */
const NOT_XML = /[\p{Cs}\ufffe\uffff]|(?!\n)\p{Cc}/u;

function parseCase(xml: string) {
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
  });
  return parser.parse(xml).testsuites.testsuite.testcase;
}

test("[B10] JUnit XML counts cases by their outcome, for each suite and for all", () => {
  const failure = { kind: "failure", message: "No." } as const;
  const xml = formatJunitXml([
    { name: "a", cases: [{ className: "a", name: "1", seconds: 0.1, outcome: failure }] },
    {
      name: "b",
      cases: [
        { className: "b", name: "2", seconds: 0.2, output: ["One.", "Two."] },
        { className: "b", name: "3", outcome: { ...failure, kind: "error", lines: ["x", "y"] } },
      ],
    },
  ]);
  expect(xml.split("\n")).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites tests="3" failures="1" errors="1" skipped="0" time="0.3">',
    '  <testsuite name="a" tests="1" failures="1" errors="0" skipped="0" time="0.1">',
    '    <testcase classname="a" name="1" time="0.1"><failure message="No."/></testcase>',
    "  </testsuite>",
    '  <testsuite name="b" tests="2" failures="0" errors="1" skipped="0" time="0.2">',
    '    <testcase classname="b" name="2" time="0.2"><system-out>One.',
    "Two.</system-out></testcase>",
    '    <testcase classname="b" name="3" time="0"><error message="No.">x',
    "y</error></testcase>",
    "  </testsuite>",
    "</testsuites>",
    "",
  ]);
});

test("[B10] JUnit XML is well formed and says the same, whatever the names", () => {
  const say = (text: string): void => {
    const xml = formatJunitXml([
      {
        name: text,
        cases: [
          {
            className: text,
            name: text,
            file: text,
            outcome: { kind: "failure", message: text, lines: [text] },
            output: [text],
          },
        ],
      },
    ]);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).not.toMatch(NOT_XML);
    const said = text.replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd");
    const { "@_name": name, "@_file": file, failure, "system-out": output } = parseCase(xml);
    expect([name, file, failure["@_message"]]).toEqual([said, said, said]);
    expect(output ?? "").toBe(said);
  };
  say(HOSTILE);
  fc.assert(fc.property(anyText, say));
});
