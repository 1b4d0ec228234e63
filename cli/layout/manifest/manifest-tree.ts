import { getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { MAX_WARNINGS } from "../../../core/limits.ts";
import type { ManifestPlace } from "../../../core/protocol/preview-api.ts";
import { findJsonError, parseJson } from "../../../core/text/parse-json.ts";
import { shorten } from "../../../core/text/shorten.ts";

/** A JSON text with the place of each value. */
export interface ManifestTree {
  /** The tree; undefined if the text isn't JSON, or is nested too deeply. */
  readonly root: Node | undefined;
  /** The places where the text isn't JSON, at most one a line, since one slip causes several. */
  readonly faults: readonly JsonFault[];
}

export interface JsonFault {
  readonly offset: number;
  readonly length: number;
  /** A sentence. */
  readonly message: string;
}

/** Sentences by the parser's `ParseErrorCode`, which exists only as a type. */
const SENTENCES: readonly (readonly [code: number, message: string])[] = [
  [1, "This isn't a JSON value. Text needs double quotes."],
  [2, "This isn't a number in JSON's form."],
  [3, "A property's name in double quotes belongs here."],
  [4, "A value belongs here."],
  [5, "A colon is missing before this."],
  [6, "A comma is missing before this."],
  [7, "A closing } is missing."],
  [8, "A closing ] is missing."],
  [9, "Nothing may follow the manifest."],
  [10, "JSON has no comments."],
  [11, "This comment doesn't end, and JSON has no comments."],
  [12, "A closing quote is missing: text ends on the line it starts on."],
  [13, "A number isn't complete."],
  [14, "A \\u needs four hex digits."],
  [15, "JSON has no such escape. A backslash is written as \\\\."],
  [16, "Text can't have this character. A tab is written as \\t."],
];
const OTHER = "This isn't valid JSON.";

/** The deepest nesting that is parsed, deeper than in any manifest; the parser calls itself for each level. */
const MAX_DEPTH = 64;

/** Parses a manifest with the place of each value. @param text without a byte order mark */
export function parseManifestTree(text: string): ManifestTree {
  const isValid = parseJson(text) !== undefined;
  if (depthOf(text) > MAX_DEPTH) {
    return { root: undefined, faults: isValid ? [] : [firstFault(text)] };
  }
  const found: ParseError[] = [];
  const root = parseTree(text, found, { disallowComments: true, allowTrailingComma: false });
  if (isValid) return { root, faults: [] };
  return { root: undefined, faults: onePerLine(text, found) };
}

/** The value of a property; of several with one name the last, as in `JSON.parse`. */
export function findValue(object: Node | undefined, name: string): Node | undefined {
  return findProperties(object, name).at(-1)?.children?.[1];
}

/** All properties with this name. */
export function findProperties(object: Node | undefined, name: string): readonly Node[] {
  return propertiesOf(object).filter((property) => nameOf(property) === name);
}

export function propertiesOf(object: Node | undefined): readonly Node[] {
  return object?.type === "object" ? (object.children ?? []) : [];
}

export function nameOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

/** The value of a node, as `JSON.parse` gives it. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

/** The entry of a list. */
export function findEntry(list: Node | undefined, index: number): Node | undefined {
  return list?.type === "array" ? list.children?.[index] : undefined;
}

function onePerLine(text: string, found: readonly ParseError[]): readonly JsonFault[] {
  const lines = new TextLines(text);
  const faults = new Map<number, JsonFault>();
  for (const { error, offset, length } of found) {
    const { line } = lines.at(offset);
    if (faults.has(line)) continue;
    if (faults.size === MAX_WARNINGS) break;
    const message = SENTENCES.find(([code]) => String(code) === String(error))?.[1] ?? OTHER;
    faults.set(line, { offset, length, message });
  }
  return faults.size > 0 ? [...faults.values()] : [firstFault(text)];
}

/** Returns the place of a fault that only `JSON.parse` finds. */
function firstFault(text: string): JsonFault {
  return { offset: findJsonError(text), length: 1, message: OTHER };
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [piece] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g)) {
    if (piece === "[" || piece === "{") deepest = Math.max(deepest, ++depth);
    else if (piece === "]" || piece === "}") depth--;
  }
  return deepest;
}

/** The most UTF-16 units to quote of the offending text, and of the text before and after it on its line. */
const QUOTED_UNITS = 60;

/** Finds the line and column of offsets into a text. */
export class TextLines {
  readonly #text: string;
  /** Offset of each line's start. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** Returns line and column, both from 1; columns count UTF-16 units. */
  at(offset: number): { readonly line: number; readonly column: number } {
    let [first, past] = [0, this.#starts.length];
    while (past - first > 1) {
      const middle = Math.floor((first + past) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) first = middle;
      else past = middle;
    }
    return { line: first + 1, column: offset - (this.#starts[first] ?? 0) + 1 };
  }

  /** Returns a place with its text and the text around it on its line. */
  place(offset: number, length: number): ManifestPlace {
    const { line, column } = this.at(offset);
    const start = offset - column + 1;
    const end = (this.#starts[line] ?? this.#text.length + 1) - 1;
    const past = Math.min(end, offset + length);
    const before = this.#text.slice(start, offset).trimStart();
    return {
      line,
      column,
      before: before.length > QUOTED_UNITS ? `…${before.slice(1 - QUOTED_UNITS)}` : before,
      text: shorten(this.#text.slice(offset, past).trimEnd(), QUOTED_UNITS),
      after: shorten(this.#text.slice(past, end).trimEnd(), QUOTED_UNITS),
    };
  }
}
