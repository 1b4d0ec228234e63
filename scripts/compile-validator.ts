import { fileURLToPath } from "node:url";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { MANIFEST_SCHEMA } from "../core/manifest/schema.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The strict schema as a standalone module: no imports and no code generated at run time, so that it runs in
 * the relay, in a page with a content policy and in Live. The output is deterministic.
 */
export async function compileValidator(): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    messages: false,
    code: { source: true, esm: true },
    schemas: { manifest: MANIFEST_SCHEMA },
  });
  addFormats.default(ajv, ["date-time"]);
  const source = standalone.default(ajv, { validateManifest: "manifest" });
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT, sourcefile: "manifest" },
    absWorkingDir: ROOT,
    banner: { js: "// Made by `npm run generate` from core/manifest/fields.ts. Do not edit." },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles.map((file) => file.text).join("");
}
