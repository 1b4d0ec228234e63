import { isJsonObject, type JsonObject } from "../../text/json-object.ts";
import type { FromSchema, Schema } from "./schema.ts";

/** What a value fails first. */
export interface Fault {
  /** JSON Pointer of the value. */
  readonly pointer: string;
  /** The schema's keyword, such as `maxLength`. */
  readonly keyword: keyof Schema;
}

/** Whether a value is as a schema describes it; members that the schema does not name are let through. */
export function matches<S extends Schema>(schema: S, value: unknown): value is FromSchema<S> {
  return faultOf(schema, value) === undefined;
}

/**
 * The first fault of a parsed JSON value, in the order of the schema's members; undefined where it has
 * none. A small judge of our own: it makes no code while it runs, and takes time in proportion to the
 * value's size.
 */
export function faultOf(schema: Schema, value: unknown, pointer = ""): Fault | undefined {
  const fails = (keyword: keyof Schema): Fault => ({ pointer, keyword });
  if (schema.type !== undefined && !isOfType(schema.type, value)) return fails("type");
  if (schema.const !== undefined && value !== schema.const) return fails("const");
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value)) return fails("enum");
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((one) => matches(one, value));
    if (fitting.length !== 1) return fails("oneOf");
  }
  if (typeof value === "string") return faultOfText(schema, value, fails);
  if (typeof value === "number" && schema.minimum !== undefined && value < schema.minimum) {
    return fails("minimum");
  }
  if (Array.isArray(value)) return faultOfList(schema, value, pointer);
  return isJsonObject(value) ? faultOfObject(schema, value, pointer) : undefined;
}

function isOfType(type: NonNullable<Schema["type"]>, value: unknown): boolean {
  if (typeof type !== "string") return type.some((one) => isOfType(one, value));
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function faultOfText(
  { minLength = 0, maxLength = Infinity, pattern }: Schema,
  text: string,
  fails: (keyword: keyof Schema) => Fault,
): Fault | undefined {
  if (text.length < minLength * 2 && countCodePoints(text) < minLength) return fails("minLength");
  if (text.length > maxLength && countCodePoints(text) > maxLength) return fails("maxLength");
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text)) return fails("pattern");
  return undefined;
}

function countCodePoints(text: string): number {
  return Array.from(text).length;
}

function faultOfList(
  { items, maxItems = Infinity }: Schema,
  list: readonly unknown[],
  pointer: string,
): Fault | undefined {
  if (list.length > maxItems) return { pointer, keyword: "maxItems" };
  if (items === undefined) return undefined;
  for (const [at, entry] of list.entries()) {
    const fault = faultOf(items, entry, `${pointer}/${at}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  object: JsonObject,
  pointer: string,
): Fault | undefined {
  if (!required.every((name) => Object.hasOwn(object, name))) {
    return { pointer, keyword: "required" };
  }
  const named = Object.entries(properties).filter(([name]) => Object.hasOwn(object, name));
  const others =
    additionalProperties === undefined
      ? []
      : Object.keys(object)
          .filter((name) => !Object.hasOwn(properties, name))
          .map((name) => [name, additionalProperties] as const);
  for (const [name, schema] of [...named, ...others]) {
    const fault = faultOf(schema, object[name], `${pointer}/${escapePointer(name)}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
