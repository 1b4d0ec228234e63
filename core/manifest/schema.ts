import { MAX_PACKAGE_BYTES } from "../limits.ts";
import type { SchemaOf } from "../protocol/schemas/schema.ts";
import type { JsonObject } from "../text/json-object.ts";
import { type Field, FIELDS, type GroupName } from "./fields.ts";
import { type AnnouncedManifest, SCHEMA } from "./manifest.ts";

/**
 * The strict JSON Schema (2020-12) of a manifest, served at `/manifest.schema.json`. It rejects values
 * that the relay repairs with a warning.
 */
export const MANIFEST_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: `Package manifest ${SCHEMA}`,
  type: "object",
  ...membersOf("manifest", {}),
};

/** JSON Schema of a cleaned manifest, with every default filled in, as an importer gets it. */
export const CLEANED_MANIFEST: SchemaOf<AnnouncedManifest> = {
  title: `Package manifest ${SCHEMA}, cleaned`,
  type: "object",
  ...membersOf("manifest", {
    manifest: ["package_id", "title", "source"],
    source: ["app"],
    sound: ["id", "name", "kind"],
  }),
};

/**
 * JSON Schema of what the relay accepts (rules M3, M4): covers only fields whose remedy is to refuse. No schema can
 * express two refusals, a duplicate `file` and an excessive total size.
 */
export const LENIENT_MANIFEST: JsonObject = {
  description:
    "What the relay accepts: anything else that differs from `Manifest` is repaired with a warning. Two sounds " +
    `with the same \`file\`, and more than ${MAX_PACKAGE_BYTES} bytes in all, are refused too.`,
  type: "object",
  ...refusableMembers("manifest"),
};

/** Additional required properties by group. */
type AlsoRequired = Partial<Record<GroupName, readonly string[]>>;

function membersOf(group: GroupName, also: AlsoRequired): JsonObject {
  const fields = Object.entries<Field>(FIELDS[group]);
  const required = [
    ...fields.filter(([, field]) => field.isRequired).map(([name]) => name),
    ...(also[group] ?? []),
  ];
  return {
    properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field, also)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...forbidLoopFieldsOnOneShots(fields),
  };
}

function schemaOf({ meaning, schema, group }: Field, also: AlsoRequired): JsonObject {
  const described = { description: meaning, ...schema };
  if (group === undefined) return described;
  return schema["type"] === "array"
    ? { ...described, items: { type: "object", ...membersOf(group, also) } }
    : { ...described, ...membersOf(group, also) };
}

function forbidLoopFieldsOnOneShots(fields: readonly (readonly [string, Field])[]): JsonObject {
  const onlyForLoops = fields.filter(([, field]) => field.isOnlyForLoops).map(([name]) => name);
  if (onlyForLoops.length === 0) return {};
  return {
    if: { properties: { kind: { const: "loop" } }, required: ["kind"] },
    else: { properties: Object.fromEntries(onlyForLoops.map((name) => [name, false])) },
  };
}

function refusableMembers(group: GroupName): JsonObject {
  const refusable = Object.entries<Field>(FIELDS[group]).filter(
    ([, { remedy }]) => remedy.kind === "refuse",
  );
  return {
    properties: Object.fromEntries(
      refusable.map(([name, field]) => [
        name,
        field.group === undefined
          ? field.schema
          : { ...field.schema, items: { type: "object", ...refusableMembers(field.group) } },
      ]),
    ),
    required: refusable.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
}
