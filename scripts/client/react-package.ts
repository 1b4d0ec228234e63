import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { VERSION } from "../../core/version.ts";
import { node10Fields } from "../packages/node10-fields.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = join(ROOT, "client", "react");

/**
 * Writes the package `@soundferry/react`: JavaScript, types, package.json, license and README.
 * @param folder absolute; emptied first
 */
export async function writeReactPackage(folder = join(ROOT, "dist", "react")): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeCode(folder),
    writeTypes(folder),
    writeFile(join(folder, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`),
    copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE")),
    copyFile(join(SOURCES, "README.md"), join(folder, "README.md")),
  ]);
}

async function writeCode(folder: string): Promise<void> {
  await build({
    entryPoints: [join(SOURCES, "index.ts")],
    outdir: folder,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    logLevel: "silent",
  });
}

/** The compiler also writes the types of the element, which come with `@soundferry/client`. */
async function writeTypes(folder: string): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), "soundferry-react-"));
  try {
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const emit = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
    const words = [compiler, "-p", SOURCES, ...emit, "--outDir", all];
    await promisify(execFile)(process.execPath, words, { cwd: ROOT });
    const emitted = join(all, "client", "react", "index.d.ts");
    await copyFile(emitted, join(folder, "index.d.ts"));
  } finally {
    await rm(all, { recursive: true });
  }
}

function packageJson(): object {
  const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
  return {
    name: "@soundferry/react",
    version: VERSION,
    description: "Sends sounds from a React app into Ableton Live, through a Soundferry relay.",
    license: "MIT",
    type: "module",
    // Importing it defines the element.
    sideEffects: ["./index.js"],
    ...node10Fields(exports),
    exports: { ...exports, "./package.json": "./package.json" },
    peerDependencies: { "@soundferry/client": VERSION, react: ">=18" },
  };
}
