/**
 * The shape of an element: what Live writes under that name, in which order, with which values. The builders below make
 * the tables of this folder read as the format's documentation.
 */
export type Shape = ValueShape | ObjectShape | ListShape | PointeeShape | OpenShape;

/** An element without children whose attribute `Value` holds one value. */
export type ValueShape = { readonly form: "value" } & ScalarShape;

/** The type of one attribute, with the value that a new Set has. */
export type ScalarShape = NumberShape | BoolShape | TextShape;

export interface NumberShape {
  readonly type: "int" | "float";
  readonly default: number;
  /** The least and the greatest value, both included. */
  readonly range?: readonly [least: number, greatest: number];
  /** The only values; absent where a range says all. */
  readonly choices?: readonly number[];
  /** `pointee`: the value is the `Id` of a pointee of this Set. */
  readonly refersTo?: "pointee";
}

export interface BoolShape {
  readonly type: "bool";
  readonly default: boolean;
}

export interface TextShape {
  readonly type: "text";
  readonly default: string;
  /** The only forms; absent where any text is right. */
  readonly pattern?: RegExp;
}

/** An element with these children, each once, in this order. */
export interface ObjectShape {
  readonly form: "object";
  readonly attributes: Readonly<Record<string, ScalarShape>>;
  readonly members: Readonly<Record<string, Shape>>;
}

/** An element with any number of children, each with an attribute `Id` that is unique among them. */
export interface ListShape {
  readonly form: "list";
  /** The shape of a child by its name, without its `Id`. */
  readonly items: Readonly<Record<string, Shape>>;
  /** The greatest number of children. */
  readonly most?: number;
  /** The children of a new Set; none by default. */
  readonly initial?: readonly InitialItem[];
  /** True if children may have names that aren't in `items`, such as devices. */
  readonly hasOthers: boolean;
}

/** A child that a new list has: its name, and the values that aren't its shape's. */
export type InitialItem = readonly [name: string, values: Readonly<Record<string, number>>];

/** An element with an `Id` from the Set's one number space of pointees. */
export interface PointeeShape {
  readonly form: "pointee";
  /** True if it has the child `LockEnvelope`. */
  readonly hasLock: boolean;
}

/** An element that this table doesn't describe: a new Set has none. */
export interface OpenShape {
  readonly form: "open";
}

type Range = readonly [least: number, greatest: number];

/** A whole number; Live reads up to 64 bits. */
export function int(initial: number, range?: Range) {
  const shape = { form: "value", type: "int", default: initial } as const;
  return range === undefined ? shape : { ...shape, range };
}

/** A decimal number. */
export function float(initial: number, range?: Range) {
  const shape = { form: "value", type: "float", default: initial } as const;
  return range === undefined ? shape : { ...shape, range };
}

/** A whole number of a closed list. */
export function choice(initial: number, choices: readonly number[]) {
  return { form: "value", type: "int", default: initial, choices } as const;
}

/** `true` or `false`. */
export function bool(initial: boolean) {
  return { form: "value", type: "bool", default: initial } as const;
}

/** A text, by default any and empty. */
export function text(initial = "", pattern?: RegExp) {
  const shape = { form: "value", type: "text", default: initial } as const;
  return pattern === undefined ? shape : { ...shape, pattern };
}

/** The `Id` of a pointee. */
export function reference() {
  return { form: "value", type: "int", default: 0, refersTo: "pointee" } as const;
}

/** An element with attributes alone. */
export function attributes<Attributes extends Readonly<Record<string, ScalarShape>>>(
  of: Attributes,
) {
  return { form: "object", attributes: of, members: {} } as const;
}

/** An element with members in their order, and sometimes attributes. */
export function object<Members extends Readonly<Record<string, Shape>>>(
  members: Members,
  of: Readonly<Record<string, ScalarShape>> = {},
) {
  return { form: "object", attributes: of, members } as const;
}

/** A list with members of these names; a new Set has those in `initial`. */
export function list<Items extends Readonly<Record<string, Shape>>>(
  items: Items,
  initial: readonly InitialItem[] = [],
) {
  return { form: "list", items, initial, hasOthers: false } as const;
}

/** A list whose members this table doesn't describe; a new Set has none. */
export function others() {
  return { form: "list", items: {}, hasOthers: true } as const;
}

/** A place for at most one object: of these names, or without names one that this table doesn't describe. Empty in a new Set. */
export function place(items?: Readonly<Record<string, Shape>>) {
  return { form: "list", items: items ?? {}, most: 1, hasOthers: items === undefined } as const;
}

/** A pointee with the child `LockEnvelope`. */
export function pointee() {
  return { form: "pointee", hasLock: true } as const;
}

/** A pointee without children. */
export function plainPointee() {
  return { form: "pointee", hasLock: false } as const;
}

/** An element that this table doesn't describe. */
export function open() {
  return { form: "open" } as const;
}

/** The `LomId` of a list for Max for Live's objects: 0 while no device looks at it. */
export function listWrapper() {
  return attributes({ LomId: int(0) });
}
