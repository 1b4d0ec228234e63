import type { SetElement } from "./set-element.ts";

/** An element of a Live Set as a file has it. */
export interface XmlNode extends SetElement {
  /** The characters directly in it, trimmed. */
  readonly text: string;
  /** The line where it starts. */
  readonly line: number;
  readonly parent: this | null;
}

/** A document, and the attributes of its declaration; null without one. */
export interface XmlDocument {
  readonly declaration: ReadonlyMap<string, string> | null;
  readonly root: XmlNode;
}

/** A text that is no XML, or more than this reader takes; the message is a sentence. */
export class XmlUnreadable extends Error {
  override readonly name = "XmlUnreadable";
}

/** The most that is read, far above what Live writes. A hostile file ends at the first of these. */
export const XML_LIMITS = {
  elements: 1_500_000,
  depth: 200,
  attributes: 64,
  /** The length of a value with entities. */
  characters: 1_000_000,
} as const;

interface GrowingNode extends XmlNode {
  children: this[];
  text: string;
}

const NONE: GrowingNode[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
// Every quantifier has an end, so that no file decides how far an expression goes back.
const NAME = String.raw`[A-Za-z_][\w.:-]{0,199}`;
const BLANKS = String.raw`\s{0,1000}`;
const TAG_START = new RegExp(`<(${NAME})`, "y");
const TAG_END = new RegExp(`</(${NAME})${BLANKS}>`, "y");
const ATTRIBUTE_START = new RegExp(`\\s${BLANKS}(${NAME})${BLANKS}=${BLANKS}(["'])`, "y");
const OPEN_END = new RegExp(`${BLANKS}(/?)>`, "y");
const DECLARATION = /<\?xml(?=\s)/y;
const DECLARATION_END = new RegExp(String.raw`${BLANKS}\?>`, "y");
const BETWEEN = /\s{1,1000}/y;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g;
const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" } as const;
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/**
 * Reads a document strictly, in one pass: elements, attributes, characters, comments. Entities of its own, CDATA and
 * processing instructions are refused, because no Set has them.
 * @throws {XmlUnreadable} for a text that isn't well-formed, or that exceeds `XML_LIMITS`
 */
export function parseXmlTree(text: string): XmlDocument {
  return new TreeReader(text).read();
}

class TreeReader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  /** The end of the line that `#line` counts; -1 before the first look. */
  #lineEnd = -1;
  #elements = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): XmlDocument {
    const forbidden = FORBIDDEN.exec(this.#text);
    if (forbidden !== null) {
      this.#at = forbidden.index;
      this.#refuse("has a character that XML forbids");
    }
    const declaration = this.#take(DECLARATION) === null ? null : this.#readAttributes();
    if (declaration !== null && this.#take(DECLARATION_END) === null) {
      this.#refuse("has a declaration that doesn't end");
    }
    this.#skipBetween();
    const root = this.#readRoot();
    this.#skipBetween();
    if (this.#at < this.#text.length) this.#refuse(`has more after </${root.tag}>`);
    return { declaration, root };
  }

  /** Reads an element with all that is in it, without recursion, because depth is the file's choice. */
  #readRoot(): XmlNode {
    let { node, isClosed } = this.#readStart(null);
    const root = node;
    let depth = 1;
    let open: GrowingNode | null = isClosed ? null : node;
    while (open !== null) {
      this.#readCharacters(open);
      const end = this.#take(TAG_END);
      if (end !== null) {
        if (end[1] !== open.tag) this.#refuse(`closes <${open.tag}> as </${end[1]}>`);
        open.text = open.text.trim();
        open = open.parent;
        depth -= 1;
      } else if (this.#text.startsWith("<!--", this.#at)) {
        this.#skipComment();
      } else {
        ({ node, isClosed } = this.#readStart(open));
        if (open.children === NONE) open.children = [];
        open.children.push(node);
        if (isClosed) continue;
        depth += 1;
        if (depth > XML_LIMITS.depth) {
          this.#refuse(`has elements more than ${XML_LIMITS.depth} deep`);
        }
        open = node;
      }
    }
    return root;
  }

  #readStart(parent: GrowingNode | null): { node: GrowingNode; isClosed: boolean } {
    const line = this.#lineHere();
    const tag = this.#take(TAG_START)?.[1];
    if (tag === undefined) return this.#refuse(this.#whatIsHere());
    this.#elements += 1;
    if (this.#elements > XML_LIMITS.elements) {
      this.#refuse(`has more than ${XML_LIMITS.elements} elements`);
    }
    const attributes = this.#readAttributes();
    const end = this.#take(OPEN_END);
    if (end === null) return this.#refuse(`has a <${tag}> that doesn't end, or a wrong attribute`);
    return {
      node: { tag, attributes, children: NONE, text: "", line, parent },
      isClosed: end[1] === "/",
    };
  }

  #readAttributes(): ReadonlyMap<string, string> {
    let attributes: Map<string, string> | undefined;
    for (;;) {
      const [, name, quote] = this.#take(ATTRIBUTE_START) ?? [];
      if (name === undefined || quote === undefined) return attributes ?? NO_ATTRIBUTES;
      const end = this.#text.indexOf(quote, this.#at);
      const value = end < 0 ? "" : this.#text.slice(this.#at, end);
      if (end < 0 || value.includes("<")) this.#refuse(`has a value of ${name} that doesn't end`);
      this.#at = end + 1;
      attributes ??= new Map();
      if (attributes.has(name)) this.#refuse(`has the attribute ${name} twice in one element`);
      if (attributes.size === XML_LIMITS.attributes) this.#refuse("has too many attributes");
      attributes.set(name, this.#decode(value));
    }
  }

  #readCharacters(open: GrowingNode): void {
    const next = this.#text.indexOf("<", this.#at);
    if (next < 0) {
      this.#at = this.#text.length;
      this.#refuse(`ends inside <${open.tag}>`);
    }
    if (next === this.#at) return;
    const characters = this.#text.slice(this.#at, next);
    if (characters.trim() !== "") open.text += this.#decode(characters);
    this.#at = next;
  }

  /** Skips blanks and comments around the root. */
  #skipBetween(): void {
    for (;;) {
      while (this.#take(BETWEEN) !== null);
      if (!this.#text.startsWith("<!--", this.#at)) return;
      this.#skipComment();
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf("-->", this.#at + 4);
    if (end < 0) this.#refuse("has a comment that doesn't end");
    this.#at = end + 3;
  }

  #decode(text: string): string {
    if (!text.includes("&")) return text;
    if (text.length > XML_LIMITS.characters) this.#refuse("has a value that is too long");
    return text.replaceAll(
      REFERENCE,
      (_, name?: keyof typeof CHARACTERS, ten?: string, hex?: string) => {
        if (name !== undefined) return CHARACTERS[name];
        const code = ten === undefined ? Number.parseInt(hex ?? "", 16) : Number(ten);
        const character = code <= 0x10ffff ? String.fromCodePoint(code) : "";
        if (character === "" || FORBIDDEN.test(character)) {
          return this.#refuse("has an entity that isn't one of XML's own");
        }
        return character;
      },
    );
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #whatIsHere(): string {
    if (this.#at >= this.#text.length) return "is empty";
    for (const [start, what] of [
      ["<!DOCTYPE", "has a DOCTYPE, which no Set has"],
      ["<![CDATA[", "has CDATA, which no Set has"],
      ["<?", "has a processing instruction, which no Set has"],
      ["</", "closes what isn't open"],
    ] as const) {
      if (this.#text.startsWith(start, this.#at)) return what;
    }
    return "has something that isn't an element";
  }

  #lineHere(): number {
    while (this.#lineEnd < this.#at) {
      if (this.#lineEnd >= 0) this.#line += 1;
      const next = this.#text.indexOf("\n", this.#lineEnd + 1);
      this.#lineEnd = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    return this.#line;
  }

  #refuse(what: string): never {
    throw new XmlUnreadable(`The XML ${what} (line ${this.#lineHere()}).`);
  }
}
