import * as fc from "fast-check";
import { expect, test } from "vitest";
import { everyElement, type SetElement } from "../../../core/live-set/set-element.ts";
import { parseXmlTree, XmlUnreadable } from "../../../core/live-set/xml-tree.ts";
import { anyText } from "../text/any-text.ts";

const START = '<?xml version="1.0" encoding="UTF-8"?>\n';

test("[LS22] a document keeps order, attributes, lines and parents", () => {
  const text = `${START}<!-- by hand -->\n<A Id='1'\n   Name="&quot;a&#x20;&amp;&#98;&quot;">\n<B/> <C>12 34</C>\n<B Value = "" /></A>\n`;
  const { declaration, root } = parseXmlTree(text);
  expect(declaration).toEqual(
    new Map([
      ["version", "1.0"],
      ["encoding", "UTF-8"],
    ]),
  );
  expect([...root.attributes]).toEqual([
    ["Id", "1"],
    ["Name", '"a &b"'],
  ]);
  expect(root.children.map(({ tag, line, text: inside }) => [tag, line, inside])).toEqual([
    ["B", 5, ""],
    ["C", 5, "12 34"],
    ["B", 6, ""],
  ]);
  expect(root.children.every(({ parent }) => parent === root)).toBe(true);
  expect([...everyElement(root)].map(({ tag }) => tag)).toEqual(["A", "B", "C", "B"]);
});

test.each([
  ["", "is empty (line 1)"],
  ["\n\nSet", "something that isn't an element (line 3)"],
  ["<A>", "ends inside <A>"],
  ["<A></B>", "closes <A> as </B>"],
  ["<A/><B/>", "has more after </A>"],
  ["<A/>more", "has more after </A>"],
  ["</A>", "closes what isn't open"],
  ["<A", "a <A> that doesn't end"],
  ['<A b="1>', "a value of b that doesn't end"],
  ['<A b="<"/>', "a value of b that doesn't end"],
  ["<A b=1/>", "a wrong attribute"],
  ['<A b="1"c="2"/>', "a wrong attribute"],
  ['<A b="1" b="2"/>', "the attribute b twice"],
  ['<A b="&nbsp;"/>', "an entity that isn't one of XML's own"],
  ['<A b="&#0;"/>', "an entity that isn't one of XML's own"],
  ['<A b="&#x110000;"/>', "an entity that isn't one of XML's own"],
  ["<A>R&D</A>", "an entity that isn't one of XML's own"],
  ['<!DOCTYPE A [<!ENTITY b "c">]><A>&b;</A>', "a DOCTYPE"],
  ["<A><![CDATA[b]]></A>", "has CDATA"],
  ["<A><?php b ?></A>", "a processing instruction"],
  ["<A>\n\u0001</A>", "a character that XML forbids (line 2)"],
  ["<A><!-- </A>", "a comment that doesn't end"],
  ['<?xml version="1.0"', "a declaration that doesn't end"],
  [`<A ${Array.from({ length: 65 }, (_, at) => `a${at}=""`).join(" ")}/>`, "too many attributes"],
  [`${"<A>".repeat(201)}${"</A>".repeat(201)}`, "more than 200 deep"],
])("[LS22] refuses %j", (text, says) => {
  expect(() => parseXmlTree(text)).toThrow(XmlUnreadable);
  expect(() => parseXmlTree(text)).toThrow(says);
});

const NAME = fc.stringMatching(/^[A-Za-z_][\w.-]{0,9}$/);
/** Text that a value keeps: a parser of XML would turn other blanks into spaces. */
const VALUE = anyText.map((text) => text.replaceAll(/[^\u{20}-\u{d7ff}]/gu, "?"));
const ATTRIBUTES = fc
  .uniqueArray(fc.tuple(NAME, VALUE), { selector: ([name]) => name, maxLength: 4 })
  .map((pairs) => new Map(pairs));
const ELEMENT = fc.letrec<{ element: SetElement; children: SetElement[] }>((tie) => ({
  element: fc.record({ tag: NAME, attributes: ATTRIBUTES, children: tie("children") }),
  children: fc.oneof(
    { maxDepth: 3 },
    fc.constant<SetElement[]>([]),
    fc.array(tie("element"), { maxLength: 3 }),
  ),
})).element;

test("[LS22] what is written as XML is read as it was", () => {
  fc.assert(
    fc.property(ELEMENT, (element) => {
      expect(plain(parseXmlTree(START + write(element)).root)).toEqual(plain(element));
    }),
    { numRuns: 200 },
  );
});

function plain({ tag, attributes, children }: SetElement): unknown {
  return [tag, [...attributes], children.map(plain)];
}

function write({ tag, attributes, children }: SetElement): string {
  const escape = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const pairs = [...attributes].map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
  return `<${tag}${pairs}>\n${children.map(write).join("\n")}</${tag}>`;
}
