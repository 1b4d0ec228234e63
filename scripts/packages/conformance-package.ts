import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { VERSION } from "../../core/version.ts";
import { formatLicenses, packagesIn } from "../live/licenses.ts";

const ROOT = join(import.meta.dirname, "../..");
const NAME = "soundferry-conformance";

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
} as const;

/**
 * Writes the package `soundferry-conformance`: the conformance kit in one file that needs no other package, started by
 * one that every Node can read.
 * @param folder absolute; emptied first
 */
export async function writeConformancePackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [packages, manifest] = await Promise.all([writeCode(folder), packageJson()]);
  await Promise.all([
    writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`),
    writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), await formatLicenses(packages)),
    copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE")),
    copyFile(join(ROOT, "cli", "conformance", "README.md"), join(folder, "README.md")),
  ]);
}

/** @returns the packages with code in it */
async function writeCode(folder: string): Promise<readonly string[]> {
  await build({
    ...OPTIONS,
    entryPoints: [`cli/${NAME}.cjs`],
    outfile: join(folder, `${NAME}.cjs`),
    format: "cjs",
    target: "node10",
    // An older Node never gets that far; it only has to read it.
    supported: { "dynamic-import": true },
    plugins: [
      {
        name: "compiled",
        setup: (bundling) => {
          bundling.onResolve({ filter: /\.ts$/ }, () => ({ path: `./${NAME}.js`, external: true }));
        },
      },
    ],
  });
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [`cli/${NAME}.ts`],
    outfile: join(folder, `${NAME}.js`),
    format: "esm",
    target: "node22",
    minify: true,
    metafile: true,
    // Optional native code for `ws`, which newer versions of Node don't need.
    external: ["bufferutil", "utf-8-validate"],
    // `ws` is CommonJS and calls it.
    banner: {
      js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);',
    },
  });
  return packagesIn(metafile);
}

async function packageJson(): Promise<object> {
  const { engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  return {
    name: NAME,
    version: VERSION,
    description: "Checks a relay for Soundferry packages from the outside, rule by rule.",
    license: "MIT",
    type: "module",
    bin: { [NAME]: `${NAME}.cjs` },
    exports: { "./package.json": "./package.json" },
    engines,
  };
}
