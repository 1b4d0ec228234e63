import { readFile } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The time that a thread spent: microseconds by function, and by folder or package. */
export interface Spent {
  readonly thread: string;
  /** Without `(idle)`. */
  readonly micros: number;
  readonly byFunction: ReadonlyMap<string, number>;
  readonly byPlace: ReadonlyMap<string, number>;
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Reads a `.cpuprofile`: each sample's time belongs to the function that ran then. */
export async function readProfile(path: string): Promise<Spent> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(path, "utf8")) as CpuProfile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPlace = new Map<string, number>();
  let all = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    // A sample lasts until the next one.
    const micros = timeDeltas[index + 1] ?? 0;
    if (frame === undefined || frame.functionName === "(idle)") return;
    if (frame.url === "node:inspector") return;
    const place = placeOf(frame.url);
    const name = frame.functionName || "(anonymous)";
    const at = frame.url === "" ? "" : ` ${basename(frame.url)}:${frame.lineNumber + 1}`;
    all += micros;
    add(byFunction, `${name}${at}`, micros);
    add(byPlace, place === "" ? name : place, micros);
  });
  return { thread: basename(path, ".cpuprofile"), micros: all, byFunction, byPlace };
}

function add(sums: Map<string, number>, name: string, micros: number): void {
  sums.set(name, (sums.get(name) ?? 0) + micros);
}

/** A package, a module of Node, or up to two folders of this project; empty for native code. */
function placeOf(url: string): string {
  if (!url.startsWith("file:")) return url;
  const path = fileURLToPath(url);
  const inPackage = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*node_modules)/.exec(
    path,
  );
  if (inPackage?.[1] !== undefined) return inPackage[1];
  return relative(ROOT, path).split(sep).slice(0, -1).slice(0, 3).join("/");
}
