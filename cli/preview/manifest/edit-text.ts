import { applyEdits, type Edit, type Node } from "jsonc-parser";
import { FIELDS } from "../../../core/manifest/fields.ts";
import {
  findEntry,
  findProperties,
  findValue,
  nameOf,
  parseManifestTree,
  propertiesOf,
} from "../../layout/manifest/manifest-tree.ts";

/** A field of a manifest: an object's name, if any, and the name in it. */
export interface FieldPath {
  /** Index in `items`; null for a field of the package. */
  readonly sound: number | null;
  /** The names, such as `["tempo", "bpm"]` or `["name"]`. */
  readonly names: readonly [name: string] | readonly [group: string, name: string];
}

/**
 * Sets one field in a manifest's text, or removes it with null. All other bytes stay: a new field is written the way
 * its neighbors are.
 * @param text valid JSON, an object; without a byte order mark
 */
export function editText(text: string, { sound, names }: FieldPath, value: unknown): string {
  const { root } = parseManifestTree(text);
  const object = sound === null ? root : findEntry(findValue(root, "items"), sound);
  if (object?.type !== "object") throw new Error("There is no such object in the manifest.");
  const [first, second] = names;
  if (second === undefined) return applyEdits(text, editsOf(text, object, first, value));
  const group = findValue(object, first);
  if (group?.type === "object") {
    // An emptied group goes, too.
    const isLast = propertiesOf(group).every((property) => nameOf(property) === second);
    if (value === null && isLast) return applyEdits(text, editsOf(text, object, first, null));
    return applyEdits(text, editsOf(text, group, second, value));
  }
  return value === null
    ? text
    : applyEdits(text, editsOf(text, object, first, { [second]: value }));
}

function editsOf(text: string, object: Node, name: string, value: unknown): Edit[] {
  if (value === null) return removals(object, name);
  const old = findValue(object, name);
  const style = styleOf(text, object, name);
  const content = formatJson(value, style);
  if (old !== undefined) return [{ offset: old.offset, length: old.length, content }];
  const member = `${JSON.stringify(name)}${style.colon}${content}`;
  const { anchor } = style;
  return anchor === undefined
    ? [{ offset: object.offset, length: object.length, content: `{ ${member} }` }]
    : [{ offset: anchor.offset + anchor.length, length: 0, content: style.separator + member }];
}

/** All properties with the name, since the one before would count otherwise. */
function removals(object: Node, name: string): Edit[] {
  const properties = propertiesOf(object);
  const kept = properties.filter((property) => nameOf(property) !== name);
  if (kept.length === properties.length) return [];
  const [firstKept] = kept;
  if (firstKept === undefined) {
    return [{ offset: object.offset + 1, length: object.length - 2, content: "" }];
  }
  return findProperties(object, name).map((property) => {
    const index = properties.indexOf(property);
    const [before, after] = [properties[index - 1], properties[index + 1]];
    const isLeading = property.offset < firstKept.offset;
    const start =
      isLeading || before === undefined ? property.offset : before.offset + before.length;
    const end = isLeading && after !== undefined ? after.offset : property.offset + property.length;
    return { offset: start, length: end - start, content: "" };
  });
}

/** The style in which an object's members are written. */
interface Style {
  /** The member to write a new one after: the nearest one that the format names before it. */
  readonly anchor: Node | undefined;
  /** The comma and white space between two members. */
  readonly separator: string;
  /** The colon and white space between a name and its value. */
  readonly colon: string;
  /** True if the objects in it take several lines. */
  readonly isSpread: boolean;
}

function styleOf(text: string, object: Node, name: string): Style {
  const properties = propertiesOf(object);
  const order = Object.values(FIELDS).map((fields) => Object.keys(fields));
  const names =
    order.find((one) => one.includes(name) && properties.every(isIn(one))) ??
    order.find((one) => one.includes(name) && properties.some(isIn(one))) ??
    [];
  const earlier = names.slice(0, Math.max(0, names.indexOf(name)));
  const anchor = properties.findLast(isIn(earlier)) ?? properties.at(-1);
  const [key, value] = anchor?.children ?? [];
  if (anchor === undefined || key === undefined || value === undefined) {
    return { anchor: undefined, separator: ", ", colon: ": ", isSpread: false };
  }
  const colon = text.slice(key.offset + key.length, value.offset);
  const before = properties[properties.indexOf(anchor) - 1];
  const gap = text.slice(
    before === undefined ? object.offset + 1 : before.offset + before.length,
    anchor.offset,
  );
  const separator = before === undefined ? `,${gap || /\s$/.exec(colon)?.[0] || ""}` : gap;
  const objects = properties.flatMap(({ children }) =>
    children?.[1]?.type === "object" ? [children[1]] : [],
  );
  const isOneLine = ({ offset, length }: Node) =>
    !text.slice(offset, offset + length).includes("\n");
  const isSpread = separator.includes("\n") && !objects.some(isOneLine);
  return { anchor, separator, colon, isSpread };
}

function isIn(names: readonly string[]): (property: Node) => boolean {
  return (property) => names.includes(nameOf(property));
}

/** A list stays on one line; an object with one member is written as the objects around it. */
function formatJson(value: unknown, style: Omit<Style, "anchor">): string {
  const { separator, colon, isSpread } = style;
  const space = colon.endsWith(" ") ? " " : "";
  if (Array.isArray(value)) return `[${value.map((one) => JSON.stringify(one)).join(`,${space}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [indent = ""] = /[ \t]*$/.exec(separator) ?? [];
  const [eol = "\n"] = /\r?\n/.exec(separator) ?? [];
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}${colon}${formatJson(one, style)}`,
  );
  if (!isSpread) return `{${space}${members.join(`,${space}`)}${space}}`;
  const inner = `${eol}${indent}${indent}`;
  return `{${inner}${members.join(`,${inner}`)}${eol}${indent}}`;
}
