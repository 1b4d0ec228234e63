import { readFileSync } from "node:fs";
import { join } from "node:path";

const DEPLOY = join(import.meta.dirname, "../../relay/deploy");

/** One exact text of a shipped file, and what is needed in its place here. */
export type Change = readonly [shipped: string, here: string];

/** A file as operators get it. @param path below `relay/deploy/` */
export function readShipped(path: string): string {
  return readFileSync(join(DEPLOY, path), "utf8");
}

/** @throws unless each text is in it exactly once */
export function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((now, [shipped, here]) => {
    const [before = "", after, ...more] = now.split(shipped);
    if (after === undefined || more.length > 0) {
      throw new Error(`The file has this ${now.split(shipped).length - 1} times: ${shipped}`);
    }
    return before + here + after;
  }, text);
}
