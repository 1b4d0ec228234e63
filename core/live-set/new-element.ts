import { fillElement, withId } from "./fill-element.ts";
import type { ObjectShape, ScalarShape, Shape } from "./schema/shape.ts";
import type { SetElement } from "./set-element.ts";

/** Makes an element with the values that a new Set has. A pointee's `Id` is 0, which is none, until it gets a number. */
export function newElement(tag: string, shape: Shape): SetElement {
  switch (shape.form) {
    case "value":
      return { tag, attributes: valuesOf({ Value: shape }), children: [] };
    case "object":
      return { tag, attributes: valuesOf(shape.attributes), children: newMembers(shape) };
    case "list": {
      const children = (shape.initial ?? []).map(([item, values], id) =>
        withId(id, fillElement(newItem(shape.items, item), values)),
      );
      return { tag, attributes: new Map(), children };
    }
    case "pointee": {
      const lock = { tag: "LockEnvelope", attributes: new Map([["Value", "0"]]), children: [] };
      return { tag, attributes: new Map([["Id", "0"]]), children: shape.hasLock ? [lock] : [] };
    }
    case "open":
      throw new RangeError(`The table doesn't describe ${tag}.`);
  }
}

function newMembers({ members }: ObjectShape): readonly SetElement[] {
  return Object.entries(members).map(([tag, shape]) => newElement(tag, shape));
}

function newItem(items: Readonly<Record<string, Shape>>, tag: string): SetElement {
  const shape = items[tag];
  if (shape === undefined) throw new RangeError(`The list has no ${tag}.`);
  return newElement(tag, shape);
}

function valuesOf(scalars: Readonly<Record<string, ScalarShape>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(scalars).map(([name, scalar]) => [name, String(scalar.default)]));
}
