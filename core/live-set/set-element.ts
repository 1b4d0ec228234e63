/** An element of a Live Set, with its attributes and children in document order. */
export interface SetElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly SetElement[];
}

/** Returns the descendant that is reached by the first child of each tag. */
export function descend(
  element: SetElement | undefined,
  ...path: readonly string[]
): SetElement | undefined {
  return path.reduce(
    (parent, name) => parent?.children.find((child) => child.tag === name),
    element,
  );
}

/** Returns the children of the element at a path; none where there is no such element. */
export function childrenAt(
  element: SetElement | undefined,
  ...path: readonly string[]
): readonly SetElement[] {
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
export function* everyElement(element: SetElement): Generator<SetElement> {
  yield element;
  for (const child of element.children) yield* everyElement(child);
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
