import { readFileSync } from "node:fs";
import { join } from "node:path";

const DEPLOY = join(import.meta.dirname, "../../deploy");

/** One exact text of a shipped file, and what a test needs in its place. */
export type Change = readonly [shipped: string, here: string];

/** A file as operators get it. @param path below `deploy/` */
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

/** The file with those settings that it has in comments: lines that begin with a # and no space. */
export function uncommented(text: string): string {
  return text.replace(/^(\t*)#(?=[^\s#])/gm, "$1").replace(/^#(?= {4}\S)/gm, "");
}

/** The seconds that a file gives something, such as `timeout tunnel 120s`. @throws unless it does so exactly once */
export function secondsOf(text: string, before: string): number {
  const lines = text.split("\n").map((line) => line.trim());
  const values = lines.flatMap((line) =>
    line.startsWith(`${before} `) ? [line.slice(before.length + 1).replace(/;$/, "")] : [],
  );
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(values.join(" ")) ?? [];
  if (amount === undefined)
    throw new Error(`${before} has no time, or several: ${values.join(" ")}`);
  return Number(amount) * (unit === "ms" ? 0.001 : unit === "m" ? 60 : 1);
}
