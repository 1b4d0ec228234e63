import type { JsonObject } from "../../text/json-object.ts";
import { MAX_PACKAGE_BYTES } from "../../limits.ts";
import { FIELDS, type Field, type GroupName } from "../../manifest/fields.ts";
import type { AnnouncedManifest } from "../../manifest/manifest.ts";
import { CLEANED_MANIFEST_SCHEMA } from "../../manifest/schema.ts";
import type { SchemaOf } from "./schema.ts";

// More schemas from the manifest's field table, besides the strict one.

/**
 * What the relay accepts (rules M3, M4): covers only fields whose remedy is to refuse. No schema can
 * express two refusals, a duplicate `file` and an excessive total size.
 */
export const LENIENT_MANIFEST: JsonObject = {
  description:
    "What the relay accepts: anything else that differs from `Manifest` is repaired with a warning. Two sounds " +
    `with the same \`file\`, and more than ${MAX_PACKAGE_BYTES} bytes in all, are refused too.`,
  type: "object",
  ...refusableMembers("manifest"),
};

/** A manifest as an importer gets it. */
export const CLEANED_MANIFEST: SchemaOf<AnnouncedManifest> = CLEANED_MANIFEST_SCHEMA;

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
