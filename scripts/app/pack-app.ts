import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, type ZipOptions, type Zippable, zipSync } from "fflate";
import { formatLicenses } from "../live/licenses.ts";
import { openNodePackage } from "./node-package.ts";
import { NODE_LICENSE_PACKAGE, type System } from "./systems.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Zip files store local time, so this gives the same bytes in every time zone. */
const TIME = new Date(2020, 0, 1, 12);
const UNIX = 3;
/** A file that its owner may write and all may run. */
const RUNNABLE = 0o100755;

/**
 * Zips an executable with the licenses of all that is in it. Unpacked, it can be started: a zip keeps what a
 * download loses.
 * @param packages the npm packages with code in it
 */
export async function packApp(
  executable: Uint8Array,
  { program }: System,
  packages: readonly string[],
): Promise<Uint8Array> {
  const nodeLicense = join(await openNodePackage(NODE_LICENSE_PACKAGE), "LICENSE");
  const texts = {
    "LICENSE.txt": await readFile(join(ROOT, "LICENSE"), "utf8"),
    "NODE-LICENSE.txt": await readFile(nodeLicense, "utf8"),
    "THIRD-PARTY-LICENSES.txt": await formatLicenses(packages),
  };
  const plain: ZipOptions = { level: 6, mtime: TIME };
  const files: Zippable = {
    [`Soundferry/${program}`]: [executable, { ...plain, os: UNIX, attrs: RUNNABLE * 2 ** 16 }],
  };
  for (const [name, text] of Object.entries(texts))
    files[`Soundferry/${name}`] = [strToU8(text), plain];
  return zipSync(files);
}
