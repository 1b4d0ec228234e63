import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { buildWheel } from "../build-wheel.ts";
import { writeClientPackage } from "../client/client-package.ts";
import { writeReactPackage } from "../client/react-package.ts";
import { billName, billOfMaterials } from "./bill-of-materials.ts";
import { writeConformancePackage } from "./conformance-package.ts";
import { runNpm } from "../run-npm.ts";
import { writeSoundferryPackage } from "./soundferry-package.ts";

/** Writes a package's files into a folder. */
type WritePackage = (folder: string) => Promise<void>;

/** The npm packages by the names of their files, without version. */
const NPM_PACKAGES: Readonly<Record<string, WritePackage>> = {
  soundferry: writeSoundferryPackage,
  "soundferry-client": writeClientPackage,
  "soundferry-react": writeReactPackage,
  "soundferry-conformance": writeConformancePackage,
};

export interface PackagesOptions {
  /** The repository's address on the web; npm publishes with provenance only if the package names it. */
  readonly repository?: string | undefined;
}

/**
 * Packs all packages; the checkout stays as it is.
 * @param folder absolute; emptied first
 * @returns the files' names
 */
export async function buildPackages(
  folder: string,
  { repository }: PackagesOptions = {},
): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), "soundferry-packages-"));
  try {
    const files: string[] = [];
    for (const [name, write] of Object.entries(NPM_PACKAGES)) {
      const contents = join(work, name);
      await write(contents);
      if (repository !== undefined)
        await nameRepository(join(contents, "package.json"), repository);
      files.push(await pack(contents, folder));
    }
    const bill = billName("soundferry");
    await writeFile(join(folder, bill), await billOfMaterials());
    return [...files, await packWheel(folder), bill];
  } finally {
    await rm(work, { recursive: true });
  }
}

async function nameRepository(path: string, repository: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, "utf8"));
  const url = `git+${repository}.git`;
  const named = { ...manifest, repository: { type: "git", url } };
  await writeFile(path, `${JSON.stringify(named, null, 2)}\n`);
}

/** Returns the packed file's name. */
async function pack(contents: string, to: string): Promise<string> {
  const words = ["pack", "--ignore-scripts", "--json", "--pack-destination", to];
  const [packed] = JSON.parse(await runNpm(words, contents));
  return packed.filename;
}

/** Returns the wheel's name. */
async function packWheel(to: string): Promise<string> {
  try {
    return basename(await buildWheel(to));
  } catch (error) {
    const [reason] = sentenceOf(error).split("\n");
    throw new Error(`The wheel needs Python 3.9 or later. (${reason})`, { cause: error });
  }
}
