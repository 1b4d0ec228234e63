import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sentenceOf } from "../core/text/sentence-of.ts";
import { VERSION } from "../core/version.ts";
import { buildPackages } from "./packages/build-packages.ts";

// Builds every package that is published, into dist/packages/. docs/build/release.md describes the release.

const FOLDER = "dist/packages";
const USE = "Use: npm run build:packages [-- --tag v<version> --repository <https://…>]";

async function run(): Promise<void> {
  const options = { tag: { type: "string" }, repository: { type: "string" } } as const;
  const { tag, repository } = parseArgs({ options }).values;
  if (tag !== undefined && tag !== `v${VERSION}`) {
    throw new Error(`The tag is "${tag}", and core/version.ts says ${VERSION}.`);
  }
  const folder = join(import.meta.dirname, "..", FOLDER);
  for (const file of await buildPackages(folder, { repository })) {
    const bytes = await readFile(join(folder, file));
    const hash = createHash("sha256").update(bytes).digest("hex");
    process.stdout.write(`${FOLDER}/${file}: ${bytes.length} bytes, SHA-256 ${hash}\n`);
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n${USE}\n`);
  process.exitCode = 1;
}
