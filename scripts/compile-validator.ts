import { fileURLToPath } from "node:url";
import addFormats from "ajv-formats";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { PACKAGE_AUDIO } from "../core/layout/audio-schema.ts";
import { LAYOUT } from "../core/layout/layout-schema.ts";
import { MANIFEST_SCHEMA } from "../core/manifest/schema.ts";
import { CLAIM_REQUEST } from "../core/protocol/schemas/app-schemas.ts";
import { SOUND_RESULT } from "../core/protocol/schemas/common-schemas.ts";
import { DEVICE_NAME_REQUEST, TAKE_REQUEST } from "../core/protocol/schemas/importer-schemas.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface ValidatorSource {
  /** The file that its schemas come from, relative to the project's root. */
  readonly from: string;
  /** By the name of the exported function. */
  readonly schemas: Readonly<Record<string, object>>;
  readonly options: Options;
}

/** The modules that `npm run generate` writes, by their paths relative to the project's root. */
export const VALIDATORS: Readonly<Record<string, ValidatorSource>> = {
  "core/manifest/validate.generated.js": {
    from: "core/manifest/fields.ts",
    schemas: { validateManifest: MANIFEST_SCHEMA },
    options: { allErrors: true },
  },
  "core/protocol/schemas/validate.generated.js": {
    from: "the schemas of bodies and layouts",
    schemas: {
      isClaimRequest: CLAIM_REQUEST,
      isDeviceName: DEVICE_NAME_REQUEST.properties.device_name,
      isRunId: TAKE_REQUEST.properties.run_id,
      isSoundResult: SOUND_RESULT,
      isLayout: LAYOUT,
      isPackageAudio: PACKAGE_AUDIO,
    },
    options: { allowUnionTypes: true },
  },
};

/**
 * Strict schemas as a standalone module: no imports and no code generated at run time, so that it runs in
 * the relay, in a page with a content policy and in Live. The output is deterministic.
 */
export async function compileValidator(source: ValidatorSource): Promise<string> {
  const { from, schemas, options } = source;
  const ajv = new Ajv2020({
    ...options,
    messages: false,
    code: { source: true, esm: true },
    schemas,
  });
  addFormats.default(ajv, ["date-time"]);
  const names = Object.keys(schemas);
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT, sourcefile: from },
    absWorkingDir: ROOT,
    // Where node_modules is a link, the comments that name its files stay the same.
    preserveSymlinks: true,
    banner: { js: `// Made by \`npm run generate\` from ${from}. Do not edit.` },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles.map((file) => file.text).join("");
}
