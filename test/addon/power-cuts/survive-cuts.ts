import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Recorded } from "../../sim/disk-call.ts";
import type { Keeper } from "./keeper.ts";
import { KEEPERS } from "./keepers.ts";
import {
  BYTES,
  NAMES,
  readTree,
  RecordedDisk,
  type Survival,
  type Tree,
  writeTree,
} from "../../sim/recorded-disk.ts";

const HERE = import.meta.dirname;
const MOST_OUTPUT = 64 * 1024 ** 2;

interface PowerCut {
  /** The last record before the cut; absent at the very start. */
  readonly after: Recorded | undefined;
  readonly survival: Survival;
  readonly tree: Tree;
  /** Values that may be found afterwards. */
  readonly possible: readonly unknown[];
}

interface KeptRecord {
  readonly folder: string;
  readonly recorded: readonly Recorded[];
}

/**
 * Records the work of all keepers in a process of its own. Then a test for each cuts the power at every n-th moment that
 * leaves something else than another: the keeper must find what it has promised, and must be able to work.
 * @param strideOf n for a keeper
 */
export function testCuts(title: string, strideOf: (keeper: Keeper) => number): void {
  let base = "";
  let records: ReadonlyMap<Keeper, KeptRecord> = new Map();
  beforeAll(async () => {
    base = await mkdtemp(join(await realpath(tmpdir()), "soundferry-test-"));
    records = await recordKeepers(base);
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  test.for(KEEPERS)(title, async (keeper) => {
    const record = records.get(keeper);
    if (record === undefined) throw new Error(`${keeper.title} was not recorded.`);
    await surviveCuts(keeper, record, strideOf(keeper));
  });
}

async function surviveCuts(
  keeper: Keeper,
  { folder, recorded }: KeptRecord,
  stride: number,
): Promise<void> {
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

async function recordKeepers(base: string): Promise<ReadonlyMap<Keeper, KeptRecord>> {
  const folders = KEEPERS.map((_, index) => join(base, String(index)));
  for (const folder of folders) await mkdir(folder);
  const [loaded, script] = [join(HERE, "record-calls.ts"), join(HERE, "play-keeper.ts")];
  const words = [`--import=${loaded}`, script, ...folders];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: MOST_OUTPUT });
  const all: readonly (readonly Recorded[])[] = JSON.parse(stdout);
  return new Map(
    KEEPERS.map((keeper, index) => [
      keeper,
      { folder: folders[index] ?? "", recorded: all[index] ?? [] },
    ]),
  );
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
      const files = [...tree].map(([path, bytes]) => [path, bytes?.toString("base64")]);
      const key = JSON.stringify([files, possible]);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { after: entry, survival, tree, possible };
    }
  }
}

const SURVIVALS: readonly Survival[] = NAMES.flatMap((names) =>
  BYTES.map((bytes) => ({ names, bytes })),
);
