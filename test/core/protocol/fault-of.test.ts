import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as app from "../../../core/protocol/schemas/app-schemas.ts";
import { faultOf, matches } from "../../../core/protocol/schemas/fault-of.ts";
import * as importer from "../../../core/protocol/schemas/importer-schemas.ts";
import type { Schema } from "../../../core/protocol/schemas/schema.ts";

const SCHEMAS = Object.entries<object>({ ...app, ...importer }).filter(
  (entry): entry is [string, Schema] => !/IMPORTABLE|PACKAGES/.test(entry[0]),
);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv, ["date-time"]);

/** JSON of any shape, with more of what the schemas speak of than chance would give. */
function nearly(names: readonly string[]): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(
    fc.constantFrom("", "imported", "waiting", "x".repeat(101), "🎹".repeat(100), "🎹".repeat(101)),
    fc.constantFrom("K7MQ2X", "sfa_x", "2026-01-31T12:00:00.000Z", "code.used", "soundferry"),
    fc.string(),
    fc.constantFrom(null, true, -1, 0, 1.5, 2),
  );
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, "more"), tie("value"), { maxKeys: 8 }),
    ),
  })).value;
}

function namesIn(schema: Schema): string[] {
  const members = Object.values(schema.properties ?? {});
  const inside = [...members, schema.items, schema.additionalProperties, ...(schema.oneOf ?? [])];
  const deeper = inside.map((one) => (one === undefined ? [] : namesIn(one)));
  return [...Object.keys(schema.properties ?? {}), ...deeper.flat()];
}

/** A value that a schema describes. */
function fitting(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf !== undefined) return fitting(schema.oneOf.at(-1) ?? {});
  const type = Array.isArray(schema.type) ? schema.type.at(-1) : schema.type;
  if (type === "array") return [fitting(schema.items ?? {})];
  if (type === "integer" || type === "number") return 1;
  if (type === "null") return null;
  if (type === "boolean") return true;
  if (type === "string") return SAMPLES.find((one) => matches(schema, one));
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, one]) => [name, fitting(one)]),
  );
}
const SAMPLES = [
  "K7MQ2X",
  "sfa_x",
  "sfi_x",
  "2026-01-31T12:00:00.000Z",
  `pkg_${"x".repeat(22)}`,
  "0".repeat(64),
];

test.each(SCHEMAS)("[O3] judges by %s as a judge of the whole JSON Schema does", (_, schema) => {
  const validate = ajv.compile(schema);
  const good = fitting(schema);
  expect([matches(schema, good), validate(good)]).toEqual([true, true]);
  fc.assert(
    fc.property(nearly(namesIn(schema)), (value) => {
      expect(matches(schema, value)).toBe(validate(value));
    }),
    { numRuns: 300 },
  );
  // One member of the good value is anything.
  if (typeof good !== "object" || good === null) return;
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(good)), nearly(namesIn(schema)), (name, value) => {
      const changed = { ...good, [name]: value };
      expect(matches(schema, changed)).toBe(validate(changed));
    }),
    { numRuns: 300 },
  );
});

test("[O3] names the first fault, and takes a name like any other", () => {
  expect(faultOf(app.CLAIM_REQUEST, { code: "a", app_name: "b", app_id: "x".repeat(201) })).toEqual(
    { pointer: "/app_id", keyword: "maxLength" },
  );
  expect(faultOf(app.CLAIM_REQUEST, JSON.parse('{"__proto__": {"code": "a"}}'))?.keyword).toBe(
    "required",
  );
  const results = JSON.parse('{"results": {"__proto__": {"status": "gone"}}}');
  expect(faultOf(importer.REPORT_REQUEST, results)).toEqual({
    pointer: "/results/__proto__/status",
    keyword: "enum",
  });
});
