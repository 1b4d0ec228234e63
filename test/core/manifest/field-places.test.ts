import { expect, test } from "vitest";
import { FIELDS, type Field } from "../../../core/manifest/fields.ts";
import { FIELD_NAMES, findFieldGaps, NOT_IN_DRAFT, NOT_IN_PANEL } from "./field-places.ts";

const INVENTED: Field = {
  meaning: "Invented by a test.",
  form: "text",
  schema: { type: "string" },
  remedy: { kind: "drop" },
};

const PLACES = [
  "a sample in test/core/manifest/field-places.ts",
  "a member of a type in core/manifest/manifest.ts",
  "the strict schema",
  "the validator (npm run generate)",
  "a repair or a refusal of a bad value",
  "the manifest that an importer gets",
  "a draft of the client",
  "the panel",
  "OpenAPI's Manifest",
  "OpenAPI's CleanedManifest",
];

test("[M4] every field is present in every place that needs it", () => {
  expect(findFieldGaps(FIELDS)).toEqual([]);
});

test.each(["manifest", "source", "tempo", "sound"] as const)(
  "[M4] a field added only to the table %s is reported missing by name in each place",
  (group) => {
    const table = { ...FIELDS, [group]: { ...FIELDS[group], test_field: INVENTED } };
    expect(findFieldGaps(table)).toEqual(
      [...PLACES, `the table ${group} of docs/use/manifest.md`].map(
        (place) => `${group}.test_field: ${place}`,
      ),
    );
  },
);

test("[M4] every exception names an existing field", () => {
  const excused = [...Object.keys(NOT_IN_DRAFT), ...Object.keys(NOT_IN_PANEL)];
  expect(excused.filter((name) => !FIELD_NAMES.includes(name))).toEqual([]);
});
