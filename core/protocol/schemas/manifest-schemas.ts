import type { JsonObject } from "../../text/json-object.ts";
import { MAX_PACKAGE_BYTES } from "../../limits.ts";
import { FIELDS, type Field, type GroupName } from "../../manifest/fields.ts";
import type { AnnouncedManifest } from "../../manifest/manifest.ts";
import { CLEANED_MANIFEST_SCHEMA } from "../../manifest/schema.ts";
import type { SchemaOf } from "./schema.ts";

// Two more views of the table of the manifest's fields, beside the strict schema.

/**
 * What the relay takes: it refuses only a field whose remedy is to refuse, and repairs the rest with a
 * warning (rules M3, M4). Two refusals no schema can express: the same `file` twice, and a total too large.
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
