import { newElement } from "./new-element.ts";
import type { ListShape, ScalarShape, Shape } from "./schema/shape.ts";
import type { SetElement } from "./set-element.ts";

/** A person's keys and controllers for a parameter: each can be for one only. */
const ASSIGNMENT = "KeyMidi";
/** A number for Max for Live's objects, 0 for none. */
const LOM_ID = "LomId";

/**
 * Gives an element of another Set the values of a new one. Its members and their order stay, and so do the values of those
 * that the table doesn't know.
 */
export function resetElement(element: SetElement, shape: Shape): SetElement {
  switch (shape.form) {
    case "value":
      return { ...element, attributes: resetAttributes(element, { Value: shape }) };
    case "object": {
      const children = element.children.flatMap((child) => {
        const known = shape.members[child.tag];
        if (child.tag === ASSIGNMENT) return [];
        return [known === undefined ? withoutNumbers(child) : resetElement(child, known)];
      });
      return { ...element, attributes: resetAttributes(element, shape.attributes), children };
    }
    case "list":
      return { ...element, children: resetItems(element, shape) };
    case "pointee":
    case "open":
      return element;
  }
}

/** Keeps as many children as a new list has: its own first, or else a new one. */
function resetItems({ children }: SetElement, shape: ListShape): readonly SetElement[] {
  const initial = shape.initial ?? [];
  return initial.flatMap(([tag], index) => {
    const known = shape.items[tag];
    if (known === undefined) return [];
    const own = children.filter((child) => child.tag === tag)[index];
    return [own === undefined ? newElement(tag, known) : resetElement(own, known)];
  });
}

function resetAttributes(
  { attributes }: SetElement,
  shapes: Readonly<Record<string, ScalarShape>>,
): ReadonlyMap<string, string> {
  return new Map(
    [...attributes].map(([name, value]) => {
      const known = shapes[name];
      return [name, known === undefined ? value : String(known.default)];
    }),
  );
}

/** Returns an element that the table doesn't know, without the numbers that are another Set's. */
function withoutNumbers(element: SetElement): SetElement {
  const attributes = new Map(element.attributes);
  if (attributes.has(LOM_ID)) attributes.set(LOM_ID, "0");
  if (element.tag === LOM_ID) attributes.set("Value", "0");
  const children = element.children.filter(({ tag }) => tag !== ASSIGNMENT).map(withoutNumbers);
  return { ...element, attributes, children };
}
