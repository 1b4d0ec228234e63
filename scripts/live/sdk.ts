import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { extract } from "tar";

/** The package that Live's extensions are built on. */
export const SDK_NAME = "@ableton-extensions/sdk";

const STAND_IN = fileURLToPath(new URL("../../addon/extension/sdk-stand-in.ts", import.meta.url));

/** The module that is bundled as the SDK. Disposing removes the unpacked files. */
export interface Sdk extends AsyncDisposable {
  readonly entry: string;
  readonly isStandIn: boolean;
}

/**
 * Finds the SDK to bundle: a package folder, its `.tgz`, or a folder that contains the `.tgz`.
 * @param path undefined selects the stand-in
 * @throws {Error} with a sentence if there is no SDK there
 */
export async function openSdk(path: string | undefined): Promise<Sdk> {
  if (path === undefined) return { entry: STAND_IN, isStandIn: true, ...keptAsItIs };
  const given = await findPackage(resolve(path));
  if (!given.endsWith(".tgz")) {
    return { entry: await findEntry(given), isStandIn: false, ...keptAsItIs };
  }
  const folder = await mkdtemp(join(tmpdir(), "soundferry-sdk-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await extract({ file: given, cwd: folder, strip: 1 });
    return { entry: await findEntry(folder), isStandIn: false, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const keptAsItIs = { [Symbol.asyncDispose]: async () => undefined };

/** The package folder or its `.tgz`. */
async function findPackage(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`There is nothing at ${path}.`);
  if (!found.isDirectory()) {
    if (path.endsWith(".tgz")) return path;
    throw new Error(`${path} is neither a folder nor a .tgz.`);
  }
  const names = await readdir(path);
  if (names.includes("package.json")) return path;
  const packed = names.filter((name) => /sdk.*\.tgz$/.test(name));
  const [only] = packed;
  if (only !== undefined && packed.length === 1) return join(path, only);
  throw new Error(`${path} holds neither a package.json nor one .tgz of the SDK.`);
}

/** The CommonJS entry, as Node resolves it. */
async function findEntry(folder: string): Promise<string> {
  const manifest = join(folder, "package.json");
  const { name, exports } = JSON.parse(await readFile(manifest, "utf8"));
  if (name !== SDK_NAME) throw new Error(`The package in ${folder} is ${name}, not ${SDK_NAME}.`);
  const require = createRequire(manifest);
  // Only a package with `exports` can be resolved by its own name.
  const entry = require.resolve(exports === undefined ? folder : SDK_NAME);
  if (typeof require(entry).initialize !== "function") {
    throw new Error(`The package in ${folder} exports no initialize.`);
  }
  return entry;
}
