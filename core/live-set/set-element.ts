/** An element of a Live Set, with its attributes and children in document order. */
export interface SetElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly this[];
}

/** Returns the descendant that is reached by the first child of each tag. */
export function descend<Element extends SetElement>(
  element: Element | undefined,
  ...path: readonly string[]
): Element | undefined {
  return path.reduce<Element | undefined>(
    (parent, name) => parent?.children.find((child) => child.tag === name),
    element,
  );
}

/** Returns the children of the element at a path; none where there is no such element. */
export function childrenAt<Element extends SetElement>(
  element: Element | undefined,
  ...path: readonly string[]
): readonly Element[] {
  return descend(element, ...path)?.children ?? [];
}

/** Returns the attribute `Value` of the element at a path. */
export function valueAt(
  element: SetElement | undefined,
  ...path: readonly string[]
): string | undefined {
  return descend(element, ...path)?.attributes.get("Value");
}

/** Returns the `Value` of the element at a path as a number; NaN where it is missing or not a number. */
export function numberAt(element: SetElement | undefined, ...path: readonly string[]): number {
  const value = valueAt(element, ...path);
  return value === undefined || value.trim() === "" ? Number.NaN : Number(value);
}

/** Yields an element and all its descendants in document order. */
export function* everyElement<Element extends SetElement>(root: Element): Generator<Element> {
  const rest = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next;
    const { children } = next;
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child !== undefined) rest.push(child);
    }
  }
}

/**
 * Checks whether an element is a pointee, which envelopes can point at: it has an `Id` from the Set's one number space,
 * and its only child is a `LockEnvelope`, or it is called `Pointee`.
 */
export function isPointee({ tag, attributes, children }: SetElement): boolean {
  if (!attributes.has("Id")) return false;
  const [only, another] = children;
  return tag === "Pointee" || (only?.tag === "LockEnvelope" && another === undefined);
}
