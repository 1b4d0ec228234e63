import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import type { Recorded } from "./disk-call.ts";
import type { Keeper } from "./keeper.ts";
import {
  BYTES,
  NAMES,
  readTree,
  RecordedDisk,
  type Survival,
  type Tree,
  writeTree,
} from "./recorded-disk.ts";

const HERE = import.meta.dirname;

interface PowerCut {
  /** The last that was recorded before it; absent at the very start. */
  readonly after: Recorded | undefined;
  readonly survival: Survival;
  readonly tree: Tree;
  /** What may be found afterwards. */
  readonly possible: readonly unknown[];
}

/**
 * Records a keeper's work in a process of its own. Then cuts the power at every `stride`-th moment that leaves something
 * else than another: the keeper must find what it has promised, and must be able to work.
 */
export async function surviveCuts(
  keeper: Keeper,
  { stride }: { readonly stride: number },
): Promise<void> {
  const folder = await temporaryFolder();
  const recorded = await recordKeeper(keeper, folder);
  await expectAllRecorded(folder, recorded);
  const cuts = [...cutsOf(recorded, keeper.nothing)].filter((_, index) => index % stride === 0);
  expect(cuts.length).toBeGreaterThan(1);
  for (const { after, survival, tree, possible } of cuts) {
    await writeTree(folder, tree);
    const found = JSON.stringify(await keeper.read(folder));
    const texts = possible.map((value) => JSON.stringify(value));
    expect(texts, JSON.stringify({ after, survival })).toContain(found);
    await keeper.act(folder, () => undefined);
  }
}

async function recordKeeper({ title }: Keeper, folder: string): Promise<readonly Recorded[]> {
  const [loaded, script] = [join(HERE, "record-calls.ts"), join(HERE, "play-keeper.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--import=${loaded}`,
    script,
    folder,
    title,
  ]);
  return JSON.parse(stdout);
}

/** A call that isn't recorded leaves something else than the record says. */
async function expectAllRecorded(folder: string, recorded: readonly Recorded[]): Promise<void> {
  const disk = new RecordedDisk();
  for (const entry of recorded) if ("call" in entry) disk.play(entry);
  const all = disk.afterCut({ names: "all", bytes: "all" });
  expect(await readTree(folder)).toEqual(all);
}

function* cutsOf(recorded: readonly Recorded[], nothing: unknown): Generator<PowerCut> {
  const disk = new RecordedDisk();
  const seen = new Set<string>();
  let possible = [nothing];
  for (const entry of [undefined, ...recorded]) {
    if (entry !== undefined && "call" in entry) disk.play(entry);
    else if (entry?.note === "kept") possible = [entry.value];
    else if (entry?.note === "begun") possible = [...possible, entry.value];
    for (const survival of SURVIVALS) {
      const tree = disk.afterCut(survival);
      const key = JSON.stringify([[...tree], possible]);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { after: entry, survival, tree, possible };
    }
  }
}

const SURVIVALS: readonly Survival[] = NAMES.flatMap((names) =>
  BYTES.map((bytes) => ({ names, bytes })),
);
