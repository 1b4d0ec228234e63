import { childrenAt, descend, valueAt } from "../set-element.ts";
import { SCHEMA_VERSION } from "../schema/live-set.ts";
import type { XmlDocument, XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";

/** The newest schema that is known, Live 12.4's. */
const NEWEST = "12.0_12402";
const MINOR_VERSION = /^(\d{1,3})\.(\d{1,3})_(\d{1,6})$/;
const HEADER = ["MajorVersion", "MinorVersion", "Creator", "Revision"];
const ALSO = ["SchemaChangeCount"];

/** The schema that a Set says it has. */
export interface SetSchema {
  /** `MinorVersion`, such as `11.0_433`; null where it isn't one. */
  readonly name: string | null;
  /** Live's major version, such as 11; the table's where it is unknown. */
  readonly major: number;
  /** True if the table describes it, so that members can be judged. */
  readonly isTables: boolean;
}

/** Judges the declaration, the outermost elements and the header (rule LS23). */
export function judgeHeader({ declaration, root }: XmlDocument, list: FindingList): SetSchema {
  const encoding = declaration?.get("encoding")?.toUpperCase();
  if (declaration?.get("version") !== "1.0" || encoding !== "UTF-8") {
    list.add(root, "NO_DECLARATION", {});
  }
  if (root.tag !== "Ableton") list.add(root, "ROOT", { tag: root.tag });
  const sets = root.children.filter(({ tag }) => tag === "LiveSet");
  if (sets.length !== 1) list.add(root, "LIVE_SET", { count: sets.length });
  for (const child of root.children) {
    if (child.tag !== "LiveSet") list.add(child, "UNKNOWN_CLASS", { member: child.tag });
  }
  for (const attribute of HEADER) {
    if (!root.attributes.has(attribute)) list.add(root, "ATTRIBUTE_MISSING", { attribute });
  }
  for (const [attribute, value] of root.attributes) {
    if (ALSO.includes(attribute) && !/^\d{1,9}$/.test(value)) {
      list.add(root, "INT", { attribute, value: quoted(value) });
    } else if (![...HEADER, ...ALSO].includes(attribute)) {
      list.add(root, "UNKNOWN_ATTRIBUTE", { attribute });
    }
  }
  const major = root.attributes.get("MajorVersion");
  if (major !== undefined && major !== "5") {
    list.add(root, "MAJOR_VERSION", { value: quoted(major) });
  }
  const schema = judgeMinorVersion(root, list);
  judgeOverwriteNumber(root, schema, list);
  return schema;
}

function judgeMinorVersion(root: XmlNode, list: FindingList): SetSchema {
  const value = root.attributes.get("MinorVersion");
  const numbers = numbersOf(value);
  if (value === undefined || numbers === null) {
    if (value !== undefined) list.add(root, "MINOR_VERSION", { value });
    return { name: null, major: 11, isTables: true };
  }
  if (isAfter(numbers, numbersOf(NEWEST) ?? [])) {
    list.add(root, "NEWER_SCHEMA", { value, newest: NEWEST });
  }
  return { name: value, major: numbers[0] ?? 0, isTables: value === SCHEMA_VERSION };
}

/** Judges Live's own number, which has its major version in the second byte. */
function judgeOverwriteNumber(root: XmlNode, { name, major }: SetSchema, list: FindingList): void {
  const node = descend(root, "LiveSet", "OverwriteProtectionNumber");
  const value = valueAt(node);
  if (node === undefined || name === null || value === undefined) return;
  if (Math.floor(Number(value) / 256) !== major) {
    list.add(node, "OVERWRITE_NUMBER", { value: quoted(value), major });
  }
}

function numbersOf(value: string | undefined): readonly number[] | null {
  const found = MINOR_VERSION.exec(value ?? "");
  return found === null ? null : found.slice(1).map(Number);
}

function isAfter(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** Shows a value in a sentence: an empty one as `""`. */
export function quoted(value: string): string {
  return value.trim() === "" ? `"${value}"` : value;
}

/** Returns the Set's tracks, without master and cue. */
export function tracksOf(root: XmlNode): readonly XmlNode[] {
  return childrenAt(root, "LiveSet", "Tracks");
}
