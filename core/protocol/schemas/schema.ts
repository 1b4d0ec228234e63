import type { JsonObject } from "../../text/json-object.ts";

type TypeName = "string" | "number" | "integer" | "boolean" | "null" | "object" | "array";

/**
 * The subset of JSON Schema (2020-12) that describes the bodies of both APIs.
 * @typeParam Other kind of schema allowed inside; default: none
 */
export interface Schema<Other = never> {
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly const?: string;
  readonly enum?: readonly string[];
  /** Code points. */
  readonly minLength?: number;
  /** Code points. */
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Documentation only. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly items?: Schema<Other> | Other;
  readonly properties?: Readonly<Record<string, Schema<Other> | Other>>;
  readonly required?: readonly string[];
  /** Schema of the values of a map. */
  readonly additionalProperties?: Schema<Other> | Other;
  readonly oneOf?: readonly (Schema<Other> | Other)[];
}

declare const DESCRIBED: unique symbol;

/** An opaque schema with the type it describes. */
export interface SchemaOf<Type> extends JsonObject {
  readonly [DESCRIBED]?: Type;
}

/** A schema for documentation, not for validation; may contain opaque schemas. */
export type DescribedSchema = Schema<SchemaOf<unknown>>;

interface TypeByName {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

/** The TypeScript type that a schema describes; `unknown` if the schema has no `type`. */
export type FromSchema<S> = S extends { readonly [DESCRIBED]?: infer Type }
  ? Exclude<Type, undefined>
  : S extends { readonly const: infer Value }
    ? Value
    : S extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : S extends { readonly oneOf: readonly (infer Choice)[] }
        ? FromSchema<Choice>
        : S extends { readonly type: infer Name }
          ? FromType<S, Name extends readonly (infer One)[] ? One : Name>
          : unknown;

type FromType<S, Name> = Name extends keyof TypeByName
  ? TypeByName[Name]
  : Name extends "array"
    ? S extends { readonly items: infer Items }
      ? readonly FromSchema<Items>[]
      : readonly unknown[]
    : S extends { readonly additionalProperties: infer Member }
      ? Readonly<Record<string, FromSchema<Member>>>
      : S extends { readonly properties: infer Members }
        ? FromMembers<
            Members,
            S extends { readonly required: readonly (infer Key)[] } ? Key : never
          >
        : JsonObject;

type FromMembers<Members, Required> = RequiredMembers<Members, Extract<keyof Members, Required>> &
  OptionalMembers<Members, Exclude<keyof Members, Required>>;

// `Key extends keyof Members` keeps the comment of each property of a schema for the type.
type RequiredMembers<Members, Key extends keyof Members> = {
  readonly [Name in Key]: FromSchema<Members[Name]>;
};
type OptionalMembers<Members, Key extends keyof Members> = {
  readonly [Name in Key]?: FromSchema<Members[Name]>;
};

/** `true` if a type and a schema agree, optional members included; otherwise `never`. */
export type Agree<Type, S> =
  Same<Type, FromSchema<S>> extends true ? Same<Whole<Type>, Whole<FromSchema<S>>> : never;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** Makes every member required, so a missing optional member counts as a difference. */
type Whole<Type> = Type extends object ? { [Key in keyof Type]-?: Whole<Type[Key]> } : Type;
