import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const BYTES = new Uint8Array(1024);

/** The files to make before the first round: on some disks, files take long to make after many were deleted. */
export interface Filling {
  readonly dataFolder: string;
  /** Number of files of each round. */
  readonly count: number;
  readonly rounds: number;
}

/** The beginning of the names of a round's folders. */
export function prefixOf(round: number): string {
  return `pkg_${round}_`;
}

/** The keys of so many packages of one file each. */
function soundKeysOf(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}/snd_1`);
}

/** Makes these files, as the relay stores them. Returns their keys. */
export function makeSoundFiles(root: string, prefix: string, count: number): readonly string[] {
  const keys = soundKeysOf(prefix, count);
  for (const key of keys) {
    mkdirSync(dirname(join(root, key)), { recursive: true });
    writeFileSync(join(root, key), BYTES);
  }
  return keys;
}
