import type { SetElement } from "./set-element.ts";

type Scalar = string | number | boolean;

/** Values for an element's members: a `Value`, values of members of their own, or all the children. `@` is an attribute. */
export interface Filling {
  readonly [member: string]: Scalar | Filling | readonly SetElement[];
}

/** An element doesn't have a member that must be set. */
export class MemberMissingError extends Error {
  override readonly name = "MemberMissingError";
  readonly element: string;
  readonly member: string;

  constructor(element: string, member: string) {
    super(`${element} has no ${member}.`);
    this.element = element;
    this.member = member;
  }
}

/**
 * Returns an element with other values in the named members. The others, and the order, stay.
 * @throws {MemberMissingError} if it doesn't have one of them
 */
export function fillElement(element: SetElement, filling: Filling): SetElement {
  const attributes = new Map(element.attributes);
  const missing = new Set(Object.keys(filling));
  for (const [name, value] of Object.entries(filling)) {
    if (!name.startsWith("@") || typeof value === "object") continue;
    attributes.set(name.slice(1), formatValue(value));
    missing.delete(name);
  }
  const children = element.children.map((child) => {
    const value = filling[child.tag];
    if (value === undefined || !missing.delete(child.tag)) return child;
    if (typeof value === "object") {
      return isElements(value) ? { ...child, children: value } : fillElement(child, value);
    }
    return { ...child, attributes: new Map(child.attributes).set("Value", formatValue(value)) };
  });
  const [lost] = missing;
  if (lost !== undefined) throw new MemberMissingError(element.tag, lost);
  return { ...element, attributes, children };
}

/** Returns list members with the ids from 0 on. */
export function numbered(items: readonly SetElement[]): readonly SetElement[] {
  return items.map((item, id) => withId(id, item));
}

/** Returns an element with an `Id`, which comes first. */
export function withId(id: number, element: SetElement): SetElement {
  const { Id: _, ...rest } = Object.fromEntries(element.attributes);
  return { ...element, attributes: new Map(Object.entries({ Id: String(id), ...rest })) };
}

/** Formats a value as Live writes it: a number has no exponent. */
function formatValue(value: Scalar): string {
  const text = String(value);
  if (typeof value !== "number" || !text.includes("e")) return text;
  return value.toFixed(20).replace(/\.?0+$/, "");
}

function isElements(value: Filling | readonly SetElement[]): value is readonly SetElement[] {
  return Array.isArray(value);
}
