import type { ListShape, NumberShape, ObjectShape, ScalarShape, Shape } from "../schema/shape.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import { quoted } from "./judge-header.ts";

/** Members that Live writes only where a person mapped a key or a controller; nobody's table describes them. */
const MAPPINGS = new Set(["KeyMidi"]);
/** Attributes of a curved automation event. */
const CURVES = /^CurveControl[12][XY]$/;
const NOTHING: Readonly<Record<string, ScalarShape>> = {};
/** Digits that a 64-bit number can have. */
const INT = /^-?\d{1,19}$/;
const FLOAT = /^-?(?:\d{1,30}(?:\.\d{1,40})?|\.\d{1,40})(?:e[+-]?\d{1,3})?$/i;
const LEAST_INT = -(2n ** 63n);
const MOST_INT = 2n ** 63n - 1n;

/** Judges an element and all in it by the table: order, presence, names, types, ranges (rules LS24 and LS25). */
export function judgeMembers(node: XmlNode, shape: Shape, list: FindingList): void {
  if (shape.form === "open") return list.leaveOut(node.tag);
  if (node.text !== "") list.add(node, "CHARACTERS", {});
  switch (shape.form) {
    case "value":
      judgeAttributes(node, { Value: shape }, list);
      return refuseChildren(node, list);
    case "object":
      judgeAttributes(node, shape.attributes, list);
      return judgeObject(node, shape, list);
    case "list":
      judgeAttributes(node, NOTHING, list);
      return judgeItems(node, shape, list);
    case "pointee": {
      if (!node.attributes.has("Id")) list.add(node, "ATTRIBUTE_MISSING", { attribute: "Id" });
      judgeAttributes(node, NOTHING, list);
      return judgeObject(node, shape.hasLock ? LOCKED : UNLOCKED, list);
    }
  }
}

const UNLOCKED: ObjectShape = { form: "object", attributes: {}, members: {} };
const LOCKED: ObjectShape = {
  ...UNLOCKED,
  members: { LockEnvelope: { form: "value", type: "int", default: 0, choices: [0, 1] } },
};

function judgeObject(node: XmlNode, { members }: ObjectShape, list: FindingList): void {
  const names = Object.keys(members);
  const counts = new Map<string, number>();
  let last = -1;
  for (const child of node.children) {
    const shape = Object.hasOwn(members, child.tag) ? members[child.tag] : undefined;
    if (shape === undefined) {
      if (MAPPINGS.has(child.tag)) list.leaveOut(child.tag);
      else list.add(child, "UNKNOWN_CLASS", { member: child.tag });
      continue;
    }
    counts.set(child.tag, (counts.get(child.tag) ?? 0) + 1);
    const at = names.indexOf(child.tag);
    const before = names[last];
    if (at < last && before !== undefined) {
      list.add(child, "MEMBER_ORDER", { member: before, other: child.tag });
    }
    last = Math.max(last, at);
    if (shape.form !== "pointee") refuseId(child, list);
    judgeMembers(child, shape, list);
  }
  for (const member of names) {
    const count = counts.get(member) ?? 0;
    if (count === 0) list.add(node, "MEMBER_MISSING", { member });
    if (count > 1) list.add(node, "MEMBER_TWICE", { member, count });
  }
}

function judgeItems(node: XmlNode, shape: ListShape, list: FindingList): void {
  const { items, most, hasOthers } = shape;
  const count = node.children.length;
  if (most !== undefined && count > most) list.add(node, "TOO_MANY", { count, most });
  for (const child of node.children) {
    const item = Object.hasOwn(items, child.tag) ? items[child.tag] : undefined;
    if (item !== undefined) {
      if (!child.attributes.has("Id")) list.add(child, "LIST_ID_MISSING", {});
      judgeMembers(child, item, list);
    } else if (hasOthers) list.leaveOut(child.tag);
    else list.add(child, "UNKNOWN_CLASS", { member: child.tag });
  }
}

function refuseChildren(node: XmlNode, list: FindingList): void {
  for (const child of node.children) list.add(child, "UNKNOWN_CLASS", { member: child.tag });
}

/** An `Id` belongs to members of lists and to pointees alone. */
function refuseId(node: XmlNode, list: FindingList): void {
  if (node.attributes.has("Id")) list.add(node, "UNKNOWN_ATTRIBUTE", { attribute: "Id" });
}

function judgeAttributes(
  node: XmlNode,
  shapes: Readonly<Record<string, ScalarShape>>,
  list: FindingList,
): void {
  for (const [attribute, shape] of Object.entries(shapes)) {
    const value = node.attributes.get(attribute);
    if (value === undefined) list.add(node, "ATTRIBUTE_MISSING", { attribute });
    else judgeScalar(node, attribute, value, shape, list);
  }
  for (const attribute of node.attributes.keys()) {
    if (attribute === "Id" || Object.hasOwn(shapes, attribute)) continue;
    if (Object.hasOwn(shapes, "Time") && CURVES.test(attribute)) continue;
    list.add(node, "UNKNOWN_ATTRIBUTE", { attribute });
  }
}

function judgeScalar(
  node: XmlNode,
  attribute: string,
  written: string,
  shape: ScalarShape,
  list: FindingList,
): void {
  const value = quoted(written);
  switch (shape.type) {
    case "text":
      if (shape.pattern?.test(written) === false) list.add(node, "FORM", { attribute, value });
      return;
    case "bool":
      if (written !== "true" && written !== "false") {
        list.add(node, "TYPE", { attribute, value, type: "true or false" });
      }
      return;
    case "int":
      if (!isNumber(written, "int")) list.add(node, "INT", { attribute, value });
      else judgeNumber(node, attribute, written, shape, list);
      return;
    case "float":
      if (!isNumber(written, "float"))
        list.add(node, "TYPE", { attribute, value, type: "a number" });
      else judgeNumber(node, attribute, written, shape, list);
  }
}

function judgeNumber(
  node: XmlNode,
  attribute: string,
  written: string,
  { choices, range: [least, greatest] = [-Infinity, Infinity] }: NumberShape,
  list: FindingList,
): void {
  const value = Number(written);
  if (choices?.includes(value) === false) {
    list.add(node, "CHOICE", { attribute, value: written, choices: choices.join(", ") });
  } else if (!(value >= least && value <= greatest)) {
    list.add(node, "RANGE", { attribute, value: written, least, greatest });
  }
}

/** Checks whether a text is a number as Live writes one: finite, without spaces or a plus sign. */
export function isNumber(text: string, type: "int" | "float"): boolean {
  if (type === "float") return FLOAT.test(text) && Number.isFinite(Number(text));
  return INT.test(text) && BigInt(text) >= LEAST_INT && BigInt(text) <= MOST_INT;
}
