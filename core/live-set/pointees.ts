import { isPointee, everyElement, type SetElement } from "./set-element.ts";

/** Returns the least number that no pointee of an element has, nor any after it. */
export function nextPointeeId(element: SetElement): number {
  let next = 1;
  for (const one of everyElement(element)) {
    const id = Number(one.attributes.get("Id"));
    if (isPointee(one) && id >= next) next = id + 1;
  }
  return next;
}

/** Returns an element whose pointees have numbers of their own, in document order from `first` on. */
export function numberPointees(element: SetElement, first: number): SetElement {
  let next = first;
  const visit = (one: SetElement): SetElement => {
    const attributes = isPointee(one)
      ? new Map(one.attributes).set("Id", String(next++))
      : one.attributes;
    return { ...one, attributes, children: one.children.map(visit) };
  };
  return visit(element);
}
