import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A text built from sources, and every file that went into it, relative to the project's root. */
export interface BuiltText {
  readonly text: string;
  readonly inputs: readonly string[];
}

export interface CachedBuild {
  /** The cache's file name, such as `panel.html`. */
  readonly fileName: string;
  /** The build scripts it depends on, beside its sources; relative to the project's root. */
  readonly makers: readonly string[];
  readonly make: () => Promise<BuiltText>;
}

/** The origin of a cached text. */
interface Stamp {
  readonly inputs: readonly string[];
  /** Digest of the inputs and of the text. */
  readonly digest: string;
}

/**
 * Returns a built text from the cache, and rebuilds it if anything changed. Several processes may do so at
 * once.
 * @param folder absolute; default `dist/`
 */
export async function cachedBuild(
  { fileName, makers, make }: CachedBuild,
  folder = join(ROOT, "dist"),
): Promise<string> {
  const path = join(folder, fileName);
  const stampPath = join(folder, `${basename(fileName, extname(fileName))}.stamp.json`);
  const cached = await readCached(path, stampPath);
  if (cached !== undefined) return cached;
  const { text, inputs: sources } = await make();
  const inputs = ["scripts/cached-build.ts", "package-lock.json", ...makers, ...sources];
  const stamp: Stamp = { inputs, digest: await digestOf(inputs, text) };
  await mkdir(folder, { recursive: true });
  await replaceFile(path, text);
  await replaceFile(stampPath, JSON.stringify(stamp));
  return text;
}

/** undefined if there is none, or if it was built from other sources. */
async function readCached(path: string, stampPath: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const { inputs, digest } = JSON.parse(await readFile(stampPath, "utf8")) as Stamp;
    return (await digestOf(inputs, text)) === digest ? text : undefined;
  } catch {
    return undefined;
  }
}

async function digestOf(inputs: readonly string[], text: string): Promise<string> {
  const contents = await Promise.all(inputs.map((input) => readFile(join(ROOT, input))));
  const hash = createHash("sha256");
  for (const content of contents) hash.update(`${content.length}\n`).update(content);
  return hash.update(text).digest("hex");
}

/** Writes a temporary file and renames it, so that nobody reads a partial file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  await writeFile(beside, text);
  await rename(beside, path);
}
